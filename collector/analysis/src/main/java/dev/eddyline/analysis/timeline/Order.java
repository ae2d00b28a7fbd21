package dev.eddyline.analysis.timeline;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Sorts row numbers by {@code long} keys: stable, on primitive arrays. Rows that come in a few
 * sorted runs, as those of a few threads one after the other, are merged; others are sorted by
 * digits, in linear time.
 */
final class Order {
  private static final int DIGIT_BITS = 16;
  private static final int BUCKETS = 1 << DIGIT_BITS;

  /** Up to so many runs merging takes fewer passes, and more local ones, than sorting by digits. */
  private static final int FEW_RUNS = 64;

  /** Up to so many rows the buckets of sorting by digits cost more than the rows. */
  private static final int FEW_ROWS = 1 << 14;

  private Order() {}

  /**
   * The rows 0 … n−1 in the order of their keys, or null where they already are in order.
   *
   * @param key the key of a row, read once per row
   */
  static int @org.jspecify.annotations.Nullable [] by(int n, IntToLongFunction key) {
    long[] keys = new long[n];
    int runs = n == 0 ? 0 : 1;
    for (int i = 0; i < n; i++) {
      keys[i] = key.applyAsLong(i);
      runs += i > 0 && keys[i - 1] > keys[i] ? 1 : 0;
    }
    if (runs <= 1) {
      return null;
    }
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    return runs <= FEW_RUNS || n <= FEW_ROWS
        ? mergeRuns(keys, order, runs)
        : sortByDigits(keys, order);
  }

  private static int[] mergeRuns(long[] keys, int[] order, int count) {
    int[] starts = starts(keys, count);
    long[] fromKeys = keys;
    int[] from = order;
    long[] toKeys = new long[keys.length];
    int[] to = new int[keys.length];
    for (int runs = count; runs > 1; runs = runs + 1 >> 1) {
      int merged = 0;
      for (int run = 0; run < runs; run += 2) {
        int begin = starts[run];
        int middle = starts[Math.min(run + 1, runs)];
        int end = starts[Math.min(run + 2, runs)];
        merge(fromKeys, from, toKeys, to, begin, middle, end);
        starts[merged++] = begin;
      }
      starts[merged] = keys.length;
      long[] swapKeys = fromKeys;
      fromKeys = toKeys;
      toKeys = swapKeys;
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** Where the sorted runs begin, and at last where all end. */
  private static int[] starts(long[] keys, int count) {
    int[] starts = new int[count + 1];
    int run = 1;
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] > keys[i]) {
        starts[run++] = i;
      }
    }
    starts[count] = keys.length;
    return starts;
  }

  private static void merge(
      long[] fromKeys, int[] from, long[] toKeys, int[] to, int begin, int middle, int end) {
    int left = begin;
    int right = middle;
    for (int i = begin; i < end; i++) {
      boolean takeLeft = right == end || left < middle && fromKeys[left] <= fromKeys[right];
      int at = takeLeft ? left++ : right++;
      toKeys[i] = fromKeys[at];
      to[i] = from[at];
    }
  }

  private static int[] sortByDigits(long[] keys, int[] order) {
    long min = Arrays.stream(keys).min().orElse(0);
    long range = 0;
    for (int i = 0; i < keys.length; i++) {
      keys[i] -= min;
      range |= keys[i];
    }
    int[] from = order;
    int[] to = new int[keys.length];
    for (int shift = 0; shift < Long.SIZE && range >>> shift != 0; shift += DIGIT_BITS) {
      pass(keys, from, to, shift);
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void pass(long[] keys, int[] from, int[] to, int shift) {
    int[] start = new int[BUCKETS + 1];
    for (int row : from) {
      start[(int) (keys[row] >>> shift & BUCKETS - 1) + 1]++;
    }
    for (int i = 0; i < BUCKETS; i++) {
      start[i + 1] += start[i];
    }
    for (int row : from) {
      to[start[(int) (keys[row] >>> shift & BUCKETS - 1)]++] = row;
    }
  }
}
