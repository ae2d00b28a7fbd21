#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "standin.h"
#include "standin_records.h"

#define API __attribute__((visibility("default")))

enum { CONTEXT = 1, MAX_EVENTS = 1 << 16, MAX_STREAMS = 1 << 12 };

static const standin_hooks* _Atomic hooks;
static _Atomic int initialized;
static _Atomic uint64_t sync_ids;
static _Atomic uint64_t sync_of_event[MAX_EVENTS];
static _Atomic int capturing[MAX_STREAMS];
static _Atomic int captured_event[MAX_EVENTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void inject(void) {
  const char* path = getenv("CUDA_INJECTION64_PATH");
  if (path == NULL) {
    return;
  }
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) {
    int (*initialize)(void);
    *(void**)&initialize = dlsym(library, "InitializeInjection");
    if (initialize != NULL) {
      initialize();
    }
  }
}

API void standin_set_hooks(const standin_hooks* new_hooks) { atomic_store(&hooks, new_hooks); }

API int cuInit(unsigned flags) {
  (void)flags;
  pthread_once(&once, inject);
  initialized = 1;
  return 0;
}

API int cuDriverGetVersion(int* version) {
  const char* value = getenv("STANDIN_DRIVER_VERSION");
  *version = value == NULL ? 13000 : atoi(value);
  return 0;
}

API int cuCtxGetCurrent(void** context) {
  *context = (void*)8;
  return initialized ? 0 : 3;
}

/* Every function has three parameters: a pointer, a float, and a struct of two pointers and an int. */
API int cuFuncGetParamInfo(void* function, size_t index, size_t* offset, size_t* size) {
  static const size_t OFFSETS[] = {0, 8, 16}, SIZES[] = {8, 4, 24};
  (void)function;
  if (index >= 3) {
    return 1;
  }
  *offset = OFFSETS[index];
  *size = SIZES[index];
  return 0;
}

/* Blocks of 1 MiB in a range of their own. */
API int cuPointerGetAttribute(void* into, int attribute, uint64_t address) {
  if (address >> 40 != 0x70) {
    return 1;
  }
  uint64_t value = attribute == 11 ? address & ~(uint64_t)0xFFFFF : 0x100000;
  memcpy(into, &value, sizeof value);
  return 0;
}

static void hold(uint64_t ns) {
  struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  nanosleep(&time, NULL);
}

typedef struct {
  const standin_hooks* to;
  int domain;
  uint32_t id, correlation;
  const char* name;
  const void* params;
  uint64_t cookie[2];
} api_call;

static api_call begin(int domain, uint32_t id, const char* name, const void* params) {
  api_call call = {atomic_load(&hooks), domain, id, 0, name, params, {0, 0}};
  cuInit(0);
  call.to = atomic_load(&hooks);
  if (call.to != NULL) {
    call.correlation = call.to->enter(domain, id, name, params, call.cookie);
  }
  return call;
}

static uint32_t end(api_call* call, uint32_t result) {
  if (call->to != NULL) {
    call->to->exit(call->domain, call->id, call->name, call->params, call->cookie, call->correlation, result);
  }
  return call->correlation;
}

static void emit(const api_call* call, int kind, const void* record, size_t size) {
  if (call->to != NULL) {
    call->to->emit(kind, record, size);
  }
}

static void* handle(uint32_t number) { return (void*)(uintptr_t)number; }

API int cuStreamIsCapturing(void* stream, int* status) {
  struct { void* stream; int* status; } params = {stream, status};
  api_call call = begin(1, 499, "cuStreamIsCapturing", &params);
  *status = capturing[(uintptr_t)stream % MAX_STREAMS];
  end(&call, 0);
  return 0;
}

