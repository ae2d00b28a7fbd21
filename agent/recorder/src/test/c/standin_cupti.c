#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "standin.h"
#include "standin_records.h"

#define API __attribute__((visibility("default")))

typedef void (*callback_function)(void*, int, uint32_t, const void*);
typedef void (*request_function)(uint8_t**, size_t*, size_t*);
typedef void (*complete_function)(void*, uint32_t, uint8_t*, size_t, size_t);

typedef struct {
  int site;
  const char* name;
  const void* params;
  void* return_value;
  const char* symbol;
  void* context;
  uint32_t context_id;
  uint64_t* cookie;
  uint32_t correlation;
} call_data;

typedef struct full_buffer {
  uint8_t* bytes;
  size_t size, used;
  struct full_buffer* next;
} full_buffer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static full_buffer current;
static full_buffer* waiting;
static full_buffer** last = &waiting;
static int delivering, worker_runs;
static size_t lost;
static request_function request;
static complete_function complete;
static uint64_t (*stamp)(void);
static callback_function callback;
static void* callback_user;
static _Atomic int enabled_kinds[64];
static _Atomic int enabled_callbacks[4][2048];
static _Atomic uint32_t correlations;
static __thread uint64_t external[8];
static __thread int external_depth;

static const struct {
  int domain;
  uint32_t id;
  const char* name;
} NAMES[] = {
    {2, 20, "cudaMalloc_v3020"},          {2, 22, "cudaFree_v3020"},
    {2, 31, "cudaMemcpy_v3020"},          {2, 41, "cudaMemcpyAsync_v3020"},
    {2, 131, "cudaStreamSynchronize_v3020"}, {2, 135, "cudaEventRecord_v3020"},
    {2, 137, "cudaEventSynchronize_v3020"},  {2, 147, "cudaStreamWaitEvent_v3020"},
    {2, 165, "cudaDeviceSynchronize_v3020"}, {2, 198, "cudaStreamCreateWithFlags_v5000"},
    {2, 201, "cudaStreamDestroy_v5050"},     {2, 211, "cudaLaunchKernel_v7000"},
    {2, 315, "cudaStreamBeginCapture_v10000"}, {2, 319, "cudaStreamEndCapture_v10000"},
    {1, 307, "cuLaunchKernel"},              {1, 276, "cuMemcpyHtoD_v2"},
    {1, 126, "cuStreamSynchronize"},         {1, 499, "cuStreamIsCapturing"},
};

static long setting(const char* name, long otherwise) {
  const char* value = getenv(name);
  return value == NULL ? otherwise : atol(value);
}

static uint64_t wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t now(void) { return stamp == NULL ? wall() : stamp(); }

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (waiting == NULL) {
      pthread_cond_wait(&filled, &lock);
    }
    full_buffer* buffer = waiting;
    waiting = buffer->next;
    if (waiting == NULL) {
      last = &waiting;
    }
    delivering++;
    pthread_mutex_unlock(&lock);
    complete(NULL, 0, buffer->bytes, buffer->size, buffer->used);
    free(buffer);
    pthread_mutex_lock(&lock);
    delivering--;
    pthread_cond_broadcast(&filled);
  }
  return NULL;
}

/* Under the lock. */
static void hand_over(void) {
  full_buffer* copy = malloc(sizeof *copy);
  *copy = current;
  copy->next = NULL;
  *last = copy;
  last = &copy->next;
  memset(&current, 0, sizeof current);
  pthread_cond_broadcast(&filled);
}

static void emit(int kind, const void* record, size_t size) {
  if (!enabled_kinds[kind] || request == NULL) {
    return;
  }
  pthread_mutex_lock(&lock);
  if (current.bytes != NULL && current.used + size > current.size) {
    hand_over();
  }
  if (current.bytes == NULL) {
    size_t most = 0;
    request(&current.bytes, &current.size, &most);
    current.used = 0;
  }
  if (current.bytes == NULL) {
    lost++;
  } else {
    for (size_t i = 0; i < size; i++) {
      if (current.bytes[current.used + i] != 0) {
        fprintf(stderr, "stand-in CUPTI: a buffer was not zeroed\n");
        abort();
      }
    }
    memcpy(current.bytes + current.used, record, size);
    current.used += size;
  }
  pthread_mutex_unlock(&lock);
}

