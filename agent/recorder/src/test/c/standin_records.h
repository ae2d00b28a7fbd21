/* Activity records as CUPTI 13.0 lays them out. */
#ifndef STANDIN_RECORDS_H
#define STANDIN_RECORDS_H

#include <stdint.h>

#define PACKED __attribute__((packed, aligned(8)))

typedef struct PACKED {
  uint32_t kind, cbid;
  uint64_t start, end;
  uint32_t process, thread, correlation, result;
} api_record;

typedef struct PACKED {
  uint32_t kind, head[3];
  uint64_t start, end, completed;
  uint32_t device, context, stream, grid[3], block[3], static_shared, dynamic_shared, local[2], correlation;
  int64_t grid_id;
  const char* name;
  uint64_t reserved, queued, submitted;
  uint8_t launch[4];
  uint32_t shared_executed;
  uint64_t graph_node;
  uint32_t shmem_limit, graph;
  uint64_t policy;
  uint32_t channel[2], cluster[4];
  uint64_t local_total;
  uint32_t cluster_sizes[2];
  uint8_t device_launched, padding[7];
} kernel_record;

typedef struct PACKED {
  uint32_t kind;
  uint8_t copy, from, to, flags;
  uint64_t bytes, start, end;
  uint32_t device, context, stream, correlation, runtime_correlation, pad;
  uint64_t reserved, graph_node;
  uint32_t graph, channel[2];
  uint8_t device_launched, pad2[3];
  uint64_t count;
} copy_record;

typedef struct PACKED {
  uint32_t kind, operation, memory, correlation;
  uint64_t address, bytes, time, pc;
  uint32_t process, device, context, stream;
  const char* name;
  uint32_t async, pad;
  uint64_t pool[5];
  const char* source;
} memory_record;

typedef struct PACKED {
  uint32_t kind, context, stream, priority, flag, correlation;
} stream_record;

typedef struct PACKED {
  uint32_t kind, correlation, context, stream, event, pad, device, pad2;
  uint64_t reserved, device_time, sync_id;
} event_record;

typedef struct PACKED {
  uint32_t kind, type;
  uint64_t start, end;
  uint32_t correlation, context, stream, event;
  uint64_t sync_id;
  uint32_t result, pad;
} sync_record;

typedef struct PACKED {
  uint32_t kind, external_kind;
  uint64_t external_id;
  uint32_t correlation, reserved;
} external_record;

enum {
  KIND_MEMCPY = 1,
  KIND_DRIVER = 4,
  KIND_RUNTIME = 5,
  KIND_CONCURRENT_KERNEL = 10,
  KIND_CUDA_EVENT = 36,
  KIND_STREAM = 37,
  KIND_SYNCHRONIZATION = 38,
  KIND_EXTERNAL_CORRELATION = 39,
  KIND_MEMORY2 = 49,
};

#endif
