/*
 * The shim on the stand-in, without a JVM, for the sanitizers. Argument: the stand-in for CUPTI. Prints what failed;
 * each test runs in a process of its own, since a process has one recording.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../main/c/shim.h"
#include "standin.h"

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);    \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

enum { KERNEL_NAME = 104, DEVICE_NAME = 136, LAUNCHES = 3000, THREADS = 4 };

static const char* cupti_path;
static _Atomic int draining;
static _Atomic uint64_t kernels, records, blocked_calls, captured, words;

static void prepare(uint32_t buffer_bytes, uint32_t buffers) {
  static const int KINDS[] = {1, 4, 5, 10, 36, 37, 38, 39, 49};
  static char places[4096];
  snprintf(places, sizeof places, "/nowhere/libcupti.so.13\n%s\n", cupti_path);
  shim_settings.buffer_bytes = buffer_bytes;
  shim_settings.buffer_count = buffers;
  shim_settings.block_ns = 500000;
  shim_settings.kernel_name_offset = KERNEL_NAME;
  shim_settings.device_name_offset = DEVICE_NAME;
  shim_settings.monotonic = 1;
  shim_settings.places = places;
  shim_settings.kind_count = sizeof KINDS / sizeof *KINDS;
  memcpy(shim_settings.kinds, KINDS, sizeof KINDS);
  CHECK(session_prepare());
}

static void take_buffers(void) {
  for (shim_buffer* full = ring_take(&shim_completed); full != NULL; full = ring_take(&shim_completed)) {
    shim_buffer taken = *full;
    ring_release(&shim_completed, full);
    const uint32_t* offsets = buffers_offsets() + (size_t)taken.buffer * buffers_max_records();
    const uint8_t* bytes = buffers_memory() + (size_t)taken.buffer * shim_settings.buffer_bytes;
    for (uint32_t i = 0; i < taken.records; i++) {
      uint32_t kind;
      memcpy(&kind, bytes + offsets[i], sizeof kind);
      if (kind == CUPTI_KIND_CONCURRENT_KERNEL) {
        uint64_t name;
        memcpy(&name, bytes + offsets[i] + KERNEL_NAME, sizeof name);
        CHECK(buffers_name((uint32_t)name) != NULL && strstr(buffers_name((uint32_t)name), "kernel") != NULL);
        kernels++;
      }
      records++;
    }
    buffers_release(taken.buffer);
  }
}

static void take_rest(void) {
  for (shim_note* note = ring_take(&shim_notes); note != NULL; note = ring_take(&shim_notes)) {
    captured += note->kind == NOTE_CAPTURED_WAIT;
    ring_release(&shim_notes, note);
  }
  for (shim_blocked* call = ring_take(&shim_blocked_calls); call != NULL; call = ring_take(&shim_blocked_calls)) {
    CHECK(call->end - call->start >= shim_settings.block_ns);
    blocked_calls++;
    ring_release(&shim_blocked_calls, call);
  }
  for (int i = 0; i < SHIM_MAX_THREADS; i++) {
    shim_thread* thread = &calls_threads()[i];
    if (!atomic_load(&thread->has_ring)) {
      continue;
    }
    for (shim_launch* launch = ring_take(&thread->launches); launch != NULL; launch = ring_take(&thread->launches)) {
      words += launch->count;
      ring_release(&thread->launches, launch);
    }
  }
}

static void* drain(void* unused) {
  (void)unused;
  while (draining) {
    take_buffers();
    take_rest();
    usleep(200);
  }
  return NULL;
}

static void* flush(void* unused) {
  (void)unused;
  while (draining) {
    session_flush(0);
    usleep(5000);
  }
  return NULL;
}

static void run(void (*program)(void)) {
  pthread_t drainer, flusher;
  CHECK(session_start(0) == CUPTI_OK);
  draining = 1;
  pthread_create(&drainer, NULL, drain, NULL);
  pthread_create(&flusher, NULL, flush, NULL);
  program();
  session_stop();
  draining = 0;
  pthread_join(flusher, NULL);
  pthread_join(drainer, NULL);
  CHECK(session_flush(0) == CUPTI_OK);
  take_buffers();
  take_rest();
}

static void launch_from_threads(void) { play_threads(THREADS, LAUNCHES); }

static void every_launch_is_delivered(void) {
  prepare(16 << 10, 256);
  run(launch_from_threads);
  CHECK(kernels == THREADS * LAUNCHES);
  CHECK(shim_counts.records == records);
  CHECK(shim_counts.cupti_dropped == 0 && shim_counts.in_flight == 0);
}

static void what_finds_no_buffer_is_counted(void) {
  prepare(4096, 2);
  CHECK(session_start(0) == CUPTI_OK);
  play_threads(THREADS, LAUNCHES);
  session_stop();
  session_flush(0);
  take_buffers();
  CHECK(shim_counts.requests_refused > 0 && kernels > 0);
  /* Each launch makes three records: of the runtime, the driver, the kernel. */
  CHECK(records + shim_counts.cupti_dropped == THREADS * LAUNCHES * 3);
}

