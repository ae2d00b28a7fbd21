#define _GNU_SOURCE
#include "ring.h"

#include <sys/mman.h>

/* Before each payload: the turn of the slot, as in Vyukov's queue. */
typedef struct {
  _Atomic uint64_t turn;
} slot_header;

static slot_header* header_at(ring* r, uint64_t position) {
  return (slot_header*)(r->slots + (position & r->mask) * r->stride);
}

static slot_header* header_of(void* payload) { return (slot_header*)payload - 1; }

void* pages(size_t bytes) {
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int ring_init(ring* r, uint64_t capacity, size_t payload) {
  r->stride = (sizeof(slot_header) + payload + 63) / 64 * 64;
  r->mask = capacity - 1;
  r->slots = pages(capacity * r->stride);
  if (r->slots == NULL) {
    return 0;
  }
  ring_clear(r);
  return 1;
}

void ring_clear(ring* r) {
  for (uint64_t i = 0; i <= r->mask; i++) {
    atomic_store_explicit(&header_at(r, i)->turn, i, memory_order_relaxed);
  }
  atomic_store(&r->refused, 0);
  atomic_store(&r->tail, 0);
  atomic_store(&r->head, 0);
}

void* ring_claim(ring* r) {
  uint64_t position = atomic_load_explicit(&r->head, memory_order_relaxed);
  for (;;) {
    slot_header* slot = header_at(r, position);
    int64_t ahead = (int64_t)(atomic_load_explicit(&slot->turn, memory_order_acquire) - position);
    if (ahead == 0) {
      if (atomic_compare_exchange_weak_explicit(&r->head, &position, position + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
        return slot + 1;
      }
    } else if (ahead < 0) {
      atomic_fetch_add_explicit(&r->refused, 1, memory_order_relaxed);
      return NULL;
    } else {
      position = atomic_load_explicit(&r->head, memory_order_relaxed);
    }
  }
}

void ring_publish(void* payload) {
  /* The claimer alone may change the turn until it is published. */
  slot_header* slot = header_of(payload);
  uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
  atomic_store_explicit(&slot->turn, turn + 1, memory_order_release);
}

void* ring_take(ring* r) {
  uint64_t position = atomic_load_explicit(&r->tail, memory_order_relaxed);
  for (;;) {
    slot_header* slot = header_at(r, position);
    int64_t ahead = (int64_t)(atomic_load_explicit(&slot->turn, memory_order_acquire) - (position + 1));
    if (ahead == 0) {
      if (atomic_compare_exchange_weak_explicit(&r->tail, &position, position + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
        return slot + 1;
      }
    } else if (ahead < 0) {
      return NULL;
    } else {
      position = atomic_load_explicit(&r->tail, memory_order_relaxed);
    }
  }
}

void ring_release(ring* r, void* payload) {
  slot_header* slot = header_of(payload);
  uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
  atomic_store_explicit(&slot->turn, turn + r->mask, memory_order_release);
}
