package dev.eddyline.analysis.importer.kineto;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Finds the place to go on behind a malformed one: the next '{' that may begin an element of an
 * array and whose first field is one that events begin with. Keeps count of bytes, lines and
 * columns, and notices the times' origin on the way.
 */
final class Resync {
  private static final Set<String> FIRST_FIELDS =
      Set.of("ph", "cat", "name", "pid", "tid", "ts", "dur", "args");
  private static final byte[] BASE =
      "\"baseTimeNanoseconds\"".getBytes(StandardCharsets.ISO_8859_1);
  private static final int MAX_KEY = 8;
  private static final int MAX_HELD = 4096;
  private static final long MAX_BASE = Long.MAX_VALUE / 10 - 1;

  private final Splice input;
  private final byte[] buffer = new byte[8192];
  private int at;
  private int size;
  private long offset;
  private long line;
  private long column;
  private int previous = ',';
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private final StringBuilder key = new StringBuilder();
  private boolean inKey;
  private int baseMatched;
  private long baseDigits = -1;
  private long base = -1;

  /** Starts at a place of a stream: bytes before it, its line and column, both from 1. */
  Resync(Splice input, long offset, long line, long column) {
    this.input = input;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }

  long offset() {
    return offset;
  }

  long line() {
    return line;
  }

  long column() {
    return column;
  }

  /** The times' origin, if it was among what was skipped, or -1. */
  long base() {
    return base;
  }

  /** Goes to the next event; the stream's next byte is its '{' then. False at the end. */
  boolean toNextEvent() throws IOException {
    while (fill()) {
      int b = buffer[at++];
      watchBase(b);
      if (held.size() > 0) {
        held.write(b);
        if (isCandidateDone(b)) {
          return true;
        }
      }
      if (held.size() == 0 && b == '{' && previous != ':') {
        held.write(b);
        inKey = false;
        key.setLength(0);
      } else if (held.size() == 0) {
        count(b);
      }
      previous = b > ' ' || b < 0 ? b : previous;
    }
    return false;
  }

  /** Goes to the first byte that is no blank; the stream's next byte is that one. -1: the end. */
  int toNextByte() throws IOException {
    while (fill()) {
      int b = buffer[at];
      if (b > ' ' || b < 0) {
        putBack(new byte[0]);
        return b & 0xFF;
      }
      at++;
      count(b);
    }
    return -1;
  }

  private boolean fill() throws IOException {
    if (at == size) {
      at = 0;
      size = Math.max(0, input.read(buffer, 0, buffer.length));
    }
    return at < size;
  }

  private boolean isCandidateDone(int b) {
    if (!inKey) {
      if (b == '"') {
        inKey = true;
      } else if (b < 0 || b > ' ' || held.size() > MAX_HELD) {
        dropCandidate();
      }
      return false;
    }
    if (b == '"' && FIRST_FIELDS.contains(key.toString())) {
      putBack(held.toByteArray());
      return true;
    }
    if (b == '"' || key.length() == MAX_KEY) {
      dropCandidate();
    } else {
      key.append((char) b);
    }
    return false;
  }

  /** It was no event: its bytes are skipped too, but for the last, which is still to be judged. */
  private void dropCandidate() {
    byte[] bytes = held.toByteArray();
    held.reset();
    for (int i = 0; i < bytes.length - 1; i++) {
      count(bytes[i]);
    }
  }

  private void putBack(byte[] before) {
    byte[] all = new byte[before.length + size - at];
    System.arraycopy(before, 0, all, 0, before.length);
    System.arraycopy(buffer, at, all, before.length, size - at);
    at = size;
    input.putBack(all);
  }

  private void count(int b) {
    offset++;
    column++;
    if (b == '\n') {
      line++;
      column = 1;
    }
  }

  private void watchBase(int b) {
    if (baseMatched < BASE.length) {
      baseMatched = b == BASE[baseMatched] ? baseMatched + 1 : b == BASE[0] ? 1 : 0;
      baseDigits = -1;
    } else if (b >= '0' && b <= '9' && baseDigits < MAX_BASE) {
      baseDigits = Math.max(0, baseDigits) * 10 + (b - '0');
    } else if (baseDigits >= 0) {
      base = baseDigits;
      baseMatched = 0;
    } else if (b > ' ' && b != ':') {
      baseMatched = 0;
    }
  }
}
