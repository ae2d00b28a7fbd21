/* Start and stop of a recording. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

shim_config shim_settings;
shim_counters shim_counts;
_Atomic int shim_state;
_Atomic int shim_drop;

/* No call is ever that long. */
static const uint64_t NEVER = INT64_MAX;

static const char INJECTION[] = "CUDA_INJECTION64_PATH";
static char injected[4096];
static void* subscriber;
static int registered;
static int late_start;
static uint8_t enabled[SHIM_MAX_KINDS];

int session_is_late(void) { return late_start; }

int session_prepare(void) {
  atomic_store(&shim_state, SHIM_IDLE);
  return buffers_init() && calls_init() && (!shim_settings.deep || launches_init());
}

/* The driver loads the library that this variable names when it is initialised, and calls InitializeInjection. */
int session_arm(const char* own_path) {
  if (getenv(INJECTION) != NULL) {
    return 0;
  }
  snprintf(injected, sizeof injected, "%s", own_path);
  atomic_store(&shim_state, SHIM_ARMED);
  return setenv(INJECTION, injected, 1) == 0;
}

static void disarm(void) {
  const char* value = getenv(INJECTION);
  if (value != NULL && injected[0] != 0 && strcmp(value, injected) == 0) {
    unsetenv(INJECTION);
  }
}

static int failed(const char* what, int code) {
  const char* words = NULL;
  if (cupti.get_result_string != NULL) {
    cupti.get_result_string(code, &words);
  }
  if (code == CUPTI_MULTIPLE_SUBSCRIBERS) {
    library_say("CUPTI is in use by another profiler in this process (%s: %s)\n", what, words == NULL ? "39" : words);
  } else {
    library_say("%s: error %d %s\n", what, code, words == NULL ? "" : words);
  }
  return code;
}

static void set_attribute(int attribute, uint64_t value) {
  if (value > 0) {
    size_t size = sizeof(size_t);
    size_t bytes = (size_t)value;
    cupti.set_attribute(attribute, &size, &bytes);
  }
}

static void enable_callbacks(uint32_t on) {
  for (int domain = CUPTI_DOMAIN_DRIVER; domain <= CUPTI_DOMAIN_RUNTIME; domain++) {
    for (uint32_t id = 1; id < SHIM_MAX_CBID; id++) {
      uint16_t roles = shim_roles[domain][id];
      if (roles != 0) {
        cupti.enable_callback(on, subscriber, domain, id);
      }
    }
  }
  cupti.enable_callback(on, subscriber, CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_STREAM_CREATED);
  cupti.enable_callback(on, subscriber, CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_STREAM_DESTROYED);
  if (shim_settings.deep) {
    cupti.enable_callback(on, subscriber, CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_MODULE_UNLOADED);
  }
}

static int enable_kinds(void) {
  int any = 0;
  for (int i = 0; i < shim_settings.kind_count; i++) {
    int kind = shim_settings.kinds[i];
    int dumps = kind == CUPTI_KIND_STREAM || kind == CUPTI_KIND_CONTEXT;
    int code = late_start && dumps && cupti.enable_and_dump != NULL ? cupti.enable_and_dump(kind) : cupti.enable(kind);
    enabled[i] = code == CUPTI_OK;
    any |= enabled[i];
    if (code != CUPTI_OK) {
      failed("kind", code);
    }
  }
  return any;
}

static int start(void) {
  int code = library_load();
  if (code != CUPTI_OK) {
    return code;
  }
  roles_assign();
  code = cupti.subscribe(&subscriber, calls_callback, NULL);
  if (code != CUPTI_OK) {
    subscriber = NULL;
    return failed("cuptiSubscribe", code);
  }
  if (cupti.set_thread_id_type != NULL) {
    cupti.set_thread_id_type(CUPTI_THREAD_ID_SYSTEM);
  }
  size_t size = sizeof(uint8_t);
  uint8_t yes = 1;
  cupti.set_attribute(CUPTI_ATTRIBUTE_ZEROED_OUT_BUFFER, &size, &yes);
  set_attribute(CUPTI_ATTRIBUTE_DEVICE_BUFFER_SIZE, shim_settings.device_buffer_bytes);
  set_attribute(CUPTI_ATTRIBUTE_DEVICE_BUFFER_POOL_LIMIT, shim_settings.device_buffer_limit);
  if (!registered) {
    if (shim_settings.monotonic && cupti.register_timestamp != NULL) {
      cupti.register_timestamp(shim_now);
    }
    code = cupti.register_callbacks(buffers_request, buffers_complete);
    if (code != CUPTI_OK) {
      cupti.unsubscribe(subscriber);
      subscriber = NULL;
      return failed("cuptiActivityRegisterCallbacks", code);
    }
    registered = 1;
  }
  if (cupti.all_sync_records != NULL) {
    cupti.all_sync_records(1);
  }
  atomic_store(&shim_drop, 0);
  atomic_store(&shim_stacks, shim_capture_stack != NULL && (shim_settings.block_ns != NEVER || shim_settings.stacks != 0));
  enable_callbacks(1);
  if (!enable_kinds()) {
    enable_callbacks(0);
    cupti.unsubscribe(subscriber);
    subscriber = NULL;
    return CUPTI_NOT_INITIALIZED;
  }
  return CUPTI_OK;
}

/* One starts; whoever comes second finds another state. */
int session_start(int late) {
  int was = atomic_load(&shim_state);
  if (was == SHIM_STARTING || was == SHIM_RUNNING || !atomic_compare_exchange_strong(&shim_state, &was, SHIM_STARTING)) {
    return -3;
  }
  late_start = late;
  disarm();
  int code = start();
  atomic_store(&shim_state, code == CUPTI_OK ? SHIM_RUNNING : SHIM_REFUSED);
  return code;
}

/* Called by the driver in cuInit, on the program's thread. */
__attribute__((visibility("default"))) int InitializeInjection(void) {
  if (atomic_load(&shim_state) == SHIM_ARMED) {
    session_start(0);
  }
  return 1;
}

int session_flush(int forced) {
  if (cupti.flush_all == NULL) {
    return CUPTI_NOT_INITIALIZED;
  }
  int code = cupti.flush_all((uint32_t)forced);
  buffers_count_dropped();
  return code;
}

/* Disables everything and leaves CUPTI dormant. Flushing, draining and the drop switch are the caller's. */
void session_stop(void) {
  atomic_store(&shim_stacks, 0);
  disarm();
  int running = SHIM_RUNNING;
  if (!atomic_compare_exchange_strong(&shim_state, &running, SHIM_STOPPED)) {
    int armed = SHIM_ARMED;
    atomic_compare_exchange_strong(&shim_state, &armed, SHIM_IDLE);
    return;
  }
  for (int i = 0; i < shim_settings.kind_count; i++) {
    if (enabled[i]) {
      cupti.disable(shim_settings.kinds[i]);
      enabled[i] = 0;
    }
  }
  if (subscriber != NULL) {
    enable_callbacks(0);
    cupti.unsubscribe(subscriber);
    subscriber = NULL;
  }
}
