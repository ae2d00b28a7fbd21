package dev.eddyline.analysis.graph;

import java.util.Arrays;

/**
 * How far one thing knows another one, over time: pairs of a moment and a value, both growing. A
 * query is a search from the end, since most ask for what holds now.
 */
final class Changes {
  private static final int FIRST_ROOM = 4;
  private int[] moments = new int[FIRST_ROOM];
  private int[] values = new int[FIRST_ROOM];
  private int size;

  /** The value that holds now; {@link HappensBefore#NEVER} at first. */
  int last() {
    return size == 0 ? HappensBefore.NEVER : values[size - 1];
  }

  /** Sets a greater value from a moment on, which is not before the last one. */
  void set(int moment, int value) {
    if (size > 0 && moments[size - 1] == moment) {
      values[size - 1] = value;
      return;
    }
    if (size == moments.length) {
      int room = size + (size >> 1);
      moments = Arrays.copyOf(moments, room);
      values = Arrays.copyOf(values, room);
    }
    moments[size] = moment;
    values[size++] = value;
  }

  /** The value that holds at a moment, changes of that moment included. */
  int at(int moment) {
    int high = size;
    for (int step = 1; high > 0 && moments[high - 1] > moment; step <<= 1) {
      int low = Math.max(0, high - step);
      if (moments[low] <= moment) {
        return values[search(low, high, moment)];
      }
      high = low;
    }
    return high == 0 ? HappensBefore.NEVER : values[high - 1];
  }

  /** The last place in [low, high) that is not after a moment; the one at low is not. */
  private int search(int low, int high, int moment) {
    int from = low;
    int to = high;
    while (to - from > 1) {
      int middle = (from + to) >>> 1;
      if (moments[middle] <= moment) {
        from = middle;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** How many changes are kept. */
  int size() {
    return size;
  }
}
