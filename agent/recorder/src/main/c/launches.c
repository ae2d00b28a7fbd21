/* Deep mode: every aligned 8-byte word of every parameter of a launch, without an allocation or a lock. */
#include <string.h>

#include "shim.h"

enum { FUNCTION_SLOTS = 1 << 13, MAX_PARAMETERS = 64, LAUNCH_SLOTS = 1 << 12 };

/* Where the parameters of a function lie; written once, by whoever claimed the slot. */
typedef struct {
  _Atomic uint64_t function; /* 0: free */
  _Atomic uint32_t state;    /* generation of modules << 1 | 1 when it can be read */
  uint32_t count;
  uint16_t sizes[MAX_PARAMETERS];
} layout;

static layout* layouts;
static _Atomic uint32_t generation;

/* A function's address may be another function's once a module was unloaded. */
void launches_forget_functions(void) { atomic_fetch_add(&generation, 1); }

int launches_init(void) {
  if (layouts == NULL) {
    layouts = pages(FUNCTION_SLOTS * sizeof *layouts);
  }
  return layouts != NULL;
}

static void ask(layout* into, void* function) {
  uint32_t count = 0;
  for (; count < MAX_PARAMETERS; count++) {
    size_t offset = 0, size = 0;
    int code = driver.function_parameter == NULL ? -1 : driver.function_parameter(function, count, &offset, &size);
    if (code != 0 && driver.kernel_parameter != NULL) {
      code = driver.kernel_parameter(function, count, &offset, &size);
    }
    if (code != 0) {
      break;
    }
    into->sizes[count] = size > UINT16_MAX ? UINT16_MAX : (uint16_t)size;
  }
  into->count = count;
}

static const layout* layout_of(void* function) {
  uint64_t key = (uint64_t)(uintptr_t)function;
  uint32_t now = atomic_load_explicit(&generation, memory_order_acquire) << 1 | 1;
  uint64_t hash = (key >> 4) * 0x9E3779B97F4A7C15u >> 32;
  for (uint32_t i = 0; i < FUNCTION_SLOTS; i++) {
    layout* slot = &layouts[(hash + i) & (FUNCTION_SLOTS - 1)];
    uint64_t found = atomic_load_explicit(&slot->function, memory_order_acquire);
    if (found == 0 && atomic_compare_exchange_strong(&slot->function, &found, key)) {
      ask(slot, function);
      atomic_store_explicit(&slot->state, now, memory_order_release);
      return slot;
    }
    if (found == key) {
      /* Of an older generation, or being written: it is left alone, and the next one is looked at. */
      if (atomic_load_explicit(&slot->state, memory_order_acquire) == now) {
        return slot;
      }
    }
  }
  return NULL;
}

static ring* ring_of_thread(shim_thread* thread) {
  if (thread->launches.slots == NULL && !ring_init(&thread->launches, LAUNCH_SLOTS, sizeof(shim_launch))) {
    return NULL;
  }
  atomic_store_explicit(&thread->has_ring, 1, memory_order_release);
  return &thread->launches;
}

/* The aligned 8-byte words of a value behind those that are there. */
static uint32_t copy_words(shim_launch* launch, uint32_t words, const char* value, size_t size) {
  for (size_t at = 0; at + 8 <= size && words < SHIM_MAX_WORDS; at += 8) {
    memcpy(&launch->words[words++], value + at, 8);
  }
  return words;
}

/* The other way of a launch: all parameters in one buffer, as a list of what and where. */
static uint32_t copy_buffer(shim_launch* launch, void** extra) {
  const char* buffer = NULL;
  size_t size = 0;
  for (int i = 0; i < CUDA_MAX_EXTRA && extra[i] != (void*)CUDA_EXTRA_END; i += 2) {
    if (extra[i] == (void*)CUDA_EXTRA_BUFFER) {
      buffer = extra[i + 1];
    } else if (extra[i] == (void*)CUDA_EXTRA_SIZE) {
      memcpy(&size, extra[i + 1], sizeof size);
    }
  }
  return buffer == NULL ? 0 : copy_words(launch, 0, buffer, size);
}

void launches_read(uint32_t correlation, uint32_t outer, void* function, void** parameters, void** extra) {
  shim_thread* thread = calls_own_thread();
  if (thread == NULL || atomic_load_explicit(&shim_drop, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&shim_counts.launches_refused, 1, memory_order_relaxed);
    return;
  }
  const layout* known = parameters == NULL ? NULL : layout_of(function);
  ring* into = parameters != NULL && known == NULL ? NULL : ring_of_thread(thread);
  shim_launch* launch = into == NULL ? NULL : ring_claim(into);
  if (launch == NULL) {
    atomic_fetch_add_explicit(&shim_counts.launches_refused, 1, memory_order_relaxed);
    return;
  }
  uint32_t words = 0;
  if (known != NULL) {
    for (uint32_t i = 0; i < known->count; i++) {
      words = copy_words(launch, words, parameters[i], known->sizes[i]);
    }
  } else if (extra != NULL) {
    words = copy_buffer(launch, extra);
  }
  launch->correlation = correlation;
  launch->outer = outer;
  launch->time = shim_now();
  launch->count = words;
  ring_publish(launch);
  atomic_fetch_add_explicit(&shim_counts.launches_read, 1, memory_order_relaxed);
}
