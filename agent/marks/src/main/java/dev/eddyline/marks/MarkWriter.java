package dev.eddyline.marks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes one record after the other into the same buffer; one for each thread. */
final class MarkWriter {
  private static final int MOST_STRINGS = 3;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(
              MarkLayout.NUMBERS_OFFSET
                  + MarkLayout.COLLECTIVE_NUMBERS * Long.BYTES
                  + MOST_STRINGS * (Short.BYTES + MarkLayout.MAX_STRING))
          .order(ByteOrder.LITTLE_ENDIAN);

  MarkWriter begin(int kind) {
    buffer.clear();
    buffer.putShort((short) MarkLayout.VERSION);
    buffer.putShort((short) kind);
    buffer.putInt(0);
    buffer.putLong(System.nanoTime());
    buffer.putLong(Thread.currentThread().getId());
    return this;
  }

  MarkWriter number(long value) {
    buffer.putLong(value);
    return this;
  }

  MarkWriter text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MarkLayout.MAX_STRING) {
      bytes = Arrays.copyOf(bytes, wholeCharacters(bytes));
    }
    buffer.putShort((short) bytes.length);
    buffer.put(bytes);
    return this;
  }

  /** The longest length within bounds that cuts no character. */
  private static int wholeCharacters(byte[] bytes) {
    int length = MarkLayout.MAX_STRING;
    while ((bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    return length;
  }

  ByteBuffer finish() {
    buffer.putInt(MarkLayout.LENGTH_OFFSET, buffer.position());
    return buffer.flip();
  }
}