API uint32_t play_stream_create(uint32_t stream, int non_blocking) {
  struct { void** stream; unsigned flags; } params = {NULL, (unsigned)non_blocking};
  api_call call = begin(2, 198, "cudaStreamCreateWithFlags", &params);
  stream_record record = {KIND_STREAM, CONTEXT, stream, 0, non_blocking ? 2 : 1, call.correlation};
  emit(&call, KIND_STREAM, &record, sizeof record);
  if (call.to != NULL) {
    call.to->resource(3, handle(stream));
  }
  return end(&call, 0);
}

API uint32_t play_stream_destroy(uint32_t stream) {
  struct { void* stream; } params = {handle(stream)};
  api_call call = begin(2, 201, "cudaStreamDestroy", &params);
  if (call.to != NULL) {
    call.to->resource(4, handle(stream));
  }
  return end(&call, 0);
}

API uint32_t play_launch(uint32_t stream, const char* kernel, uint64_t duration_ns) {
  static const char TEXT;
  uint64_t pointer = 0x700000001000u, structure[3] = {0x700000100000u, 0x700000200000u, 42};
  float scale = 2;
  void* values[3] = {&pointer, &scale, structure};
  struct { const void* f; uint32_t grid[3], block[3]; void** values; size_t shared; void* stream; } params =
      {&TEXT, {64, 1, 1}, {256, 1, 1}, values, 0, handle(stream)};
  api_call call = begin(2, 211, "cudaLaunchKernel", &params);
  if (call.to != NULL) {
    struct { const void* f; uint32_t sizes[7]; void* stream; void** values; void** extra; } inner =
        {&TEXT, {64, 1, 1, 256, 1, 1, 0}, handle(stream), values, NULL};
    uint64_t cookie[2] = {0, 0};
    uint32_t correlation = call.to->enter(1, 307, "cuLaunchKernel", &inner, cookie);
    call.to->exit(1, 307, "cuLaunchKernel", &inner, cookie, correlation, 0);
    kernel_record record;
    memset(&record, 0, sizeof record);
    record.kind = KIND_CONCURRENT_KERNEL;
    record.start = call.to->now() + 1000;
    record.end = record.start + duration_ns;
    record.context = CONTEXT;
    record.stream = stream;
    record.grid[0] = 64;
    record.grid[1] = record.grid[2] = 1;
    record.block[0] = 256;
    record.block[1] = record.block[2] = 1;
    record.correlation = call.correlation;
    record.name = kernel;
    emit(&call, KIND_CONCURRENT_KERNEL, &record, sizeof record);
  }
  return end(&call, 0);
}

API uint32_t play_record(uint32_t event, uint32_t stream) {
  struct { void* event; void* stream; } params = {handle(event), handle(stream)};
  api_call call = begin(2, 135, "cudaEventRecord", &params);
  if (capturing[stream % MAX_STREAMS]) {
    captured_event[event % MAX_EVENTS] = 1;
  } else {
    captured_event[event % MAX_EVENTS] = 0;
    uint64_t id = atomic_fetch_add(&sync_ids, 1) + 1;
    sync_of_event[event % MAX_EVENTS] = id;
    event_record record = {KIND_CUDA_EVENT, call.correlation, CONTEXT, stream, event, 0, 0, 0, 0, 0, id};
    emit(&call, KIND_CUDA_EVENT, &record, sizeof record);
  }
  return end(&call, 0);
}

API uint32_t play_wait(uint32_t stream, uint32_t event) {
  struct { void* stream; void* event; unsigned flags; } params = {handle(stream), handle(event), 0};
  api_call call = begin(2, 147, "cudaStreamWaitEvent", &params);
  if (captured_event[event % MAX_EVENTS]) {
    capturing[stream % MAX_STREAMS] = 1;
  }
  uint64_t now = call.to == NULL ? 0 : call.to->now();
  sync_record record = {KIND_SYNCHRONIZATION, 2, now, now, call.correlation, CONTEXT, stream, event,
                        sync_of_event[event % MAX_EVENTS], 0, 0};
  emit(&call, KIND_SYNCHRONIZATION, &record, sizeof record);
  return end(&call, 0);
}

