/* Callbacks at API calls: which calls blocked and from where, waits made while capturing, streams made and gone. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "shim.h"

enum { BLOCKED_SLOTS = 512, NOTE_SLOTS = 1 << 14, WATCHED = 1 << 12 };

ring shim_blocked_calls, shim_notes;
uint16_t shim_roles[3][SHIM_MAX_CBID];
_Atomic int shim_stacks;
void (*shim_capture_stack)(shim_blocked* into);

static shim_thread threads[SHIM_MAX_THREADS];
static __thread shim_thread* own;
static __thread int own_refused;
static __thread int asking;
static __thread uint32_t outer_launch;
static _Atomic int captures;
static _Atomic uint64_t watched[WATCHED];
static _Atomic uint32_t watched_count;

uint64_t shim_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t shim_thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

shim_thread* calls_threads(void) { return threads; }

int calls_init(void) {
  return (shim_notes.slots != NULL || ring_init(&shim_notes, NOTE_SLOTS, sizeof(shim_note))) &&
         (shim_blocked_calls.slots != NULL || ring_init(&shim_blocked_calls, BLOCKED_SLOTS, sizeof(shim_blocked)));
}

/* For the thread that drains: the slot of a thread that has ended. */
void calls_forget_thread(uint32_t index) {
  atomic_store(&threads[index].call, 0);
  atomic_store(&threads[index].thread, 0);
}

static shim_thread* own_slot(void) {
  if (own != NULL || own_refused) {
    return own;
  }
  uint32_t id = shim_thread_id();
  for (uint32_t i = 0; i < SHIM_MAX_THREADS; i++) {
    uint32_t nobody = 0;
    if (atomic_load_explicit(&threads[i].thread, memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&threads[i].thread, &nobody, id)) {
      own = &threads[i];
      return own;
    }
  }
  own_refused = 1;
  atomic_fetch_add_explicit(&shim_counts.threads_refused, 1, memory_order_relaxed);
  return NULL;
}

shim_thread* calls_own_thread(void) { return own_slot(); }

void calls_asking(int on) { asking = on; }

/* Events whose records are to be told with their handle. */
void calls_watch(uint64_t event) {
  uint64_t hash = (event >> 4) * 0x9E3779B97F4A7C15u >> 32;
  for (uint32_t i = 0; i < 64; i++) {
    _Atomic uint64_t* slot = &watched[(hash + i) & (WATCHED - 1)];
    uint64_t key = 0;
    if (atomic_compare_exchange_strong(slot, &key, event)) {
      atomic_fetch_add(&watched_count, 1);
      return;
    }
    if (key == event) {
      return;
    }
  }
}

static int is_watched(uint64_t event) {
  if (atomic_load_explicit(&watched_count, memory_order_relaxed) == 0) {
    return 0;
  }
  uint64_t hash = (event >> 4) * 0x9E3779B97F4A7C15u >> 32;
  for (uint32_t i = 0; i < 64; i++) {
    uint64_t key = atomic_load_explicit(&watched[(hash + i) & (WATCHED - 1)], memory_order_relaxed);
    if (key == event) {
      return 1;
    }
    if (key == 0) {
      return 0;
    }
  }
  return 0;
}

static void note(uint32_t kind, uint32_t correlation, uint64_t a, uint64_t b, uint64_t c) {
  if (atomic_load_explicit(&shim_drop, memory_order_relaxed)) {
    return;
  }
  shim_note* slot = ring_claim(&shim_notes);
  if (slot == NULL) {
    return;
  }
  slot->kind = kind;
  slot->correlation = correlation;
  slot->time = shim_now();
  slot->a = a;
  slot->b = b;
  slot->c = c;
  slot->thread = own == NULL ? 0 : atomic_load_explicit(&own->thread, memory_order_relaxed);
  ring_publish(slot);
}

static void blocked(int domain, uint32_t id, const cupti_call* call, uint64_t start, uint64_t end) {
  if (!atomic_load_explicit(&shim_stacks, memory_order_relaxed)) {
    return;
  }
  shim_blocked* slot = ring_claim(&shim_blocked_calls);
  if (slot == NULL) {
    return;
  }
  slot->domain = (uint32_t)domain;
  slot->id = id;
  slot->correlation = call->correlation_id;
  slot->thread = shim_thread_id();
  slot->start = start;
  slot->end = end;
  slot->frame_count = 0;
  slot->name_length = 0;
  if (shim_capture_stack != NULL) {
    shim_capture_stack(slot);
  }
  ring_publish(slot);
}

/* The driver says after the call whether its stream belongs to a capture now. */
static void stream_waited(const cupti_call* call) {
  if (atomic_load_explicit(&captures, memory_order_relaxed) <= 0 || driver.stream_is_capturing == NULL) {
    return;
  }
  void* stream;
  memcpy(&stream, call->params, sizeof stream);
  int status = 0;
  asking = 1;
  int code = driver.stream_is_capturing(stream, &status);
  asking = 0;
  if (code == 0 && status != 0) {
    note(NOTE_CAPTURED_WAIT, call->correlation_id, (uint64_t)(uintptr_t)stream, 0, 0);
  }
}

