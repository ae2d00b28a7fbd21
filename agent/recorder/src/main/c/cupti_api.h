/*
 * The part of CUPTI's and the driver's interface that the shim uses, written down here so that it is built without
 * CUDA's headers and runs with the libraries of CUDA 12 and 13. Nothing is linked: every function is looked up.
 */
#ifndef EDDYLINE_CUPTI_API_H
#define EDDYLINE_CUPTI_API_H

#include <stddef.h>
#include <stdint.h>

enum {
  CUPTI_OK = 0,
  CUPTI_NOT_INITIALIZED = 15,
  CUPTI_MULTIPLE_SUBSCRIBERS = 39,
};

enum { CUPTI_DOMAIN_DRIVER = 1, CUPTI_DOMAIN_RUNTIME = 2, CUPTI_DOMAIN_RESOURCE = 3 };

enum { CUPTI_RESOURCE_STREAM_CREATED = 3, CUPTI_RESOURCE_STREAM_DESTROYED = 4, CUPTI_RESOURCE_MODULE_UNLOADED = 7 };

enum { CUPTI_SITE_ENTER = 0, CUPTI_SITE_EXIT = 1 };

enum { CUPTI_KIND_KERNEL = 3, CUPTI_KIND_DEVICE = 8, CUPTI_KIND_CONTEXT = 9, CUPTI_KIND_CONCURRENT_KERNEL = 10, CUPTI_KIND_STREAM = 37 };

enum {
  CUPTI_ATTRIBUTE_DEVICE_BUFFER_SIZE = 0,
  CUPTI_ATTRIBUTE_DEVICE_BUFFER_POOL_LIMIT = 2,
  CUPTI_ATTRIBUTE_ZEROED_OUT_BUFFER = 5,
};

enum { CUPTI_THREAD_ID_SYSTEM = 1 };

/* CU_LAUNCH_PARAM_: what the extra parameters of a launch mean. */
enum { CUDA_EXTRA_END = 0, CUDA_EXTRA_BUFFER = 1, CUDA_EXTRA_SIZE = 2, CUDA_MAX_EXTRA = 8 };

/* CU_POINTER_ATTRIBUTE_RANGE_START_ADDR and _RANGE_SIZE */
enum { CUDA_POINTER_RANGE_START = 11, CUDA_POINTER_RANGE_SIZE = 12 };

/* CUpti_CallbackData */
typedef struct {
  int site;
  const char* function_name;
  const void* params;
  void* return_value;
  const char* symbol_name;
  void* context;
  uint32_t context_id;
  uint64_t* correlation_data;
  uint32_t correlation_id;
} cupti_call;

/* CUpti_ResourceData */
typedef struct {
  void* context;
  void* stream;
  void* descriptor;
} cupti_resource;

typedef void (*cupti_callback)(void* user, int domain, uint32_t id, const void* data);
typedef void (*cupti_request)(uint8_t** buffer, size_t* size, size_t* max_records);
typedef void (*cupti_complete)(void* context, uint32_t stream, uint8_t* buffer, size_t size, size_t valid);
typedef uint64_t (*cupti_timestamp)(void);

/* Looked up by name; those marked "may be missing" are null in versions that do not have them. */
typedef struct {
  int (*get_version)(uint32_t*);
  int (*get_timestamp)(uint64_t*);
  int (*get_result_string)(int, const char**);
  int (*subscribe)(void**, cupti_callback, void*);
  int (*unsubscribe)(void*);
  int (*enable_callback)(uint32_t, void*, int, uint32_t);
  int (*get_callback_name)(int, uint32_t, const char**);
  int (*register_callbacks)(cupti_request, cupti_complete);
  int (*register_timestamp)(cupti_timestamp); /* may be missing */
  int (*set_thread_id_type)(int);             /* may be missing */
  int (*set_attribute)(int, size_t*, void*);
  int (*enable)(int);
  int (*enable_and_dump)(int); /* may be missing */
  int (*disable)(int);
  int (*all_sync_records)(uint8_t); /* may be missing */
  int (*flush_all)(uint32_t);
  int (*next_record)(uint8_t*, size_t, void**);
  int (*dropped_records)(void*, uint32_t, size_t*);
  int (*push_external)(int, uint64_t);
  int (*pop_external)(int, uint64_t*);
  int (*stream_id)(void*, void*, uint8_t, uint32_t*);
  int (*context_id)(void*, uint32_t*);
  int (*finalize)(void);
} cupti_functions;

/* The driver's; all may be missing. */
typedef struct {
  int (*driver_version)(int*);
  int (*current_context)(void**);
  int (*stream_is_capturing)(void*, int*);
  int (*function_parameter)(void*, size_t, size_t*, size_t*);
  int (*kernel_parameter)(void*, size_t, size_t*, size_t*);
  int (*pointer_attribute)(void*, int, uint64_t);
} driver_functions;

#endif
