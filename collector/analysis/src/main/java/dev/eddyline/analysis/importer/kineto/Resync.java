package dev.eddyline.analysis.importer.kineto;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Finds the place to go on behind a malformed one: the next '{' that may begin an element of an
 * array and whose first field is one that events begin with. Notices the times' origin on the way.
 */
final class Resync {
  private static final Set<String> FIRST_FIELDS =
      Set.of("ph", "cat", "name", "pid", "tid", "ts", "dur", "args");
  private static final byte[] BASE =
      "\"baseTimeNanoseconds\"".getBytes(StandardCharsets.ISO_8859_1);

  /** Bytes behind a place that are looked at to judge it. */
  private static final int AHEAD = 256;

  private final JsonWindow window;
  private long base = -1;

  Resync(JsonWindow window) {
    this.window = window;
  }

  /** The times' origin, if it was among what was skipped, or -1. */
  long base() {
    return base;
  }

  /** Moves the window's cursor from where it stands to the next event; false: there is none. */
  boolean toNextEvent() throws IOException {
    byte previous = ',';
    boolean more = true;
    while (true) {
      if (more && window.limit - window.at < AHEAD) {
        more = slide();
      }
      if (window.at >= window.limit) {
        return false;
      }
      byte b = window.bytes[window.at];
      if (b == '{' && previous != ':' && isEventStart(window.at + 1)) {
        return true;
      }
      if (b == '"') {
        readBase(window.at);
      }
      previous = b > ' ' || b < 0 ? b : previous;
      window.at++;
    }
  }

  private boolean slide() throws IOException {
    try {
      return window.slide(window.at);
    } catch (ScanFault e) {
      throw new IllegalStateException("so little is kept that there is room", e);
    }
  }

  private boolean isEventStart(int behindBrace) {
    int i = skipBlanks(behindBrace);
    if (i >= window.limit || window.bytes[i] != '"') {
      return false;
    }
    int from = ++i;
    while (i < window.limit && window.bytes[i] != '"' && i - from < AHEAD) {
      i++;
    }
    return i < window.limit
        && FIRST_FIELDS.contains(
            new String(window.bytes, from, i - from, StandardCharsets.ISO_8859_1));
  }

  private int skipBlanks(int place) {
    int i = place;
    while (i < window.limit && window.bytes[i] <= ' ' && window.bytes[i] >= 0) {
      i++;
    }
    return i;
  }

  private void readBase(int quote) {
    for (int i = 0; i < BASE.length; i++) {
      if (window.bytes[Math.min(quote + i, window.limit)] != BASE[i]) {
        return;
      }
    }
    int colon = skipBlanks(quote + BASE.length);
    if (colon >= window.limit || window.bytes[colon] != ':') {
      return;
    }
    int from = skipBlanks(colon + 1);
    int to = from;
    while (to < window.limit && window.bytes[to] >= '0' && window.bytes[to] <= '9') {
      to++;
    }
    base = Math.max(base, Microseconds.toInteger(window.bytes, from, to));
  }
}
