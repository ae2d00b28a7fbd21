package dev.eddyline.analysis.importer.kineto;

import java.util.SplittableRandom;

/** A small hash table from pairs of numbers to numbers that are not negative, without boxing. */
final class IdTable {
  static final int ABSENT = -1;
  private static final int FIRST_SIZE = 64;
  private final long mix = new SplittableRandom().nextLong() | 1;
  private long[] first = new long[FIRST_SIZE];
  private long[] second = new long[FIRST_SIZE];
  private int[] values = new int[FIRST_SIZE];
  private int size;

  /** The value of a pair, or {@link #ABSENT}. */
  int get(long a, long b) {
    return values[slot(a, b)] - 1;
  }

  /** Sets the value of a pair that is not there yet. */
  void put(long a, long b, int value) {
    if (size * 2 >= values.length) {
      grow();
    }
    int at = slot(a, b);
    first[at] = a;
    second[at] = b;
    values[at] = value + 1;
    size++;
  }

  int size() {
    return size;
  }

  private int slot(long a, long b) {
    long h = (a * mix ^ b) * mix;
    int at = (int) (h ^ h >>> 32) & values.length - 1;
    while (values[at] != 0 && (first[at] != a || second[at] != b)) {
      at = at + 1 & values.length - 1;
    }
    return at;
  }

  private void grow() {
    long[] oldFirst = first;
    long[] oldSecond = second;
    int[] old = values;
    first = new long[old.length * 2];
    second = new long[old.length * 2];
    values = new int[old.length * 2];
    for (int i = 0; i < old.length; i++) {
      if (old[i] != 0) {
        int at = slot(oldFirst[i], oldSecond[i]);
        first[at] = oldFirst[i];
        second[at] = oldSecond[i];
        values[at] = old[i];
      }
    }
  }
}
