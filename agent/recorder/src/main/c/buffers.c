/*
 * Activity buffers: a pool of zeroed memory, handed out and taken back on whatever thread CUPTI calls from, without a
 * lock; and the names of kernels, copied when a buffer comes back, since they live only as long as their module.
 */
#include <string.h>

#include "shim.h"

enum { NAME_SLOTS = 1 << 16, NAME_BYTES = 16 << 20, MIN_RECORD = 24 };

ring shim_completed;

static uint8_t* memory;
static uint32_t* offsets;
static uint32_t max_records;

/* Free buffers: a stack of indices; the upper half of its top counts changes. */
static _Atomic uint64_t free_top;
static _Atomic uint32_t* free_next;

typedef struct {
  _Atomic uint64_t pointer; /* 0: free */
  _Atomic uint32_t at;      /* 0: being written; else 1 + where its text begins */
} name_slot;

static name_slot* names;
static char* texts;
static _Atomic uint32_t texts_used;

static void push_free(uint32_t index) {
  uint64_t top = atomic_load_explicit(&free_top, memory_order_relaxed);
  uint64_t changed;
  do {
    atomic_store_explicit(&free_next[index], (uint32_t)top, memory_order_relaxed);
    changed = ((top >> 32) + 1) << 32 | (index + 1);
  } while (!atomic_compare_exchange_weak_explicit(&free_top, &top, changed, memory_order_release,
                                                  memory_order_relaxed));
}

/* An index, or -1. */
static int64_t pop_free(void) {
  uint64_t top = atomic_load_explicit(&free_top, memory_order_acquire);
  uint64_t changed;
  do {
    uint32_t index = (uint32_t)top;
    if (index == 0) {
      return -1;
    }
    uint32_t next = atomic_load_explicit(&free_next[index - 1], memory_order_relaxed);
    changed = ((top >> 32) + 1) << 32 | next;
  } while (!atomic_compare_exchange_weak_explicit(&free_top, &top, changed, memory_order_acquire,
                                                  memory_order_acquire));
  return (int64_t)(uint32_t)top - 1;
}

int buffers_init(void) {
  if (memory != NULL) {
    return 1;
  }
  uint32_t count = shim_settings.buffer_count;
  uint64_t capacity = 1;
  while (capacity < count) {
    capacity *= 2;
  }
  max_records = shim_settings.buffer_bytes / MIN_RECORD;
  offsets = pages((size_t)count * max_records * sizeof *offsets);
  free_next = pages((size_t)count * sizeof *free_next);
  names = pages(NAME_SLOTS * sizeof *names);
  texts = pages(NAME_BYTES);
  uint8_t* pool = pages((size_t)count * shim_settings.buffer_bytes);
  if (offsets == NULL || free_next == NULL || names == NULL || texts == NULL || pool == NULL ||
      !ring_init(&shim_completed, capacity, sizeof(shim_buffer))) {
    return 0;
  }
  for (uint32_t i = count; i > 0; i--) {
    push_free(i - 1);
  }
  memory = pool;
  return 1;
}

uint8_t* buffers_memory(void) { return memory; }
uint32_t* buffers_offsets(void) { return offsets; }
uint32_t buffers_max_records(void) { return max_records; }

void buffers_request(uint8_t** buffer, size_t* size, size_t* max) {
  *max = 0;
  int64_t index = atomic_load_explicit(&shim_drop, memory_order_relaxed) == SHIM_REFUSE ? -1 : pop_free();
  if (index < 0) {
    *buffer = NULL;
    *size = 0;
    atomic_fetch_add_explicit(&shim_counts.requests_refused, 1, memory_order_relaxed);
    return;
  }
  *buffer = memory + (size_t)index * shim_settings.buffer_bytes;
  *size = shim_settings.buffer_bytes;
  atomic_fetch_add_explicit(&shim_counts.buffers_requested, 1, memory_order_relaxed);
  uint64_t in_flight = atomic_fetch_add_explicit(&shim_counts.in_flight, 1, memory_order_relaxed) + 1;
  uint64_t most = atomic_load_explicit(&shim_counts.most_in_flight, memory_order_relaxed);
  while (in_flight > most && !atomic_compare_exchange_weak_explicit(&shim_counts.most_in_flight, &most, in_flight,
                                                                    memory_order_relaxed, memory_order_relaxed)) {
  }
}

void buffers_release(uint32_t index) {
  memset(memory + (size_t)index * shim_settings.buffer_bytes, 0, shim_settings.buffer_bytes);
  atomic_fetch_sub_explicit(&shim_counts.in_flight, 1, memory_order_relaxed);
  push_free(index);
}

