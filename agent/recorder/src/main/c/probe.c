/* Launches an empty kernel for a while: what the doctor records to see that recording works. Not part of a recording. */
#include <dlfcn.h>
#include <jni.h>
#include <stdint.h>
#include <string.h>

#include "shim.h"

enum { NO_DRIVER = -1, TOO_OLD = -2, BETWEEN_SYNCS = 64 };

/* For the oldest GPUs that the driver of the day serves, and for those before. */
static const char* const KERNELS[] = {
    ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry eddyline_empty() { ret; }\n",
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry eddyline_empty() { ret; }\n",
};

typedef struct {
  int (*init)(unsigned);
  int (*device)(int*, int);
  int (*context)(void**, int);
  int (*set_context)(void*);
  int (*load)(void**, const void*);
  int (*function)(void**, void*, const char*);
  int (*stream)(void**, unsigned);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
  int (*synchronize)(void*);
} calls;

static int find(void* cuda, const char* name, void** target) {
  *target = dlsym(cuda, name);
  return *target != NULL;
}

static int find_all(void* cuda, calls* to) {
  return find(cuda, "cuInit", (void**)&to->init) && find(cuda, "cuDeviceGet", (void**)&to->device) &&
         find(cuda, "cuDevicePrimaryCtxRetain", (void**)&to->context) &&
         find(cuda, "cuCtxSetCurrent", (void**)&to->set_context) &&
         find(cuda, "cuModuleLoadData", (void**)&to->load) &&
         find(cuda, "cuModuleGetFunction", (void**)&to->function) &&
         find(cuda, "cuStreamCreate", (void**)&to->stream) && find(cuda, "cuLaunchKernel", (void**)&to->launch) &&
         find(cuda, "cuStreamSynchronize", (void**)&to->synchronize);
}

static int prepare(calls* cuda, void** function, void** stream) {
  int device = 0, code;
  void *context = NULL, *module = NULL;
  if ((code = cuda->init(0)) != 0 || (code = cuda->device(&device, 0)) != 0 ||
      (code = cuda->context(&context, device)) != 0 || (code = cuda->set_context(context)) != 0) {
    return code;
  }
  for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
    if ((code = cuda->load(&module, KERNELS[i])) == 0) {
      break;
    }
  }
  if (code != 0 || (code = cuda->function(function, module, "eddyline_empty")) != 0) {
    return code;
  }
  return cuda->stream(stream, 1);
}

/* How many launches it made; below 0: NO_DRIVER, TOO_OLD, or -1000 - a CUDA error. */
JNIEXPORT jlong JNICALL Java_dev_eddyline_recorder_shim_Probe_launch(JNIEnv* env, jclass type, jlong nanos) {
  (void)env;
  (void)type;
  calls cuda;
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL), *function = NULL, *stream = NULL;
  if (library == NULL) {
    return NO_DRIVER;
  }
  if (!find_all(library, &cuda)) {
    return TOO_OLD;
  }
  int code = prepare(&cuda, &function, &stream);
  uint64_t end = shim_now() + (uint64_t)nanos;
  jlong made = 0;
  while (code == 0 && shim_now() < end) {
    code = cuda.launch(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
    if (code == 0 && ++made % BETWEEN_SYNCS == 0) {
      code = cuda.synchronize(stream);
    }
  }
  if (code == 0) {
    code = cuda.synchronize(stream);
  }
  return code == 0 ? made : -1000 - code;
}
