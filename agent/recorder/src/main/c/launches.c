/* Deep mode: every aligned 8-byte word of every parameter of a launch, without an allocation or a lock. */
#include <string.h>

#include "shim.h"

enum { FUNCTION_SLOTS = 1 << 13, MAX_PARAMETERS = 64, LAUNCH_SLOTS = 1 << 9 };

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

void launches_read(uint32_t correlation, void* function, void** parameters) {
  shim_thread* thread = calls_own_thread();
  if (thread == NULL || parameters == NULL || atomic_load_explicit(&shim_drop, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&shim_counts.launches_refused, 1, memory_order_relaxed);
    return;
  }
  const layout* known = layout_of(function);
  ring* into = known == NULL ? NULL : ring_of_thread(thread);
  shim_launch* launch = into == NULL ? NULL : ring_claim(into);
  if (launch == NULL) {
    atomic_fetch_add_explicit(&shim_counts.launches_refused, 1, memory_order_relaxed);
    return;
  }
  uint32_t words = 0;
  for (uint32_t i = 0; i < known->count; i++) {
    const char* value = parameters[i];
    for (uint32_t at = 0; at + 8 <= known->sizes[i] && words < SHIM_MAX_WORDS; at += 8) {
      memcpy(&launch->words[words++], value + at, 8);
    }
  }
  launch->correlation = correlation;
  launch->count = words;
  ring_publish(launch);
  atomic_fetch_add_explicit(&shim_counts.launches_read, 1, memory_order_relaxed);
}
