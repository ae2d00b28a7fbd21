package dev.eddyline.analysis.timeline;

import java.util.Arrays;

/**
 * Finds the row that has a correlation id in a process: a hash table on primitive arrays. Where
 * several rows share one id the first is found.
 */
final class CorrelationIndex {
  private static final int FREE = -1;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
  private final long[] keys;
  private final int[] rows;
  private final int shift;

  CorrelationIndex(int expected) {
    int bits = Math.max(4, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, expected)) + 1);
    keys = new long[1 << bits];
    rows = new int[1 << bits];
    shift = Long.SIZE - bits;
    Arrays.fill(rows, FREE);
  }

  private static long key(int process, long correlation) {
    return correlation << 12 ^ process;
  }

  void put(int process, long correlation, int row) {
    long key = key(process, correlation);
    int at = (int) (key * MIX >>> shift);
    while (rows[at] != FREE) {
      if (keys[at] == key) {
        return;
      }
      at = at + 1 & rows.length - 1;
    }
    keys[at] = key;
    rows[at] = row;
  }

  /** The row, or -1. */
  int find(int process, long correlation) {
    if (correlation < 0) {
      return FREE;
    }
    long key = key(process, correlation);
    int at = (int) (key * MIX >>> shift);
    while (rows[at] != FREE) {
      if (keys[at] == key) {
        return rows[at];
      }
      at = at + 1 & rows.length - 1;
    }
    return FREE;
  }
}
