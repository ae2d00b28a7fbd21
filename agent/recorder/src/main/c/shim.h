/*
 * The recorder's native part: serves CUPTI's callbacks, and hands what they bring to Java threads that ask for it.
 *
 * In callbacks: no lock, no allocation, no JNI; of JVMTI only GetStackTrace and GetThreadInfo, at the exit of calls
 * that blocked. One recording at a time in a process.
 */
#ifndef EDDYLINE_SHIM_H
#define EDDYLINE_SHIM_H

#include <stdatomic.h>
#include <stdint.h>

#include "cupti_api.h"
#include "ring.h"

enum { SHIM_MAX_FRAMES = 64, SHIM_MAX_NAME = 128, SHIM_MAX_KINDS = 64, SHIM_MAX_CBID = 2048, SHIM_MAX_WORDS = 124 };

/* What a call is to the shim; bits of shim_roles. */
enum {
  ROLE_BLOCKS = 1,        /* may block: its stack is wanted */
  ROLE_STREAM_WAIT = 2,   /* made while capturing it is no wait; its first parameter is the stream */
  ROLE_CAPTURE_BEGIN = 4,
  ROLE_CAPTURE_END = 8,
  ROLE_LAUNCH = 16,       /* cuLaunchKernel and cooperative: function is the first parameter */
  ROLE_LAUNCH_EX = 32,    /* cuLaunchKernelEx: function is the second parameter */
  ROLE_EVENT_RECORD = 64, /* event and stream are the first two parameters */
  ROLE_COPY = 128,        /* destination, source, bytes are the first three parameters */
  ROLE_FILL = 256,        /* address is the first parameter */
  ROLE_OUTER_LAUNCH = 2048, /* a launch of the runtime: the driver's lies within */
  ROLE_COOPERATIVE = 4096, /* a launch without extra parameters */
  ROLE_ASKED = 1024,      /* the shim calls it too */
  ROLE_STACK = 512,       /* its stack is wanted however short it is */
};

enum { STACKS_RECORD = 1, STACKS_WAIT = 2, STACKS_LAUNCH = 4 };

/* State of the recording. */
enum { SHIM_IDLE = 0, SHIM_ARMED = 1, SHIM_STARTING = 2, SHIM_RUNNING = 3, SHIM_REFUSED = 4, SHIM_STOPPED = 5 };

/* Set before a start; not changed while it runs. */
typedef struct {
  uint32_t buffer_bytes;
  uint32_t buffer_count; /* at most 65535 */
  uint64_t device_buffer_bytes; /* 0: CUPTI's default */
  uint64_t device_buffer_limit; /* 0: CUPTI's default */
  uint64_t block_ns;     /* calls that took as long are taken with their stack */
  uint32_t kernel_name_offset, device_name_offset; /* of the pointers in records; the same in CUPTI 12 and 13 */
  int monotonic;         /* ask CUPTI to stamp with CLOCK_MONOTONIC */
  int deep;              /* read parameters of launches, addresses of copies and fills */
  int stacks;            /* STACKS_ bits: calls whose stack is wanted however short they are */
  int launch_blocks;     /* take launches that block with their stack too */
  int kinds[SHIM_MAX_KINDS];
  int kind_count;
  char* places; /* one path after the other, each ended by a newline, in the order to try */
} shim_config;

/* A call that blocked, with the frames of its thread. */
typedef struct {
  uint32_t domain, id, correlation, thread;
  uint64_t start, end; /* CLOCK_MONOTONIC */
  uint32_t frame_count, name_length;
  uint64_t methods[SHIM_MAX_FRAMES];
  int64_t locations[SHIM_MAX_FRAMES];
  char name[SHIM_MAX_NAME]; /* of the thread; empty where it is not Java's */
} shim_blocked;

enum {
  NOTE_STREAM_CREATED = 1, /* a: handle, b: context << 32 | stream */
  NOTE_STREAM_DESTROYED = 2,
  NOTE_CAPTURED_WAIT = 3, /* correlation */
  NOTE_EVENT_RECORD = 4,  /* correlation, a: event handle */
  NOTE_COPY = 5,          /* correlation, a: destination, b: source, c: bytes */
  NOTE_FILL = 6,          /* correlation, a: address */
  NOTE_OWN_CALL = 7,      /* correlation of a call that the shim itself made */
};

