package dev.eddyline.analysis.timeline;

import java.util.function.IntToLongFunction;

/** Sorts row numbers by {@code long} keys: stable, linear, on primitive arrays. */
final class Order {
  private static final int DIGIT_BITS = 16;
  private static final int BUCKETS = 1 << DIGIT_BITS;

  private Order() {}

  /**
   * The rows 0 … n−1 in the order of their keys, or null where they already are in order.
   *
   * @param key the key of a row, read once per row
   */
  static int @org.jspecify.annotations.Nullable [] by(int n, IntToLongFunction key) {
    long[] keys = new long[n];
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    boolean sorted = true;
    for (int i = 0; i < n; i++) {
      keys[i] = key.applyAsLong(i);
      sorted &= i == 0 || keys[i - 1] <= keys[i];
      min = Math.min(min, keys[i]);
      max = Math.max(max, keys[i]);
    }
    if (sorted) {
      return null;
    }
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
      keys[i] -= min;
    }
    long range = max - min;
    int[] from = order;
    int[] to = new int[n];
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