API uint32_t play_stream_synchronize(uint32_t stream, uint64_t hold_ns) {
  struct { void* stream; } params = {handle(stream)};
  api_call call = begin(2, 131, "cudaStreamSynchronize", &params);
  uint64_t start = call.to == NULL ? 0 : call.to->now();
  hold(hold_ns);
  sync_record record = {KIND_SYNCHRONIZATION, 3, start, call.to == NULL ? 0 : call.to->now(), call.correlation,
                        CONTEXT, stream, UINT32_MAX, UINT32_MAX, 0, 0};
  emit(&call, KIND_SYNCHRONIZATION, &record, sizeof record);
  return end(&call, 0);
}

API uint32_t play_copy(uint64_t to, uint64_t from, uint64_t bytes, uint64_t hold_ns) {
  struct { uint64_t to, from, bytes; } params = {to, from, bytes};
  api_call call = begin(1, 276, "cuMemcpyHtoD_v2", &params);
  copy_record record;
  memset(&record, 0, sizeof record);
  record.kind = KIND_MEMCPY;
  record.copy = 1;
  record.from = 1;
  record.to = 3;
  record.bytes = bytes;
  record.start = call.to == NULL ? 0 : call.to->now();
  hold(hold_ns);
  record.end = call.to == NULL ? 0 : call.to->now();
  record.context = CONTEXT;
  record.stream = 7;
  record.correlation = call.correlation;
  emit(&call, KIND_MEMCPY, &record, sizeof record);
  return end(&call, 0);
}

API void play_capture(uint32_t stream, int beginning) {
  struct { void* stream; int mode; } params = {handle(stream), 0};
  api_call call = beginning ? begin(2, 315, "cudaStreamBeginCapture", &params)
                            : begin(2, 319, "cudaStreamEndCapture", &params);
  if (beginning) {
    capturing[stream % MAX_STREAMS] = 1;
  } else {
    for (int i = 0; i < MAX_STREAMS; i++) {
      capturing[i] = 0;
    }
  }
  end(&call, 0);
}

static uint32_t memory(uint32_t id, const char* name, uint32_t operation, uint64_t address, uint64_t bytes) {
  struct { uint64_t address, bytes; } params = {address, bytes};
  api_call call = begin(2, id, name, &params);
  memory_record record;
  memset(&record, 0, sizeof record);
  record.kind = KIND_MEMORY2;
  record.operation = operation;
  record.memory = 3;
  record.correlation = call.correlation;
  record.address = address;
  record.bytes = bytes;
  record.time = call.to == NULL ? 0 : call.to->now();
  record.context = CONTEXT;
  record.stream = UINT32_MAX;
  emit(&call, KIND_MEMORY2, &record, sizeof record);
  return end(&call, 0);
}

API uint32_t play_malloc(uint64_t address, uint64_t bytes) { return memory(20, "cudaMalloc", 1, address, bytes); }

API uint32_t play_free(uint64_t address) { return memory(22, "cudaFree", 2, address, 0); }

typedef struct {
  uint32_t stream;
  int launches;
} share;

static void* launching(void* data) {
  share* mine = data;
  for (int i = 0; i < mine->launches; i++) {
    play_launch(mine->stream, "native_kernel", 1000);
  }
  return NULL;
}

API void play_threads(int threads, int launches) {
  pthread_t* ids = malloc((size_t)threads * sizeof *ids);
  share* shares = malloc((size_t)threads * sizeof *shares);
  for (int i = 0; i < threads; i++) {
    shares[i] = (share){(uint32_t)(100 + i), launches};
    pthread_create(&ids[i], NULL, launching, &shares[i]);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
  }
  free(ids);
  free(shares);
}

API void play_hang(uint32_t stream) {
  struct { void* stream; } params = {handle(stream)};
  begin(2, 131, "cudaStreamSynchronize", &params);
  for (;;) {
    pause();
  }
}