static void launch_deep(void) { play_threads(THREADS, 500); }

static void words_of_parameters_are_read(void) {
  shim_settings.deep = 1;
  prepare(16 << 10, 256);
  run(launch_deep);
  CHECK(shim_counts.launches_read + shim_counts.launches_refused == THREADS * 500);
  CHECK(words == shim_counts.launches_read * 4);
}

static void* block(void* stream) {
  for (int i = 0; i < 10; i++) {
    play_stream_synchronize((uint32_t)(uintptr_t)stream, 1000000);
    play_stream_synchronize((uint32_t)(uintptr_t)stream, 0);
  }
  return NULL;
}

static void block_and_capture(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, block, (void*)(uintptr_t)(20 + i));
  }
  play_capture(1, 1);
  play_record(5, 1);
  play_wait(2, 5);
  play_capture(1, 0);
  play_record(6, 1);
  play_wait(2, 6);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void note_stack(shim_blocked* into) { into->frame_count = 1; }

static void calls_that_block_and_waits_in_captures_are_noted(void) {
  shim_capture_stack = note_stack;
  prepare(16 << 10, 256);
  run(block_and_capture);
  CHECK(blocked_calls >= THREADS * 10 && blocked_calls < THREADS * 20);
  CHECK(captured == 1);
}

static void another_client_is_told(void) {
  setenv("STANDIN_SUBSCRIBE", "39", 1);
  prepare(16 << 10, 4);
  CHECK(session_start(0) == CUPTI_MULTIPLE_SUBSCRIBERS);
  CHECK(strstr(library_report(), "in use by another profiler") != NULL);
  CHECK(shim_state == SHIM_REFUSED);
}

static void a_wrong_version_is_told_with_all_places(void) {
  setenv("STANDIN_DRIVER_VERSION", "12080", 1);
  prepare(16 << 10, 4);
  CHECK(session_start(0) != CUPTI_OK);
  CHECK(strstr(library_report(), "/nowhere/libcupti.so.13: not there") != NULL);
  CHECK(strstr(library_report(), "is for CUDA 13, the driver for 12") != NULL);
}

static void nothing(void) {}

static void it_starts_again_after_a_stop(void) {
  prepare(16 << 10, 256);
  run(nothing);
  CHECK(session_prepare());
  run(launch_from_threads);
  CHECK(kernels == THREADS * LAUNCHES);
}

static void buffers_after_the_drop_switch_are_refused(void) {
  prepare(16 << 10, 256);
  CHECK(session_start(0) == CUPTI_OK);
  play_launch(1, "kernel", 1);
  atomic_store(&shim_drop, SHIM_REFUSE);
  play_threads(THREADS, 500);
  session_flush(0);
  CHECK(shim_counts.buffers_dropped == 1 && shim_counts.in_flight == 0);
  CHECK(ring_take(&shim_completed) == NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} TESTS[] = {
    {"every launch is delivered", every_launch_is_delivered},
    {"what finds no buffer is counted", what_finds_no_buffer_is_counted},
    {"words of parameters are read", words_of_parameters_are_read},
    {"calls that block and waits in captures are noted", calls_that_block_and_waits_in_captures_are_noted},
    {"another client is told", another_client_is_told},
    {"a wrong version is told with all places", a_wrong_version_is_told_with_all_places},
    {"it starts again after a stop", it_starts_again_after_a_stop},
    {"buffers after the drop switch are refused", buffers_after_the_drop_switch_are_refused},
};

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  cupti_path = arguments[1];
  int failed = 0;
  for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      TESTS[i].run();
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) {
      printf("failed: %s (status %d)\n", TESTS[i].name, status);
      failed = 1;
    }
  }
  printf("%s\n", failed ? "FAILED" : "passed");
  return failed;
}
