package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Allocation;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What stream-ordered allocators guarantee: memory that is handed out again is not used by its new
 * owner before the free of the old one has come to pass.
 */
final class PoolOrder {
  /** Takes the stream on which memory was freed, and the row of the call. */
  interface Freed {
    void by(int stream, int call);
  }

  private record Free(long end, int stream, int call) {}

  private final AllocationView allocation;
  private final Map<Long, Integer> byCall = new HashMap<>();
  private final Map<Integer, TreeMap<Long, Free>> freed = new HashMap<>();

  PoolOrder(Timeline timeline) {
    allocation = timeline.allocations();
    for (int i = 0; i < allocation.size(); i++) {
      if (allocation.at(i).correlation() >= 0) {
        byCall.put(key(allocation.process(), allocation.correlation()), i);
      }
    }
  }

  private static long key(int process, long correlation) {
    return correlation << 16 ^ process;
  }

  /** Row of what an allocator did in a call, or -1. */
  int at(int process, long correlation) {
    return byCall.isEmpty() ? -1 : byCall.getOrDefault(key(process, correlation), -1);
  }

  /** The stream in whose order it happened, or -1. */
  int stream(int row) {
    return allocation.at(row).stream();
  }

  /** Whether a free waits for the device: not where it gives memory of a pool back. */
  boolean holdsHost(int process, long correlation) {
    int row = at(process, correlation);
    return row < 0 || allocation.at(row).allocator() != Allocation.ALLOCATOR_POOL;
  }

  /** Takes an allocation or free; tells which frees the allocation comes after. */
  void add(int row, int call, Freed edge) {
    allocation.at(row);
    if (allocation.buffer() >= 0 || allocation.bytes() < 0) {
      return;
    }
    TreeMap<Long, Free> free =
        freed.computeIfAbsent(allocation.process(), process -> new TreeMap<>());
    long begin = allocation.begin();
    long end = begin + allocation.bytes();
    if (allocation.kind() == Allocation.KIND_FREE) {
      free.put(begin, new Free(end, allocation.stream(), call));
      return;
    }
    Map.Entry<Long, Free> before = free.lowerEntry(begin);
    if (before != null && before.getValue().end() > begin) {
      edge.by(before.getValue().stream(), before.getValue().call());
    }
    var within = free.subMap(begin, end);
    within.values().forEach(known -> edge.by(known.stream(), known.call()));
    within.clear();
  }
}