/* Something small that a callback saw. */
typedef struct {
  uint32_t kind, correlation;
  uint64_t time, a, b, c;
  uint32_t thread, unused;
} shim_note;

/* Aligned 8-byte words of the parameters of one launch. */
typedef struct {
  uint32_t correlation, outer; /* of the driver's call, and of the runtime's around it or 0 */
  uint32_t count;
  uint64_t time;
  uint64_t words[SHIM_MAX_WORDS];
} shim_launch;

/* One per thread that came through a callback. */
typedef struct {
  _Atomic uint32_t thread;   /* 0: free */
  _Atomic uint32_t call;     /* domain << 16 | id of the outermost call that may block it, 0 if none */
  _Atomic uint64_t since;    /* CLOCK_MONOTONIC */
  _Atomic uint32_t has_ring; /* 1: launches can be used */
  _Atomic uint32_t named;    /* 1: its name was told without frames */
  ring launches;
} shim_thread;

enum { SHIM_MAX_THREADS = 1024 };

/* Counted since the start. */
typedef struct {
  _Atomic uint64_t buffers_requested, buffers_completed, requests_refused, buffers_dropped;
  _Atomic uint64_t in_flight, most_in_flight;
  _Atomic uint64_t records, cupti_dropped, names, names_refused;
  _Atomic uint64_t stacks, stacks_failed, launches_read, launches_refused, threads_refused;
} shim_counters;

extern shim_config shim_settings;
extern shim_counters shim_counts;
extern cupti_functions cupti;
extern driver_functions driver;
extern uint16_t shim_roles[3][SHIM_MAX_CBID];
extern _Atomic int shim_state;
enum { SHIM_KEEP = 0, SHIM_REFUSE = 1, SHIM_DISCARD = 2 };

extern _Atomic int shim_drop;   /* SHIM_REFUSE: no buffers are handed out; SHIM_DISCARD: they come back unread */
extern _Atomic int shim_stacks; /* JVMTI may be asked */
extern ring shim_blocked_calls, shim_notes, shim_completed;

/* A completed buffer. */
typedef struct {
  uint32_t buffer, records;
  uint64_t valid;
} shim_buffer;

/* Fills the frames and the name of the calling thread; set by the JNI part, null without a JVM. */
extern void (*shim_capture_stack)(shim_blocked* into);

uint64_t shim_now(void);
uint32_t shim_thread_id(void);

/* library.c */
int library_load(void); /* CUPTI_OK or a code; the words are in library_report() */
const char* library_report(void);
const char* library_path(void);
uint32_t library_version(void);
int library_cuda_state(void); /* 0: not mapped, 1: mapped, 2: initialised */
/* A name as people write it; NULL if it is none of C++ or nothing here can tell. The caller frees it. */
char* library_demangled(const char* name);
void library_say(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* buffers.c */
int buffers_init(void);
void buffers_request(uint8_t** buffer, size_t* size, size_t* max_records);
void buffers_complete(void* context, uint32_t stream, uint8_t* buffer, size_t size, size_t valid);
void buffers_release(uint32_t buffer);
uint8_t* buffers_memory(void);
uint32_t* buffers_offsets(void);   /* of the records, buffers_max_records() per buffer */
uint32_t buffers_max_records(void);
const char* buffers_name(uint32_t id);
void buffers_count_dropped(void);

/* calls.c */
int calls_init(void);
void calls_callback(void* user, int domain, uint32_t id, const void* data);
shim_thread* calls_threads(void);
shim_thread* calls_own_thread(void);
void calls_watch(uint64_t event);
void calls_asking(int on); /* calls of this thread are the shim's own meanwhile */
void calls_forget_thread(uint32_t index);

/* roles.c */
void roles_assign(void); /* by the names that CUPTI gives its callbacks */

/* launches.c */
int launches_init(void);
void launches_read(uint32_t correlation, uint32_t outer, void* function, void** parameters, void** extra);
void launches_forget_functions(void);

/* session.c */
int session_prepare(void);
int session_arm(const char* own_path);
int session_start(int late);
void session_stop(void);
int session_flush(int forced);
int session_is_late(void);

#endif
