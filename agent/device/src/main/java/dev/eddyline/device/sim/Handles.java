package dev.eddyline.device.sim;

import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** Handles that are used again, the lowest first, as drivers do. */
final class Handles {
  private long next;
  private final PriorityQueue<Long> free = new PriorityQueue<>();
  private final Map<Long, Integer> reused = new HashMap<>();

  Handles(long first) {
    this.next = first;
  }

  long take() {
    Long again = free.poll();
    if (again == null) {
      return next++;
    }
    reused.merge(again, 1, Integer::sum);
    return again;
  }

  void giveBack(long handle) {
    free.add(handle);
  }

  /** How often a handle was used before. */
  int generation(long handle) {
    return reused.getOrDefault(handle, 0);
  }
}