const char* buffers_name(uint32_t id) { return id == 0 || id > NAME_BYTES ? NULL : texts + id - 1; }

/* 1 + where the copy of a name begins; 0 if there is no room. */
static uint32_t name_id(const char* name) {
  uint64_t pointer = (uint64_t)(uintptr_t)name;
  uint64_t hash = (pointer >> 3) * 0x9E3779B97F4A7C15u;
  for (uint32_t i = 0; i < NAME_SLOTS; i++) {
    name_slot* slot = &names[((hash >> 40) + i) & (NAME_SLOTS - 1)];
    uint64_t key = atomic_load_explicit(&slot->pointer, memory_order_acquire);
    if (key == 0) {
      if (!atomic_compare_exchange_strong(&slot->pointer, &key, pointer)) {
        if (key != pointer) {
          continue;
        }
      } else {
        size_t length = strlen(name) + 1;
        uint32_t at = atomic_load_explicit(&texts_used, memory_order_relaxed);
        do {
          if (length > NAME_BYTES - at) {
            atomic_fetch_add_explicit(&shim_counts.names_refused, 1, memory_order_relaxed);
            return 0;
          }
        } while (!atomic_compare_exchange_weak(&texts_used, &at, at + (uint32_t)length));
        memcpy(texts + at, name, length);
        atomic_store_explicit(&slot->at, at + 1, memory_order_release);
        atomic_fetch_add_explicit(&shim_counts.names, 1, memory_order_relaxed);
        return at + 1;
      }
    }
    if (key == pointer) {
      uint32_t at = atomic_load_explicit(&slot->at, memory_order_acquire);
      /* The same place may hold another name once a module is gone: then the next slot is looked at. */
      if (at != 0 && strcmp(texts + at - 1, name) == 0) {
        return at;
      }
    }
  }
  atomic_fetch_add_explicit(&shim_counts.names_refused, 1, memory_order_relaxed);
  return 0;
}

/* CUPTI tells how many records it dropped since it was asked last. */
void buffers_count_dropped(void) {
  size_t lost = 0;
  if (cupti.dropped_records(NULL, 0, &lost) == CUPTI_OK && lost > 0) {
    atomic_fetch_add_explicit(&shim_counts.cupti_dropped, lost, memory_order_relaxed);
  }
}

/* Writes down where the records lie, and puts ids of names in the place of pointers to them. */
static uint32_t index_records(uint32_t index, uint8_t* buffer, size_t valid) {
  uint32_t* into = offsets + (size_t)index * max_records;
  uint32_t count = 0;
  void* record = NULL;
  while (count < max_records && cupti.next_record(buffer, valid, &record) == CUPTI_OK) {
    size_t offset = (size_t)((uint8_t*)record - buffer);
    into[count++] = (uint32_t)offset;
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    int kernel = kind == CUPTI_KIND_CONCURRENT_KERNEL || kind == CUPTI_KIND_KERNEL;
    if (kernel || kind == CUPTI_KIND_DEVICE) {
      uint8_t* at = (uint8_t*)record + (kernel ? shim_settings.kernel_name_offset : shim_settings.device_name_offset);
      const char* name;
      memcpy(&name, at, sizeof name);
      uint64_t id = name == NULL ? 0 : name_id(name);
      memcpy(at, &id, sizeof id);
    }
  }
  return count;
}

void buffers_complete(void* context, uint32_t stream, uint8_t* buffer, size_t size, size_t valid) {
  (void)context;
  (void)stream;
  (void)size;
  if (buffer == NULL) {
    return;
  }
  uint32_t index = (uint32_t)((size_t)(buffer - memory) / shim_settings.buffer_bytes);
  atomic_fetch_add_explicit(&shim_counts.buffers_completed, 1, memory_order_relaxed);
  if (valid == 0) {
    buffers_release(index);
    return;
  }
  if (atomic_load_explicit(&shim_drop, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&shim_counts.buffers_dropped, 1, memory_order_relaxed);
    buffers_release(index);
    return;
  }
  uint32_t records = index_records(index, buffer, valid);
  atomic_fetch_add_explicit(&shim_counts.records, records, memory_order_relaxed);
  buffers_count_dropped();
  /* There are as many slots as buffers. */
  shim_buffer* slot = ring_claim(&shim_completed);
  if (slot == NULL) {
    atomic_fetch_add_explicit(&shim_counts.buffers_dropped, 1, memory_order_relaxed);
    buffers_release(index);
    return;
  }
  slot->buffer = index;
  slot->records = records;
  slot->valid = valid;
  ring_publish(slot);
}
