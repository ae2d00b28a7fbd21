package dev.eddyline.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How the values of one column stand in a block: a CBOR array of two or three elements.
 *
 * <pre>
 *   [ encoding, base ]              every value is base
 *   [ encoding, base, u ]           u: RFC 8746 typed array, one unsigned number per row,
 *                                   in the narrowest of 1, 2, 4 and 8 bytes, little endian
 *
 *   encoding 0, offset:  value[i] = base + u[i]
 *   encoding 1, delta:   value[i] = value[i-1] + zigzag(u[i]),  value[-1] = base
 *                        zigzag(u) = u / 2 for even u, -(u + 1) / 2 for odd u
 * </pre>
 *
 * Sums wrap at 64 bits, so that every {@code long} can be told.
 */
public final class ColumnCodec {
  /** Encoding: offsets from the base. */
  public static final int OFFSET = 0;

  /** Encoding: zigzag differences to the value before. */
  public static final int DELTA = 1;

  /** RFC 8746 tag of an array of unsigned bytes. */
  public static final int TAG_UINT8 = 64;

  /** RFC 8746 tag of an array of little-endian unsigned 16-bit numbers. */
  public static final int TAG_UINT16 = 69;

  /** RFC 8746 tag of an array of little-endian unsigned 32-bit numbers. */
  public static final int TAG_UINT32 = 70;

  /** RFC 8746 tag of an array of little-endian unsigned 64-bit numbers. */
  public static final int TAG_UINT64 = 71;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ColumnCodec() {}

  /**
   * The bytes per value of a typed array, or 0 where the tag is none of ours.
   *
   * @param tag an RFC 8746 tag
   */
  public static int widthOf(int tag) {
    return switch (tag) {
      case TAG_UINT8 -> 1;
      case TAG_UINT16 -> 2;
      case TAG_UINT32 -> 4;
      case TAG_UINT64 -> 8;
      default -> 0;
    };
  }

  /**
   * Writes a column of at least one row in the shorter of the two encodings; where both are as
   * long, in the column's own.
   */
  static void encode(Column.Encoding preferred, long[] values, int rows, CborOutput out) {
    long min = values[0];
    long max = values[0];
    long folds = 0;
    long before = values[0];
    for (int i = 1; i < rows; i++) {
      long value = values[i];
      min = Math.min(min, value);
      max = Math.max(max, value);
      folds |= fold(value - before);
      before = value;
    }
    int offsetWidth = width(max - min);
    int deltaWidth = width(folds);
    boolean delta =
        preferred == Column.Encoding.DELTA ? deltaWidth <= offsetWidth : deltaWidth < offsetWidth;
    delta &= offsetWidth != 0;
    int width = delta ? deltaWidth : offsetWidth;
    out.array(width == 0 ? 2 : 3);
    out.integer(delta ? DELTA : OFFSET);
    out.integer(delta ? values[0] : min);
    if (width == 0) {
      return;
    }
    out.tag(
        width == 1 ? TAG_UINT8 : width == 2 ? TAG_UINT16 : width == 4 ? TAG_UINT32 : TAG_UINT64);
    int at = out.byteString(rows * width);
    if (delta) {
      putDeltas(values, rows, width, out.bytes(), at);
    } else {
      putOffsets(values, min, rows, width, out.bytes(), at);
    }
  }

  private static long fold(long difference) {
    return difference << 1 ^ difference >> 63;
  }

  private static int width(long unsigned) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(unsigned);
    return bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  }

  private static void putOffsets(
      long[] values, long base, int rows, int width, byte[] target, int at) {
    switch (width) {
      case 1 -> {
        for (int i = 0; i < rows; i++) {
          target[at + i] = (byte) (values[i] - base);
        }
      }
      case 2 -> {
        for (int i = 0; i < rows; i++) {
          SHORTS.set(target, at + (i << 1), (short) (values[i] - base));
        }
      }
      case 4 -> {
        for (int i = 0; i < rows; i++) {
          INTS.set(target, at + (i << 2), (int) (values[i] - base));
        }
      }
      default -> {
        for (int i = 0; i < rows; i++) {
          LONGS.set(target, at + (i << 3), values[i] - base);
        }
      }
    }
  }

  private static void putDeltas(long[] values, int rows, int width, byte[] target, int at) {
    long before = values[0];
    switch (width) {
      case 1 -> {
        for (int i = 0; i < rows; before = values[i++]) {
          target[at + i] = (byte) fold(values[i] - before);
        }
      }
      case 2 -> {
        for (int i = 0; i < rows; before = values[i++]) {
          SHORTS.set(target, at + (i << 1), (short) fold(values[i] - before));
        }
      }
      case 4 -> {
        for (int i = 0; i < rows; before = values[i++]) {
          INTS.set(target, at + (i << 2), (int) fold(values[i] - before));
        }
      }
      default -> {
        for (int i = 0; i < rows; before = values[i++]) {
          LONGS.set(target, at + (i << 3), fold(values[i] - before));
        }
      }
    }
  }

  /**
   * Turns the numbers of a typed array into the values of a column.
   *
   * @param encoding {@link #OFFSET} or {@link #DELTA}
   * @param base the column's base
   * @param numbers the content of the typed array, at least {@code rows * width} bytes
   * @param width bytes per number, 1, 2, 4 or 8
   * @param target takes {@code rows} values
   */
  public static void decode(
      int encoding, long base, byte[] numbers, int width, long[] target, int rows) {
    switch (width) {
      case 1 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = numbers[i] & 0xFFL;
        }
      }
      case 2 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = (short) SHORTS.get(numbers, i << 1) & 0xFFFFL;
        }
      }
      case 4 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = (int) INTS.get(numbers, i << 2) & 0xFFFF_FFFFL;
        }
      }
      default -> {
        for (int i = 0; i < rows; i++) {
          target[i] = (long) LONGS.get(numbers, i << 3);
        }
      }
    }
    if (encoding == OFFSET) {
      for (int i = 0; i < rows; i++) {
        target[i] += base;
      }
    } else {
      long value = base;
      for (int i = 0; i < rows; i++) {
        long folded = target[i];
        value += folded >>> 1 ^ -(folded & 1);
        target[i] = value;
      }
    }
  }
}
