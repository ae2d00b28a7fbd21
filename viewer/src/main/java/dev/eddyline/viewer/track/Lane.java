package dev.eddyline.viewer.track;

import java.util.Arrays;

/**
 * Intervals that do not overlap, in order of time, each with the row of the table that it stands
 * for. Times are kept as differences to the first of each block of {@value #BLOCK}, in four bytes;
 * a lane whose times do not fit keeps whole ones. Immutable; any number of threads may read.
 */
public final class Lane {
  private static final int SHIFT = 8;
  static final int BLOCK = 1 << SHIFT;
  private static final long MASK = 0xFFFF_FFFFL;
  private static final long[] NONE = {};

  private final int size;
  private final long[] blockStart;

  /** Offset to the block's first start in the upper half, duration in the lower: read together. */
  private final long[] packed;

  private final long[] wideStart;
  private final long[] wideEnd;
  private final int[] item;
  private final byte[] tone;

  private Lane(Builder source) {
    size = source.size;
    item = Arrays.copyOf(source.item, size);
    tone = Arrays.copyOf(source.tone, size);
    if (source.fits()) {
      blockStart = new long[(size + BLOCK - 1) >> SHIFT];
      packed = new long[size];
      wideStart = NONE;
      wideEnd = NONE;
      for (int i = 0; i < size; i++) {
        if ((i & BLOCK - 1) == 0) {
          blockStart[i >> SHIFT] = source.start[i];
        }
        long offset = source.start[i] - blockStart[i >> SHIFT];
        packed[i] = offset << 32 | source.end[i] - source.start[i];
      }
    } else {
      blockStart = NONE;
      packed = NONE;
      wideStart = Arrays.copyOf(source.start, size);
      wideEnd = Arrays.copyOf(source.end, size);
    }
  }

  /** How many intervals there are. */
  public int size() {
    return size;
  }

  /** Begin of an interval, nanoseconds since the Unix epoch. */
  public long start(int index) {
    return wideStart.length > 0
        ? wideStart[index]
        : blockStart[index >> SHIFT] + (packed[index] >>> 32);
  }

  /** End of an interval, later than its begin. */
  public long end(int index) {
    return wideEnd.length > 0 ? wideEnd[index] : start(index) + (packed[index] & MASK);
  }

  /** Row of the table that an interval stands for. */
  public int item(int index) {
    return item[index];
  }

  /**
   * What kind of thing an interval stands for, as whoever made the lane numbers kinds: kept beside
   * the times, because looking it up in a table for each of many columns costs a frame.
   */
  public int tone(int index) {
    return tone[index];
  }

  /** The first interval that ends after a time; {@link #size()} if none does. */
  public int firstEndingAfter(long timeNs) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (end(middle) <= timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The interval that holds a time, or -1. */
  public int at(long timeNs) {
    int index = firstEndingAfter(timeNs);
    return index < size && start(index) <= timeNs ? index : -1;
  }

  /** Collects the intervals of a lane in order of time. */
  public static final class Builder {
    private long[] start = new long[16];
    private long[] end = new long[16];
    private int[] item = new int[16];
    private byte[] tone = new byte[16];
    private int size;

    /** End of the last interval; before all time where there is none. */
    long lastEnd() {
      return size == 0 ? Long.MIN_VALUE : end[size - 1];
    }

    void add(long startNs, long endNs, int row, int kind) {
      if (size == start.length) {
        int room = size + (size >> 1) + 16;
        start = Arrays.copyOf(start, room);
        end = Arrays.copyOf(end, room);
        item = Arrays.copyOf(item, room);
        tone = Arrays.copyOf(tone, room);
      }
      start[size] = startNs;
      end[size] = endNs;
      tone[size] = (byte) kind;
      item[size++] = row;
    }

    private boolean fits() {
      for (int i = 0; i < size; i++) {
        long first = start[i & ~(BLOCK - 1)];
        if (start[i] - first > MASK || end[i] - start[i] > MASK) {
          return false;
        }
      }
      return true;
    }

    Lane build() {
      return new Lane(this);
    }
  }
}
