/* Finds CUPTI and the driver, and looks their functions up. Runs on one thread, before a start. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

/* The names of these that every glibc has, so that the shim runs on systems older than the one it was built on. */
#if defined(__GLIBC__) && defined(__x86_64__)
__asm__(".symver dlopen,dlopen@GLIBC_2.2.5");
__asm__(".symver dlsym,dlsym@GLIBC_2.2.5");
__asm__(".symver dlerror,dlerror@GLIBC_2.2.5");
__asm__(".symver dlclose,dlclose@GLIBC_2.2.5");
#endif

enum { CUDA_NOT_INITIALIZED = 3 };

cupti_functions cupti;
driver_functions driver;

static char report[16384];
static size_t report_length;
static char path_used[4096];
static uint32_t version;
static void* handle;

void library_say(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(report + report_length, sizeof report - report_length, format, arguments);
  va_end(arguments);
  if (length > 0) {
    report_length += (size_t)length;
    if (report_length >= sizeof report) {
      report_length = sizeof report - 1;
    }
  }
}

const char* library_report(void) { return report; }
const char* library_path(void) { return path_used; }
uint32_t library_version(void) { return version; }

typedef struct {
  const char* name;
  char path[4096];
} search;

static int look(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  search* wanted = data;
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* file = slash == NULL ? info->dlpi_name : slash + 1;
  if (strncmp(file, wanted->name, strlen(wanted->name)) != 0) {
    return 0;
  }
  snprintf(wanted->path, sizeof wanted->path, "%s", info->dlpi_name);
  return 1;
}

/* Whether a library of this name is mapped; its path goes into the search. */
static int is_mapped(search* wanted, const char* name) {
  wanted->name = name;
  wanted->path[0] = 0;
  return dl_iterate_phdr(look, wanted);
}

int library_cuda_state(void) {
  search wanted;
  if (!is_mapped(&wanted, "libcuda.so")) {
    return 0;
  }
  void* cuda = dlopen(wanted.path, RTLD_LAZY | RTLD_NOLOAD);
  int (*current)(void**) = NULL;
  void* context = NULL;
  if (cuda != NULL) {
    *(void**)&current = dlsym(cuda, "cuCtxGetCurrent");
    dlclose(cuda);
  }
  return current != NULL && current(&context) == CUDA_NOT_INITIALIZED ? 1 : 2;
}

char* library_demangled(const char* name) {
  static char* (*demangle)(const char*, char*, size_t*, int*);
  static int looked;
  if (strncmp(name, "_Z", 2) != 0) {
    return NULL;
  }
  if (!looked) {
    looked = 1;
    *(void**)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    void* cxx = demangle != NULL ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (cxx != NULL) {
      *(void**)&demangle = dlsym(cxx, "__cxa_demangle");
    }
  }
  int status = 0;
  return demangle == NULL ? NULL : demangle(name, NULL, NULL, &status);
}

/* CUDA's major version of a cuptiGetVersion. */
static int major_of(uint32_t number) {
  if (number >= 100000) {
    return (int)(number / 10000);
  }
  return number >= 19 ? 12 : number >= 13 ? 11 : 10;
}

static int driver_load(void) {
  int number = 0;
  search wanted;
  const char* name = is_mapped(&wanted, "libcuda.so") ? wanted.path : "libcuda.so.1";
  void* cuda = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (cuda == NULL) {
    return 0;
  }
  *(void**)&driver.driver_version = dlsym(cuda, "cuDriverGetVersion");
  *(void**)&driver.current_context = dlsym(cuda, "cuCtxGetCurrent");
  *(void**)&driver.stream_is_capturing = dlsym(cuda, "cuStreamIsCapturing");
  *(void**)&driver.function_parameter = dlsym(cuda, "cuFuncGetParamInfo");
  *(void**)&driver.kernel_parameter = dlsym(cuda, "cuKernelGetParamInfo");
  *(void**)&driver.pointer_attribute = dlsym(cuda, "cuPointerGetAttribute");
  if (driver.driver_version == NULL || driver.driver_version(&number) != 0) {
    return 0;
  }
  return number / 1000;
}

typedef struct {
  const char* name;
  void** target;
  int may_be_missing;
} wanted_function;

