package dev.eddyline.analysis.timeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * A growing column of {@code long} values in chunks of {@value #CHUNK}. A full chunk is packed: its
 * smallest value and, per row, the difference to it in 0, 1, 2, 4 or 8 bytes. Not safe for use by
 * several threads while it grows; afterwards any number of threads may read.
 */
public final class LongColumn {
  static final int SHIFT = 12;
  static final int CHUNK = 1 << SHIFT;
  private static final int MASK = CHUNK - 1;
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] CONSTANT = new byte[0];

  /** A short column has no room for a whole chunk; many columns are short. */
  private static final int FIRST_ROOM = 16;

  private byte[][] data = new byte[4][];
  private long[] base = new long[4];
  private byte[] width = new byte[4];
  private int chunks;
  private long[] open = new long[FIRST_ROOM];
  private int openSize;

  /** Appends one value. */
  public void add(long value) {
    if (openSize == open.length) {
      makeRoom(openSize + 1);
    }
    open[openSize++] = value;
    if (openSize == CHUNK) {
      pack();
    }
  }

  /** Appends the first {@code count} of some values. */
  public void addAll(long[] values, int count) {
    for (int from = 0; from < count; ) {
      int size = Math.min(count - from, CHUNK - openSize);
      makeRoom(openSize + size);
      System.arraycopy(values, from, open, openSize, size);
      openSize += size;
      from += size;
      if (openSize == CHUNK) {
        pack();
      }
    }
  }

  private void makeRoom(int values) {
    if (open.length < values) {
      open = Arrays.copyOf(open, values <= CHUNK >> 4 ? CHUNK >> 4 : CHUNK);
    }
  }

  /** How many values the column holds. */
  public int size() {
    return (chunks << SHIFT) + openSize;
  }

  /**
   * The value of a row.
   *
   * @throws IndexOutOfBoundsException if there is no such row
   */
  public long get(int row) {
    int chunk = row >>> SHIFT;
    int at = row & MASK;
    if (chunk >= chunks) {
      if (chunk > chunks || at >= openSize) {
        throw new IndexOutOfBoundsException(row);
      }
      return open[at];
    }
    byte[] bytes = data[chunk];
    return base[chunk]
        + switch (width[chunk]) {
          case 0 -> 0L;
          case 1 -> bytes[at] & 0xFFL;
          case 2 -> (short) SHORTS.get(bytes, at << 1) & 0xFFFFL;
          case 4 -> (int) INTS.get(bytes, at << 2) & 0xFFFF_FFFFL;
          default -> (long) LONGS.get(bytes, at << 3);
        };
  }

  /** All values in a new array. */
  public long[] toArray() {
    long[] all = new long[size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = get(i);
    }
    return all;
  }

  /** A new column that holds this one's rows in the given order. */
  LongColumn permuted(int[] order) {
    LongColumn result = new LongColumn();
    for (int row : order) {
      result.add(get(row));
    }
    return result;
  }

  /** A new column in which the values from a row on are changed. */
  LongColumn rewritten(int fromRow, LongUnaryOperator change) {
    LongColumn result = new LongColumn();
    int size = size();
    for (int i = 0; i < size; i++) {
      long value = get(i);
      result.add(i < fromRow ? value : change.applyAsLong(value));
    }
    return result;
  }

  private void pack() {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (long value : open) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    long range = max - min;
    int bytes;
    if (range == 0) {
      bytes = 0;
    } else if (range < 0 || range > 0xFFFF_FFFFL) {
      bytes = 8;
    } else if (range <= 0xFF) {
      bytes = 1;
    } else {
      bytes = range <= 0xFFFF ? 2 : 4;
    }
    if (chunks == data.length) {
      data = Arrays.copyOf(data, chunks * 2);
      base = Arrays.copyOf(base, chunks * 2);
      width = Arrays.copyOf(width, chunks * 2);
    }
    data[chunks] = bytes == 0 ? CONSTANT : packed(min, bytes);
    base[chunks] = min;
    width[chunks] = (byte) bytes;
    chunks++;
    openSize = 0;
  }

  private byte[] packed(long min, int bytes) {
    byte[] target = new byte[CHUNK * bytes];
    for (int i = 0; i < CHUNK; i++) {
      long value = open[i] - min;
      switch (bytes) {
        case 1 -> target[i] = (byte) value;
        case 2 -> SHORTS.set(target, i << 1, (short) value);
        case 4 -> INTS.set(target, i << 2, (int) value);
        default -> LONGS.set(target, i << 3, value);
      }
    }
    return target;
  }
}
