/*
 * A bounded queue of slots of one size for many producers and many consumers (after Dmitry Vyukov): nobody waits, a
 * full queue refuses. A slot is claimed, filled and published; or taken, read and released.
 */
#ifndef EDDYLINE_RING_H
#define EDDYLINE_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  _Alignas(64) _Atomic uint64_t head; /* next to fill */
  _Alignas(64) _Atomic uint64_t tail; /* next to read */
  _Alignas(64) _Atomic uint64_t refused;
  uint64_t mask;
  size_t stride;
  unsigned char* slots;
} ring;

/* capacity: a power of two. False where there is no memory. */
int ring_init(ring* r, uint64_t capacity, size_t payload);
/* Forgets what is in it; for when nobody uses it. */
void ring_clear(ring* r);
/* A slot to fill, or NULL if the ring is full: then that is counted. */
void* ring_claim(ring* r);
void ring_publish(void* payload);
/* The oldest filled slot, or NULL if there is none. */
void* ring_take(ring* r);
void ring_release(ring* r, void* payload);

/* Memory of anonymous pages, zero, touched only when used; NULL where there is none. */
void* pages(size_t bytes);

#endif
