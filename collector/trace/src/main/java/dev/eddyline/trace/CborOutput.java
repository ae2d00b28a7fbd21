package dev.eddyline.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer that CBOR (RFC 8949) is written into, as far as the trace file needs it. */
final class CborOutput {
  private static final int UNSIGNED = 0x00;
  private static final int NEGATIVE = 0x20;
  private static final int BYTE_STRING = 0x40;
  private static final int TEXT = 0x60;
  private static final int ARRAY = 0x80;
  private static final int MAP = 0xA0;
  private static final int TAG = 0xC0;
  private static final int ONE_BYTE = 24;
  private static final int TWO_BYTES = 25;
  private static final int FOUR_BYTES = 26;
  private static final int EIGHT_BYTES = 27;
  private static final int LONGEST_HEAD = 9;
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[4096];
  private int size;

  /** The bytes written so far lie at 0 … {@link #size()}−1; valid until the next write. */
  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  void array(int elements) {
    head(ARRAY, elements);
  }

  void map(int pairs) {
    head(MAP, pairs);
  }

  void tag(int tag) {
    head(TAG, tag);
  }

  void integer(long value) {
    if (value >= 0) {
      head(UNSIGNED, value);
    } else {
      head(NEGATIVE, ~value);
    }
  }

  /** Text in UTF-8; a surrogate without its partner becomes a question mark. */
  void text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    head(TEXT, utf8.length);
    ensure(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
  }

  /**
   * The head of a byte string whose content the caller then puts into {@link #bytes()}.
   *
   * @return where the content begins
   */
  int byteString(int length) {
    head(BYTE_STRING, length);
    ensure(length);
    int at = size;
    size += length;
    return at;
  }

  private void head(int major, long value) {
    ensure(LONGEST_HEAD);
    if (value < ONE_BYTE) {
      bytes[size++] = (byte) (major | value);
    } else if (value <= 0xFF) {
      bytes[size++] = (byte) (major | ONE_BYTE);
      bytes[size++] = (byte) value;
    } else if (value <= 0xFFFF) {
      bytes[size++] = (byte) (major | TWO_BYTES);
      SHORTS.set(bytes, size, (short) value);
      size += Short.BYTES;
    } else if (value <= 0xFFFF_FFFFL) {
      bytes[size++] = (byte) (major | FOUR_BYTES);
      INTS.set(bytes, size, (int) value);
      size += Integer.BYTES;
    } else {
      bytes[size++] = (byte) (major | EIGHT_BYTES);
      LONGS.set(bytes, size, value);
      size += Long.BYTES;
    }
  }

  private void ensure(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, size + (size >> 1)));
    }
  }
}
