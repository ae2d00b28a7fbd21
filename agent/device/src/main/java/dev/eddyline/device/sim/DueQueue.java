package dev.eddyline.device.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is due, the earliest first; a binary heap without garbage. */
final class DueQueue {
  private @Nullable Due[] heap = new Due[64];
  private int size;
  private long next;

  int size() {
    return size;
  }

  @Nullable Due peek() {
    Due first = heap[0];
    while (first != null && first.cancelled) {
      remove();
      first = heap[0];
    }
    return first;
  }

  void add(Due due, long time) {
    due.time = time;
    due.number = next++;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      Due above = heap[parent];
      if (above == null || isBefore(above, due)) {
        break;
      }
      heap[at] = above;
      at = parent;
    }
    heap[at] = due;
  }

  /** Takes the earliest out; there must be one. */
  Due remove() {
    Due first = heap[0];
    Due last = heap[--size];
    heap[size] = null;
    if (first == null || last == null) {
      throw new IllegalStateException("nothing is due");
    }
    if (size > 0) {
      sink(last);
    }
    return first;
  }

  private void sink(Due moved) {
    int at = 0;
    int half = size >>> 1;
    while (at < half) {
      int child = 2 * at + 1;
      Due smaller = heap[child];
      Due right = child + 1 < size ? heap[child + 1] : null;
      if (right != null && smaller != null && isBefore(right, smaller)) {
        smaller = right;
        child++;
      }
      if (smaller == null || isBefore(moved, smaller)) {
        break;
      }
      heap[at] = smaller;
      at = child;
    }
    heap[at] = moved;
  }

  private static boolean isBefore(Due a, Due b) {
    return a.time != b.time ? a.time < b.time : a.number < b.number;
  }
}
