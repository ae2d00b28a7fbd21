/* Which calls the shim looks at, found by name, so that one table serves every version of CUPTI. */
#include <string.h>

#include "shim.h"

typedef struct {
  const char* name; /* without "cuda", "cu" and the suffix of a version; ends with '*' where it is a beginning */
  uint16_t roles;
} role_of_name;

static const role_of_name NAMES[] = {
    {"StreamSynchronize", ROLE_BLOCKS},
    {"EventSynchronize", ROLE_BLOCKS},
    {"DeviceSynchronize", ROLE_BLOCKS},
    {"ThreadSynchronize", ROLE_BLOCKS},
    {"CtxSynchronize*", ROLE_BLOCKS},
    {"Memcpy*", ROLE_BLOCKS},
    {"Memset*", ROLE_BLOCKS},
    {"Malloc*", ROLE_BLOCKS},
    {"MemAlloc*", ROLE_BLOCKS},
    {"HostAlloc", ROLE_BLOCKS},
    {"MemHostAlloc", ROLE_BLOCKS},
    {"Free*", ROLE_BLOCKS},
    {"MemFree*", ROLE_BLOCKS},
    {"HostRegister", ROLE_BLOCKS},
    {"HostUnregister", ROLE_BLOCKS},
    {"MemHostRegister", ROLE_BLOCKS},
    {"MemHostUnregister", ROLE_BLOCKS},
    {"ModuleLoad*", ROLE_BLOCKS},
    {"ModuleUnload", ROLE_BLOCKS},
    {"LibraryLoad*", ROLE_BLOCKS},
    {"LibraryUnload", ROLE_BLOCKS},
    {"StreamDestroy", ROLE_BLOCKS},
    {"EventDestroy", ROLE_BLOCKS},
    {"DeviceReset", ROLE_BLOCKS},
    {"CtxDestroy", ROLE_BLOCKS},
    {"DevicePrimaryCtxReset", ROLE_BLOCKS},
    {"GraphLaunch", ROLE_BLOCKS},
    {"GraphInstantiate*", ROLE_BLOCKS},
    {"StreamWaitEvent", ROLE_STREAM_WAIT},
    {"StreamBeginCapture*", ROLE_CAPTURE_BEGIN},
    {"StreamEndCapture", ROLE_CAPTURE_END},
    {"StreamIsCapturing", ROLE_ASKED},
    {"CtxGetCurrent", ROLE_ASKED},
    {"EventRecord", ROLE_EVENT_RECORD},
    {"EventRecordWithFlags", ROLE_EVENT_RECORD},
};

/* Launches as the driver sees them; those of the runtime come through here too. */
static const role_of_name LAUNCHES[] = {
    {"LaunchKernel", ROLE_LAUNCH},
    {"LaunchCooperativeKernel", ROLE_LAUNCH | ROLE_COOPERATIVE},
    {"LaunchKernelEx", ROLE_LAUNCH_EX},
};

/* Launches of the runtime. */
static const role_of_name OUTER[] = {
    {"LaunchKernel*", ROLE_OUTER_LAUNCH},
    {"LaunchCooperativeKernel", ROLE_OUTER_LAUNCH},
};

static const role_of_name COPIES[] = {
    {"MemcpyHtoD*", ROLE_COPY}, {"MemcpyDtoH*", ROLE_COPY}, {"MemcpyDtoD*", ROLE_COPY}, {"Memcpy", ROLE_COPY},
    {"MemcpyAsync", ROLE_COPY}, {"MemsetD8*", ROLE_FILL},   {"MemsetD16*", ROLE_FILL},  {"MemsetD32*", ROLE_FILL},
};

static int fits(const char* pattern, const char* name, size_t length) {
  size_t wanted = strlen(pattern);
  if (pattern[wanted - 1] == '*') {
    return length >= wanted - 1 && strncmp(pattern, name, wanted - 1) == 0;
  }
  return length == wanted && strncmp(pattern, name, length) == 0;
}

static uint16_t find(const role_of_name* table, size_t count, const char* name, size_t length) {
  for (size_t i = 0; i < count; i++) {
    if (fits(table[i].name, name, length)) {
      return table[i].roles;
    }
  }
  return 0;
}

/* Length of a name without "_v2", "_v13000", "_ptsz" and "_ptds". */
static size_t bare(const char* name) {
  size_t length = strlen(name);
  for (;;) {
    size_t digits = length;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
      digits--;
    }
    if (digits < length && digits >= 2 && name[digits - 1] == 'v' && name[digits - 2] == '_') {
      length = digits - 2;
    } else if (length > 5 && (strncmp(name + length - 5, "_ptsz", 5) == 0 || strncmp(name + length - 5, "_ptds", 5) == 0)) {
      length -= 5;
    } else {
      return length;
    }
  }
}

static uint16_t stack_role(uint16_t roles, int launch) {
  int wanted = shim_settings.stacks;
  return ((roles & ROLE_EVENT_RECORD) && (wanted & STACKS_RECORD)) ||
                 ((roles & ROLE_STREAM_WAIT) && (wanted & STACKS_WAIT)) || (launch && (wanted & STACKS_LAUNCH))
             ? ROLE_STACK
             : 0;
}

static uint16_t roles_of(int domain, const char* full) {
  full += strncmp(full, "__", 2) == 0 ? 2 : 0;
  const char* prefix = domain == CUPTI_DOMAIN_DRIVER ? "cu" : "cuda";
  if (strncmp(full, prefix, strlen(prefix)) != 0) {
    return 0;
  }
  const char* name = full + strlen(prefix);
  size_t length = bare(name);
  uint16_t roles = find(NAMES, sizeof NAMES / sizeof *NAMES, name, length);
  if (domain == CUPTI_DOMAIN_DRIVER) {
    uint16_t launch = find(LAUNCHES, sizeof LAUNCHES / sizeof *LAUNCHES, name, length);
    roles |= stack_role(roles, launch != 0);
    if (launch != 0 && shim_settings.launch_blocks) {
      roles |= ROLE_BLOCKS;
    }
    if (shim_settings.deep) {
      roles |= launch;
      roles |= find(COPIES, sizeof COPIES / sizeof *COPIES, name, length);
    }
  } else {
    roles |= stack_role(roles, 0);
    if (shim_settings.deep) {
      roles |= find(OUTER, sizeof OUTER / sizeof *OUTER, name, length);
      roles |= find(COPIES, sizeof COPIES / sizeof *COPIES, name, length);
    }
  }
  return roles;
}

void roles_assign(void) {
  for (int domain = CUPTI_DOMAIN_DRIVER; domain <= CUPTI_DOMAIN_RUNTIME; domain++) {
    for (uint32_t id = 1; id < SHIM_MAX_CBID; id++) {
      const char* name = NULL;
      shim_roles[domain][id] =
          cupti.get_callback_name(domain, id, &name) == CUPTI_OK && name != NULL ? roles_of(domain, name) : 0;
    }
  }
}
