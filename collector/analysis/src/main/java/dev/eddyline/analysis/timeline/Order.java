package dev.eddyline.analysis.timeline;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Sorts row numbers by {@code long} keys, the first key counting most: stable, on primitive arrays.
 * Rows that come in a few sorted runs, as those of a few threads one after the other, are merged;
 * others are sorted by digits, in linear time.
 */
final class Order {
  private static final int DIGIT_BITS = 16;
  private static final int BUCKETS = 1 << DIGIT_BITS;

  /** Up to so many runs merging takes fewer passes, and more local ones, than sorting by digits. */
  private static final int FEW_RUNS = 256;

  /** Up to so many rows the buckets of sorting by digits cost more than the rows. */
  private static final int FEW_ROWS = 1 << 14;

  private Order() {}

  /**
   * The rows 0 … n−1 in the order of their keys, or null where they already are in order.
   *
   * @param functions the keys of a row, each read once per row
   */
  static int @org.jspecify.annotations.Nullable [] by(int n, IntToLongFunction... functions) {
    long[][] keys = new long[functions.length][n];
    for (int k = 0; k < keys.length; k++) {
      IntToLongFunction function = functions[k];
      long[] values = keys[k];
      for (int i = 0; i < n; i++) {
        values[i] = function.applyAsLong(i);
      }
    }
    int runs = n == 0 ? 0 : 1;
    for (int i = 1; i < n; i++) {
      runs += isInOrder(keys, i - 1, i) ? 0 : 1;
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

  private static boolean isInOrder(long[][] keys, int left, int right) {
    for (long[] key : keys) {
      if (key[left] != key[right]) {
        return key[left] < key[right];
      }
    }
    return true;
  }

  private static int[] mergeRuns(long[][] keys, int[] order, int count) {
    int[] starts = starts(keys, order.length, count);
    int[] from = order;
    int[] to = new int[order.length];
    for (int runs = count; runs > 1; runs = runs + 1 >> 1) {
      int merged = 0;
      for (int run = 0; run < runs; run += 2) {
        int begin = starts[run];
        int middle = starts[Math.min(run + 1, runs)];
        int end = starts[Math.min(run + 2, runs)];
        merge(keys, from, to, begin, middle, end);
        starts[merged++] = begin;
      }
      starts[merged] = order.length;
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** Where the sorted runs begin, and at last where all end. */
  private static int[] starts(long[][] keys, int n, int count) {
    int[] starts = new int[count + 1];
    int run = 1;
    for (int i = 1; i < n; i++) {
      if (!isInOrder(keys, i - 1, i)) {
        starts[run++] = i;
      }
    }
    starts[count] = n;
    return starts;
  }

  private static void merge(long[][] keys, int[] from, int[] to, int begin, int middle, int end) {
    int left = begin;
    int right = middle;
    for (int i = begin; i < end; i++) {
      boolean takeLeft = right == end || left < middle && isInOrder(keys, from[left], from[right]);
      to[i] = from[takeLeft ? left++ : right++];
    }
  }

  private static int[] sortByDigits(long[][] keys, int[] order) {
    int[] from = order;
    int[] to = new int[order.length];
    for (int k = keys.length - 1; k >= 0; k--) {
      long[] key = keys[k];
      long min = Arrays.stream(key).min().orElse(0);
      long range = 0;
      for (int i = 0; i < key.length; i++) {
        key[i] -= min;
        range |= key[i];
      }
      for (int shift = 0; shift < Long.SIZE && range >>> shift != 0; shift += DIGIT_BITS) {
        pass(key, from, to, shift);
        int[] swap = from;
        from = to;
        to = swap;
      }
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
