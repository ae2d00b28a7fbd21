/*
 * A client of CUPTI that enables the recorder's kinds and throws every buffer away: what launches cost then is CUPTI's
 * own. For CUDA_INJECTION64_PATH; DISCARD_CUPTI names the library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 128 << 10, COUNT = 512 };

static unsigned char* pool;
static _Atomic unsigned next;

static void request(unsigned char** buffer, size_t* size, size_t* most) {
  *buffer = pool + (size_t)(atomic_fetch_add(&next, 1) % COUNT) * SIZE;
  *size = SIZE;
  *most = 0;
}

static void complete(void* context, unsigned stream, unsigned char* buffer, size_t size, size_t valid) {
  (void)context;
  (void)stream;
  (void)valid;
  memset(buffer, 0, size);
}

__attribute__((visibility("default"))) int InitializeInjection(void) {
  void* cupti = dlopen(getenv("DISCARD_CUPTI"), RTLD_NOW);
  if (cupti == NULL) {
    fprintf(stderr, "discard: %s\n", dlerror());
    return 1;
  }
  pool = calloc(COUNT, SIZE);
  int (*attribute)(int, size_t*, void*);
  int (*callbacks)(void*, void*);
  int (*enable)(int);
  int (*thread_ids)(int);
  *(void**)&attribute = dlsym(cupti, "cuptiActivitySetAttribute");
  *(void**)&callbacks = dlsym(cupti, "cuptiActivityRegisterCallbacks");
  *(void**)&enable = dlsym(cupti, "cuptiActivityEnable");
  *(void**)&thread_ids = dlsym(cupti, "cuptiSetThreadIdType");
  static const int KINDS[] = {8, 9, 37, 5, 4, 10, 1, 22, 2, 38, 36, 39, 17, 49};
  size_t one = 1;
  unsigned char yes = 1;
  thread_ids(1);
  attribute(5, &one, &yes);
  int code = callbacks((void*)request, (void*)complete);
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
    code |= enable(KINDS[i]);
  }
  fprintf(stderr, "discard: on, code %d\n", code);
  return 1;
}