static void on_resource(uint32_t id, const cupti_resource* resource) {
  if (id == CUPTI_RESOURCE_MODULE_UNLOADED) {
    launches_forget_functions();
    return;
  }
  uint32_t context = 0, stream = 0;
  if (cupti.context_id(resource->context, &context) != CUPTI_OK ||
      cupti.stream_id(resource->context, resource->stream, 0, &stream) != CUPTI_OK) {
    return;
  }
  own_slot();
  note(id == CUPTI_RESOURCE_STREAM_CREATED ? NOTE_STREAM_CREATED : NOTE_STREAM_DESTROYED, 0,
       (uint64_t)(uintptr_t)resource->stream, (uint64_t)context << 32 | stream, 0);
}

/* Parameters of the calls as the driver lays them out. */
typedef struct {
  void* function;
  uint32_t sizes[7];
  void* stream;
  void** parameters;
  void** extra;
} launch_parameters;

typedef struct {
  const void* config;
  void* function;
  void** parameters;
  void** extra;
} launch_ex_parameters;

static void on_deep(uint16_t roles, const cupti_call* call) {
  if (roles & ROLE_LAUNCH) {
    const launch_parameters* p = call->params;
    launches_read(call->correlation_id, outer_launch, p->function, p->parameters,
                  roles & ROLE_COOPERATIVE ? NULL : p->extra);
  } else if (roles & ROLE_LAUNCH_EX) {
    const launch_ex_parameters* p = call->params;
    launches_read(call->correlation_id, outer_launch, p->function, p->parameters, p->extra);
  } else if (roles & (ROLE_COPY | ROLE_FILL)) {
    uint64_t words[3];
    memcpy(words, call->params, sizeof words);
    note(roles & ROLE_COPY ? NOTE_COPY : NOTE_FILL, call->correlation_id, words[0], words[1], words[2]);
  }
}

static void on_enter(int domain, uint32_t id, uint16_t roles, const cupti_call* call) {
  if (roles & (ROLE_BLOCKS | ROLE_STACK)) {
    shim_thread* thread = own_slot();
    if (thread != NULL && atomic_load_explicit(&thread->call, memory_order_relaxed) != 0) {
      *call->correlation_data = 0; /* the call around it, of the runtime, is the one that counts */
    } else {
      uint64_t now = shim_now();
      *call->correlation_data = now;
      if (thread != NULL) {
        atomic_store_explicit(&thread->since, now, memory_order_relaxed);
        atomic_store_explicit(&thread->call, (uint32_t)domain << 16 | id, memory_order_release);
      }
    }
  }
  if (roles & ROLE_OUTER_LAUNCH) {
    outer_launch = call->correlation_id;
  }
  if (shim_settings.deep) {
    on_deep(roles, call);
  }
}

static void on_exit_of(int domain, uint32_t id, uint16_t roles, const cupti_call* call) {
  if (roles & (ROLE_BLOCKS | ROLE_STACK)) {
    uint64_t start = *call->correlation_data;
    if (start != 0) {
      uint64_t end = shim_now();
      if (own != NULL) {
        atomic_store_explicit(&own->call, 0, memory_order_release);
      }
      if ((roles & ROLE_STACK) || end - start >= shim_settings.block_ns) {
        blocked(domain, id, call, start, end);
      }
    }
  }
  if (roles & ROLE_OUTER_LAUNCH) {
    outer_launch = 0;
  }
  if (roles & ROLE_STREAM_WAIT) {
    stream_waited(call);
  }
  if (roles & ROLE_CAPTURE_BEGIN) {
    atomic_fetch_add(&captures, 1);
  }
  if (roles & ROLE_CAPTURE_END && atomic_load(&captures) > 0) {
    atomic_fetch_sub(&captures, 1);
  }
  if (roles & ROLE_EVENT_RECORD) {
    uint64_t event;
    memcpy(&event, call->params, sizeof event);
    if (is_watched(event)) {
      note(NOTE_EVENT_RECORD, call->correlation_id, event, 0, 0);
    }
  }
}

void calls_callback(void* user, int domain, uint32_t id, const void* data) {
  (void)user;
  if (domain == CUPTI_DOMAIN_RESOURCE) {
    on_resource(id, data);
    return;
  }
  if ((domain != CUPTI_DOMAIN_DRIVER && domain != CUPTI_DOMAIN_RUNTIME) || id >= SHIM_MAX_CBID) {
    return;
  }
  const cupti_call* call = data;
  uint16_t roles = shim_roles[domain][id];
  if (asking) {
    if (call->site == CUPTI_SITE_ENTER) {
      note(NOTE_OWN_CALL, call->correlation_id, 0, 0, 0);
    }
    return;
  }
  if (call->site == CUPTI_SITE_ENTER) {
    on_enter(domain, id, roles, call);
  } else {
    on_exit_of(domain, id, roles, call);
  }
}