static uint32_t thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

static void call_back(int site, int domain, uint32_t id, const char* name, const void* params, uint64_t* cookie,
                      uint32_t correlation) {
  callback_function to = callback;
  if (to == NULL || !enabled_callbacks[domain][id]) {
    return;
  }
  call_data data = {site, name, params, NULL, NULL, (void*)8, 1, cookie, correlation};
  to(callback_user, domain, id, &data);
}

/* cookie[0] is the callback's, cookie[1] the time of entry. */
static uint32_t enter(int domain, uint32_t id, const char* name, const void* params, uint64_t* cookie) {
  uint32_t correlation = atomic_fetch_add(&correlations, 1) + 1;
  cookie[0] = 0;
  cookie[1] = now();
  call_back(0, domain, id, name, params, cookie, correlation);
  if (external_depth > 0) {
    external_record record = {KIND_EXTERNAL_CORRELATION, 3, external[external_depth - 1], correlation, 0};
    emit(KIND_EXTERNAL_CORRELATION, &record, sizeof record);
  }
  return correlation;
}

static void leave(int domain, uint32_t id, const char* name, const void* params, uint64_t* cookie,
                  uint32_t correlation, uint32_t result) {
  call_back(1, domain, id, name, params, cookie, correlation);
  int kind = domain == 2 ? KIND_RUNTIME : KIND_DRIVER;
  api_record record = {(uint32_t)kind, id, cookie[1], now(), (uint32_t)getpid(), thread_id(), correlation, result};
  emit(kind, &record, sizeof record);
}

static void resource(uint32_t id, void* stream) {
  callback_function to = callback;
  if (to != NULL && enabled_callbacks[3][id]) {
    void* data[3] = {(void*)8, stream, NULL};
    to(callback_user, 3, id, data);
  }
}

static const standin_hooks HOOKS = {enter, leave, emit, resource, now};

static void tell_driver(const standin_hooks* hooks) {
  void* cuda = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void (*set)(const standin_hooks*) = NULL;
  if (cuda != NULL) {
    *(void**)&set = dlsym(cuda, "standin_set_hooks");
  } else {
    *(void**)&set = dlsym(RTLD_DEFAULT, "standin_set_hooks");
  }
  if (set != NULL) {
    set(hooks);
  }
}

API int cuptiGetVersion(uint32_t* version) {
  *version = (uint32_t)setting("STANDIN_CUPTI_VERSION", 130001);
  return 0;
}

API int cuptiGetTimestamp(uint64_t* time) {
  *time = now();
  return 0;
}

API int cuptiGetResultString(int code, const char** text) {
  *text = code == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" : "CUPTI_ERROR_OF_STAND_IN";
  return 0;
}

API int cuptiSubscribe(void** subscriber, callback_function function, void* user) {
  int code = (int)setting("STANDIN_SUBSCRIBE", 0);
  if (code == 0 && callback != NULL) {
    code = 39;
  }
  if (code == 0) {
    callback = function;
    callback_user = user;
    *subscriber = (void*)16;
    tell_driver(&HOOKS);
  }
  return code;
}

API int cuptiUnsubscribe(void* subscriber) {
  (void)subscriber;
  callback = NULL;
  return 0;
}

API int cuptiEnableCallback(uint32_t on, void* subscriber, int domain, uint32_t id) {
  (void)subscriber;
  enabled_callbacks[domain][id] = (int)on;
  return 0;
}

API int cuptiGetCallbackName(int domain, uint32_t id, const char** name) {
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (NAMES[i].domain == domain && NAMES[i].id == id) {
      *name = NAMES[i].name;
      return 0;
    }
  }
  return 1;
}

