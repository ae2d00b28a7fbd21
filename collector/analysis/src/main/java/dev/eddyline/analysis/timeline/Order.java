package dev.eddyline.analysis.timeline;

import java.util.function.IntToLongFunction;

/** Sorts row numbers by {@code long} keys: stable, linear, on primitive arrays. */
final class Order {
  private static final int DIGIT_BITS = 16;

  /** Digits of few rows: a pass over many buckets would take longer than one over the rows. */
  private static final int FEW_ROWS_DIGIT_BITS = 8;

  private static final int FEW_ROWS = 1 << 12;

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
    int bits = n <= FEW_ROWS ? FEW_ROWS_DIGIT_BITS : DIGIT_BITS;
    int[] from = order;
    int[] to = new int[n];
    for (int shift = 0; shift < Long.SIZE && range >>> shift != 0; shift += bits) {
      pass(keys, from, to, shift, 1 << bits);
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void pass(long[] keys, int[] from, int[] to, int shift, int buckets) {
    int[] start = new int[buckets + 1];
    for (int row : from) {
      start[(int) (keys[row] >>> shift & buckets - 1) + 1]++;
    }
    for (int i = 0; i < buckets; i++) {
      start[i + 1] += start[i];
    }
    for (int row : from) {
      to[start[(int) (keys[row] >>> shift & buckets - 1)]++] = row;
    }
  }
}
