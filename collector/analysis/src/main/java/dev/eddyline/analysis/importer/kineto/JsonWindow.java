package dev.eddyline.analysis.importer.kineto;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * A part of a JSON stream in memory, with a cursor that goes over values and makes no objects of
 * them. Where a value reaches beyond the window, {@link Underflow} is thrown: the caller lets the
 * window {@link #slide} and reads the value again from its start.
 *
 * <p>Strict about structure. Lenient about what writers of traces are known to get wrong inside
 * values: any character may be escaped, control characters may stand in texts, a number may be
 * {@code inf} or {@code nan}, and a comma may stand before an end.
 */
final class JsonWindow {
  /** The value under the cursor reaches beyond the window. */
  static final class Underflow extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Underflow() {
      super(null, null, false, false);
    }
  }

  /** What a value is. */
  enum Kind {
    TEXT,
    NUMBER,
    /** true, false, null, and numbers that are none. */
    WORD,
    ARRAY,
    OBJECT
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_CAPACITY = 1 << 14;
  private static final int USUAL_CAPACITY = 1 << 20;
  private static final int LEAST_CAPACITY = 1 << 12;
  private static final int LARGEST_CAPACITY = 1 << 30;

  /** Closing quotes behind the window: so searches end without a test at every byte. */
  private static final int GUARD = 32;

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;
  private static final Set<String> WORDS =
      Set.of(
          "true",
          "false",
          "null",
          "NaN",
          "nan",
          "-NaN",
          "-nan",
          "Infinity",
          "-Infinity",
          "inf",
          "-inf");
  private static final int LONGEST_WORD = 9;

  private final InputStream source;
  private final int maxCapacity;
  private final int maxDepth;

  /** The bytes; valid up to {@link #limit}. */
  byte[] bytes;

  /** The cursor. */
  int at;

  /** End of the bytes that are there. */
  int limit;

  /** Start of the value that was read last; of a text, the byte after its quote. */
  int from;

  /** End of the value that was read last; of a text, its closing quote. */
  int to;

  private long before;

  /**
   * Starts at the start of a stream.
   *
   * @param maxCapacity bytes that the window may grow to, and so the longest value
   * @param maxDepth how deep values may be nested
   */
  JsonWindow(InputStream source, long maxCapacity, int maxDepth) {
    this.source = source;
    this.maxCapacity = (int) Math.min(Math.max(maxCapacity, LEAST_CAPACITY), LARGEST_CAPACITY);
    this.maxDepth = maxDepth;
    bytes = new byte[Math.min(FIRST_CAPACITY, this.maxCapacity) + GUARD];
    guard();
  }

  /** Offset in the stream of a place of the window. */
  long offset(int place) {
    return before + place;
  }

  /**
   * Lets go of the bytes before a place, which is the window's start afterwards, and reads on.
   *
   * @return false if the stream is at its end
   * @throws ScanFault if the window is as large as it may be, and would be full
   */
  boolean slide(int keepFrom) throws IOException, ScanFault {
    int kept = limit - keepFrom;
    if (kept >= maxCapacity) {
      throw new ScanFault(offset(keepFrom), "a value of at most " + maxCapacity + " bytes");
    }
    int now = bytes.length - GUARD;
    if (kept > now / 2 || limit == now && now < USUAL_CAPACITY) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(maxCapacity, now * 8L) + GUARD);
    }
    System.arraycopy(bytes, keepFrom, bytes, 0, kept);
    before += keepFrom;
    at -= keepFrom;
    limit = kept;
    int capacity = bytes.length - GUARD;
    boolean any = false;
    while (limit < capacity) {
      int n = source.read(bytes, limit, capacity - limit);
      if (n < 0) {
        break;
      }
      any |= n > 0;
      limit += n;
    }
    guard();
    return any;
  }

  private void guard() {
    Arrays.fill(bytes, limit, limit + GUARD, (byte) '"');
  }

  /** The first place from a given one on that has no blank or comma. */
  int behindSeparators(int place) {
    int i = place;
    while (i < limit && (bytes[i] == ',' || isBlank(bytes[i]))) {
      i++;
    }
    return i;
  }

  /** Whether the bytes begin with the mark of UTF-8, that some editors write. */
  boolean isByteOrderMark() {
    if (limit < 3) {
      throw new Underflow();
    }
    return bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
  }

  /** Goes over blanks; returns the byte under the cursor. */
  int next() {
    byte[] b = bytes;
    int i = at;
    while (b[i] <= ' ' && isBlank(b[i])) {
      i++;
    }
    at = i;
    if (i >= limit) {
      throw new Underflow();
    }
    return b[i];
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** A fault at the cursor. */
  ScanFault expected(String what) {
    return new ScanFault(offset(at), what);
  }

  /**
   * Goes over the quotes of a field's name and the colon; {@link #from} and {@link #to} are those
   * of the name. The cursor stands at the value then.
   */
  void name() throws ScanFault {
    if (next() != '"') {
      throw expected("a field name in quotes");
    }
    from = at + 1;
    to = endOfText(from);
    at = to + 1;
    if (bytes[at] != ':' && next() != ':') {
      throw expected("':' after the field name");
    }
    at++;
    next();
  }

  /**
   * Goes over what follows a value in an object.
   *
   * @return whether there is a further field
   */
  boolean isFurtherField() throws ScanFault {
    return isFurther('}', "',' or '}'");
  }

  /** Goes over what follows a value in an array; whether there is a further one. */
  boolean isFurtherElement() throws ScanFault {
    return isFurther(']', "',' or ']'");
  }

  private boolean isFurther(char end, String expected) throws ScanFault {
    int b = next();
    at++;
    if (b == ',') {
      if (next() != end) {
        return true;
      }
      at++;
      return false;
    }
    if (b != end) {
      at--;
      throw expected(expected);
    }
    return false;
  }

  /** Goes over the start of an object or array; whether it has anything in it. */
  boolean enter(char end) {
    at++;
    if (next() == end) {
      at++;
      return false;
    }
    return true;
  }

  /** Goes over any value; {@link #from} and {@link #to} are its own. */
  Kind value() throws ScanFault {
    int b = next();
    if (b == '"') {
      from = at + 1;
      to = endOfText(from);
      at = to + 1;
      return Kind.TEXT;
    }
    int start = at;
    Kind kind = Kind.NUMBER;
    if (b == '[') {
      skipArray(1);
      kind = Kind.ARRAY;
    } else if (b == '{') {
      skipObject(1);
      kind = Kind.OBJECT;
    } else if (!skipNumber()) {
      skipWord();
      kind = Kind.WORD;
    }
    from = start;
    to = at;
    return kind;
  }

  private void skip(int depth) throws ScanFault {
    switch (next()) {
      case '"' -> at = endOfText(at + 1) + 1;
      case '[' -> skipArray(depth + 1);
      case '{' -> skipObject(depth + 1);
      default -> {
        if (!skipNumber()) {
          skipWord();
        }
      }
    }
  }

  private void skipArray(int depth) throws ScanFault {
    checkDepth(depth);
    for (boolean more = enter(']'); more; more = isFurtherElement()) {
      skip(depth);
    }
  }

  private void skipObject(int depth) throws ScanFault {
    checkDepth(depth);
    for (boolean more = enter('}'); more; more = isFurtherField()) {
      name();
      skip(depth);
    }
  }

  private void checkDepth(int depth) throws ScanFault {
    if (depth > maxDepth) {
      throw expected("at most " + maxDepth + " levels of nesting");
    }
  }

  /** The closing quote of a text, by eight bytes at a time. */
  private int endOfText(int start) {
    byte[] b = bytes;
    int i = start;
    while (true) {
      long eight = (long) LONGS.get(b, i);
      long quotes = eight ^ QUOTES;
      long backslashes = eight ^ BACKSLASHES;
      long hits = (quotes - ONES & ~quotes | backslashes - ONES & ~backslashes) & HIGHS;
      if (hits == 0) {
        i += Long.BYTES;
        continue;
      }
      i += Long.numberOfTrailingZeros(hits) >>> 3;
      if (i >= limit) {
        throw new Underflow();
      }
      if (b[i] == '"') {
        return i;
      }
      i += 2;
    }
  }

  private boolean skipNumber() {
    byte[] b = bytes;
    int start = b[at] == '-' ? at + 1 : at;
    int i = skipDigits(b, start);
    boolean good = i > start;
    if (!isEnd(b[i])) {
      if (b[i] == '.') {
        start = i + 1;
        i = skipDigits(b, start);
        good &= i > start;
      }
      if (good && (b[i] | 0x20) == 'e') {
        start = b[i + 1] == '-' || b[i + 1] == '+' ? i + 2 : i + 1;
        i = skipDigits(b, start);
        good = i > start;
      }
    }
    if (i >= limit) {
      throw new Underflow();
    }
    if (good && isEnd(b[i])) {
      at = i;
      return true;
    }
    return false;
  }

  private static int skipDigits(byte[] b, int start) {
    int i = start;
    while (b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    return i;
  }

  private static boolean isEnd(byte b) {
    return b == ',' || b == '}' || b == ']' || isBlank(b);
  }

  private void skipWord() throws ScanFault {
    int i = at;
    while (i < limit && i - at <= LONGEST_WORD && !isEnd(bytes[i])) {
      i++;
    }
    if (i >= limit) {
      throw new Underflow();
    }
    if (!WORDS.contains(new String(bytes, at, i - at, StandardCharsets.ISO_8859_1))) {
      throw expected("a value");
    }
    at = i;
  }
}