API int cuptiActivityRegisterCallbacks(request_function ask, complete_function give) {
  pthread_mutex_lock(&lock);
  request = ask;
  complete = give;
  if (!worker_runs) {
    worker_runs = 1;
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_detach(worker);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

API int cuptiActivityRegisterTimestampCallback(uint64_t (*function)(void)) {
  stamp = function;
  return 0;
}

API int cuptiSetThreadIdType(int type) { return type == 1 ? 0 : 1; }

API int cuptiActivitySetAttribute(int attribute, size_t* size, void* value) {
  (void)attribute;
  (void)size;
  (void)value;
  return 0;
}

API int cuptiActivityEnable(int kind) {
  if (kind < 0 || kind >= 64) {
    return 21;
  }
  enabled_kinds[kind] = 1;
  return 0;
}

API int cuptiActivityEnableAndDump(int kind) {
  int code = cuptiActivityEnable(kind);
  if (kind == KIND_STREAM) {
    stream_record record = {KIND_STREAM, 1, 7, 0, 3, 0};
    emit(kind, &record, sizeof record);
  }
  return code;
}

API int cuptiActivityDisable(int kind) {
  enabled_kinds[kind & 63] = 0;
  return 0;
}

API int cuptiActivityEnableAllSyncRecords(uint8_t on) {
  (void)on;
  return 0;
}

API int cuptiActivityFlushAll(uint32_t forced) {
  if (forced && setting("STANDIN_FLUSH_HANGS", 0)) {
    for (;;) {
      pause();
    }
  }
  pthread_mutex_lock(&lock);
  if (current.bytes != NULL && current.used > 0) {
    hand_over();
  }
  while (waiting != NULL || delivering > 0) {
    pthread_cond_wait(&filled, &lock);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static size_t size_of(uint32_t kind) {
  switch (kind) {
    case KIND_MEMCPY: return sizeof(copy_record);
    case KIND_DRIVER:
    case KIND_RUNTIME: return sizeof(api_record);
    case KIND_CONCURRENT_KERNEL: return sizeof(kernel_record);
    case KIND_CUDA_EVENT: return sizeof(event_record);
    case KIND_STREAM: return sizeof(stream_record);
    case KIND_SYNCHRONIZATION: return sizeof(sync_record);
    case KIND_EXTERNAL_CORRELATION: return sizeof(external_record);
    case KIND_MEMORY2: return sizeof(memory_record);
    default: return 0;
  }
}

API int cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, void** record) {
  uint8_t* next = buffer;
  if (*record != NULL) {
    uint32_t kind;
    memcpy(&kind, *record, sizeof kind);
    next = (uint8_t*)*record + size_of(kind);
  }
  if (next >= buffer + valid) {
    return 12;
  }
  uint32_t kind;
  memcpy(&kind, next, sizeof kind);
  if (size_of(kind) == 0) {
    return 21;
  }
  *record = next;
  return 0;
}

API int cuptiActivityGetNumDroppedRecords(void* context, uint32_t stream, size_t* dropped) {
  (void)context;
  (void)stream;
  pthread_mutex_lock(&lock);
  *dropped = lost;
  lost = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}

API int cuptiActivityPushExternalCorrelationId(int kind, uint64_t id) {
  if (kind != 3 || external_depth == 8) {
    return 1;
  }
  external[external_depth++] = id;
  return 0;
}

API int cuptiActivityPopExternalCorrelationId(int kind, uint64_t* id) {
  if (kind != 3 || external_depth == 0) {
    return 18;
  }
  *id = external[--external_depth];
  return 0;
}

API int cuptiGetStreamIdEx(void* context, void* stream, uint8_t per_thread, uint32_t* id) {
  (void)context;
  (void)per_thread;
  *id = stream == NULL ? 7 : (uint32_t)(uintptr_t)stream;
  return 0;
}

API int cuptiGetContextId(void* context, uint32_t* id) {
  (void)context;
  *id = 1;
  return 0;
}

API int cuptiFinalize(void) { return 0; }
