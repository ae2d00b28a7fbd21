/*
 * A stand-in for the driver and for CUPTI, for machines without a GPU: libcuda.so.1 plays a program's calls, and
 * libcupti.so.13 makes of them what CUPTI makes: callbacks on the calling thread and records in activity buffers,
 * asked for on application threads under one lock and given back by a worker thread or by a flush.
 *
 * Environment, read when a library is first used:
 *   STANDIN_CUPTI_VERSION   what cuptiGetVersion says (130001)
 *   STANDIN_DRIVER_VERSION  what cuDriverGetVersion says (13000)
 *   STANDIN_SUBSCRIBE       code that cuptiSubscribe returns (0); 39 = another client
 *   STANDIN_FLUSH_HANGS     1: a forced flush never returns
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>
#include <stdint.h>

/* What the stand-in CUPTI gives to the stand-in driver once it is loaded. */
typedef struct {
  /* A call of an API on this thread: begins and ends it, its record included; returns its correlation id. */
  uint32_t (*enter)(int domain, uint32_t id, const char* name, const void* params, uint64_t* cookie);
  void (*exit)(int domain, uint32_t id, const char* name, const void* params, uint64_t* cookie, uint32_t correlation,
               uint32_t result);
  /* A record of a kind, if that is enabled. */
  void (*emit)(int kind, const void* record, size_t size);
  void (*resource)(uint32_t id, void* stream);
  uint64_t (*now)(void);
} standin_hooks;

/* libcuda.so.1 */
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
void standin_set_hooks(const standin_hooks* hooks);
uint32_t standin_context(void);

/* Calls of a program; streams and events are small numbers, correlation ids are returned. */
uint32_t play_stream_create(uint32_t stream, int non_blocking);
uint32_t play_stream_destroy(uint32_t stream);
uint32_t play_launch(uint32_t stream, const char* kernel, uint64_t duration_ns);
uint32_t play_record(uint32_t event, uint32_t stream);
uint32_t play_wait(uint32_t stream, uint32_t event);
/* The host stands still for so long. */
uint32_t play_stream_synchronize(uint32_t stream, uint64_t hold_ns);
uint32_t play_copy(uint64_t to, uint64_t from, uint64_t bytes, uint64_t hold_ns);
void play_capture(uint32_t stream, int begin);
uint32_t play_malloc(uint64_t address, uint64_t bytes);
uint32_t play_free(uint64_t address);
/* Native threads, each making so many launches on a stream of its own. */
void play_threads(int threads, int launches);
/* A call that never returns, and work that never ends. */
void play_hang(uint32_t stream);

#endif
