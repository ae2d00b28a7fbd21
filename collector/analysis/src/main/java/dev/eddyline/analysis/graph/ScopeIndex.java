package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * Finds the intervals of a thread that enclose a time. Rows must come sorted by start within each
 * thread, an enclosing one before what it holds.
 */
public final class ScopeIndex {
  private final int[] first;
  private final int[] rows;
  private final int[] parent;
  private final long[] starts;
  private final long[] ends;

  private ScopeIndex(int[] first, int[] rows, long[] starts, long[] ends) {
    this.first = first;
    this.rows = rows;
    this.starts = starts;
    this.ends = ends;
    this.parent = new int[rows.length];
    for (int thread = 0; thread + 1 < first.length; thread++) {
      int open = -1;
      for (int i = first[thread]; i < first[thread + 1]; i++) {
        while (open >= 0 && ends[open] <= starts[i]) {
          open = parent[open];
        }
        parent[i] = open;
        open = i;
      }
    }
  }

  /**
   * An index over rows of any table.
   *
   * @param thread the thread of a row, -1 to leave it out
   */
  static ScopeIndex of(
      int threads,
      int size,
      IntUnaryOperator thread,
      IntToLongFunction start,
      IntToLongFunction end) {
    int[] first = new int[threads + 1];
    for (int row = 0; row < size; row++) {
      int t = thread.applyAsInt(row);
      if (t >= 0) {
        first[t + 1]++;
      }
    }
    for (int t = 0; t < threads; t++) {
      first[t + 1] += first[t];
    }
    int kept = first[threads];
    int[] rows = new int[kept];
    long[] starts = new long[kept];
    long[] ends = new long[kept];
    int[] next = Arrays.copyOf(first, threads);
    for (int row = 0; row < size; row++) {
      int t = thread.applyAsInt(row);
      if (t >= 0) {
        int at = next[t]++;
        rows[at] = row;
        starts[at] = start.applyAsLong(row);
        ends[at] = end.applyAsLong(row);
      }
    }
    return new ScopeIndex(first, rows, starts, ends);
  }

  /** An index over all ranges. */
  static ScopeIndex ofRanges(Timeline timeline) {
    RangeView range = timeline.ranges();
    return of(
        timeline.threads().size(),
        range.size(),
        row -> range.at(row).thread(),
        row -> range.at(row).start(),
        row -> range.at(row).end());
  }

  /** An index over the calls of collective libraries. */
  static ScopeIndex ofCollectives(Timeline timeline) {
    CollectiveView collective = timeline.collectives();
    return of(
        timeline.threads().size(),
        collective.size(),
        row -> collective.at(row).thread(),
        row -> collective.at(row).start(),
        row -> collective.at(row).end());
  }

  private int slotBefore(int thread, long time) {
    int low = first[thread];
    int high = first[thread + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1 < first[thread] ? -1 : low - 1;
  }

  /** Row of the innermost interval of a thread that holds a time, or -1. */
  public int innermostAt(int thread, long time) {
    int slot = slotBefore(thread, time);
    while (slot >= 0 && ends[slot] <= time) {
      slot = parent[slot];
    }
    return slot < 0 ? -1 : rows[slot];
  }

  /** Row of the last interval of a thread that began at or before a time, or -1. */
  public int lastBefore(int thread, long time) {
    int slot = slotBefore(thread, time);
    return slot < 0 ? -1 : rows[slot];
  }

  /** Rows of all intervals of a thread that hold a time, outermost first. */
  public int[] allAt(int thread, long time) {
    int[] found = new int[8];
    int count = 0;
    for (int slot = slotBefore(thread, time); slot >= 0; slot = parent[slot]) {
      if (ends[slot] > time) {
        if (count == found.length) {
          found = Arrays.copyOf(found, count * 2);
        }
        found[count++] = rows[slot];
      }
    }
    int[] outermostFirst = new int[count];
    for (int i = 0; i < count; i++) {
      outermostFirst[i] = found[count - 1 - i];
    }
    return outermostFirst;
  }
}