static const wanted_function FUNCTIONS[] = {
    {"cuptiGetVersion", (void**)&cupti.get_version, 0},
    {"cuptiGetTimestamp", (void**)&cupti.get_timestamp, 0},
    {"cuptiGetResultString", (void**)&cupti.get_result_string, 0},
    {"cuptiSubscribe", (void**)&cupti.subscribe, 0},
    {"cuptiUnsubscribe", (void**)&cupti.unsubscribe, 0},
    {"cuptiEnableCallback", (void**)&cupti.enable_callback, 0},
    {"cuptiGetCallbackName", (void**)&cupti.get_callback_name, 0},
    {"cuptiActivityRegisterCallbacks", (void**)&cupti.register_callbacks, 0},
    {"cuptiActivityRegisterTimestampCallback", (void**)&cupti.register_timestamp, 1},
    {"cuptiSetThreadIdType", (void**)&cupti.set_thread_id_type, 1},
    {"cuptiActivitySetAttribute", (void**)&cupti.set_attribute, 0},
    {"cuptiActivityEnable", (void**)&cupti.enable, 0},
    {"cuptiActivityEnableAndDump", (void**)&cupti.enable_and_dump, 1},
    {"cuptiActivityDisable", (void**)&cupti.disable, 0},
    {"cuptiActivityEnableAllSyncRecords", (void**)&cupti.all_sync_records, 1},
    {"cuptiActivityFlushAll", (void**)&cupti.flush_all, 0},
    {"cuptiActivityGetNextRecord", (void**)&cupti.next_record, 0},
    {"cuptiActivityGetNumDroppedRecords", (void**)&cupti.dropped_records, 0},
    {"cuptiActivityPushExternalCorrelationId", (void**)&cupti.push_external, 0},
    {"cuptiActivityPopExternalCorrelationId", (void**)&cupti.pop_external, 0},
    {"cuptiGetStreamIdEx", (void**)&cupti.stream_id, 0},
    {"cuptiGetContextId", (void**)&cupti.context_id, 0},
    {"cuptiFinalize", (void**)&cupti.finalize, 1},
};

/* The CUDA that a file is for, as its name has it: 13 of libcupti.so.13; 0 if it does not say. */
static int major_in_name(const char* path) {
  const char* at = strstr(path, ".so.");
  int number = at == NULL ? 0 : atoi(at + strlen(".so."));
  return number < 1000 ? number : 0;
}

static int fits(int major, int least, int most) { return least == 0 || (major >= least && major <= most); }

/*
 * Takes the library at a path if it is CUPTI and its major version is in [least, most]; 0 = any. One whose name says
 * that it does not fit is not loaded: CUPTI that is loaded and closed again ends the process when it exits (seen).
 */
static int take(const char* path, int least, int most) {
  int named = major_in_name(path);
  if (named > 0 && !fits(named, least, most) && access(path, F_OK) == 0) {
    library_say("%s: is for CUDA %d, the driver for %d\n", path, named, most);
    return 0;
  }
  void* opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (opened == NULL) {
    const char* why = dlerror();
    const char* reason = why == NULL ? "cannot be loaded" : why;
    size_t length = strlen(path);
    if (strncmp(reason, path, length) == 0 && reason[length] == ':') {
      reason += length + 2;
    }
    library_say("%s: %s\n", path, strstr(reason, "No such file") != NULL ? "not there" : reason);
    return 0;
  }
  uint32_t number = 0;
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
    *FUNCTIONS[i].target = dlsym(opened, FUNCTIONS[i].name);
    if (*FUNCTIONS[i].target == NULL && !FUNCTIONS[i].may_be_missing) {
      library_say("%s: has no %s\n", path, FUNCTIONS[i].name);
      return 0;
    }
  }
  if (cupti.get_version(&number) != CUPTI_OK) {
    library_say("%s: does not tell its version\n", path);
    return 0;
  }
  int major = major_of(number);
  if (major < 12 || !fits(major, least, most)) {
    library_say("%s: is for CUDA %d%s", path, major, major < 12 ? ", 12 or newer is needed\n" : "");
    if (major >= 12) {
      library_say(", the driver for %d\n", most);
    }
    return 0;
  }
  handle = opened;
  version = number;
  snprintf(path_used, sizeof path_used, "%s", path);
  return 1;
}

static int take_first(int least, int most) {
  char path[4096];
  for (const char* at = shim_settings.places; at != NULL && *at != 0;) {
    const char* end = strchr(at, '\n');
    size_t length = end == NULL ? strlen(at) : (size_t)(end - at);
    if (length > 0 && length < sizeof path) {
      memcpy(path, at, length);
      path[length] = 0;
      if (take(path, least, most)) {
        return 1;
      }
    }
    at = end == NULL ? NULL : end + 1;
  }
  return 0;
}

int library_load(void) {
  report_length = 0;
  report[0] = 0;
  int driver_major = driver_load();
  if (handle != NULL) {
    return CUPTI_OK;
  }
  search mapped;
  if (is_mapped(&mapped, "libcupti.so")) {
    return take(mapped.path, 0, 0) ? CUPTI_OK : -1;
  }
  if (driver_major == 0) {
    library_say("libcuda.so.1: there is no driver that tells its version\n");
    return -2;
  }
  if (take_first(driver_major, driver_major)) {
    return CUPTI_OK;
  }
  /* A driver serves the CUPTI of the major version before it too, and a program of that version needs it. */
  if (driver_major > 12) {
    size_t before = report_length;
    if (take_first(12, driver_major)) {
      return CUPTI_OK;
    }
    report_length = before;
    report[before] = 0;
  }
  return -1;
}
