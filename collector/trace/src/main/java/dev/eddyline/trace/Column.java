package dev.eddyline.trace;

import java.util.Objects;

/**
 * One column of a {@link RecordType}: a name, the way its values are stored in a frame, and what
 * they mean.
 *
 * @param name its name, stable once released
 * @param encoding how a frame stores the values
 * @param meaning what the values stand for
 */
public record Column(String name, Encoding encoding, Meaning meaning) {

  /** How a frame stores the values of a column; the value itself is always a {@code long}. */
  public enum Encoding {
    /** Values as they are, from the smallest of the frame. */
    PLAIN,
    /** Differences to the value before; for times and ids that grow. */
    DELTA
  }

  /** What the values of a column stand for; {@link RecordType#NONE} is "not known" in each. */
  public enum Meaning {
    /** A number, an id of the source, a code. */
    NUMBER,
    /** A moment, in nanoseconds on the axis of the trace. */
    TIME,
    /** An id of the dictionary of strings. */
    STRING,
    /** An id of the dictionary of processes. */
    PROCESS,
    /** An id of the dictionary of threads. */
    THREAD,
    /** An id of the dictionary of streams. */
    STREAM
  }

  public Column {
    Objects.requireNonNull(name);
    Objects.requireNonNull(encoding);
    Objects.requireNonNull(meaning);
  }

  static Column plain(String name) {
    return new Column(name, Encoding.PLAIN, Meaning.NUMBER);
  }

  static Column delta(String name) {
    return new Column(name, Encoding.DELTA, Meaning.NUMBER);
  }

  static Column time(String name) {
    return new Column(name, Encoding.DELTA, Meaning.TIME);
  }

  static Column string(String name) {
    return new Column(name, Encoding.PLAIN, Meaning.STRING);
  }

  static Column process(String name) {
    return new Column(name, Encoding.PLAIN, Meaning.PROCESS);
  }

  static Column thread(String name) {
    return new Column(name, Encoding.PLAIN, Meaning.THREAD);
  }

  static Column stream(String name) {
    return new Column(name, Encoding.PLAIN, Meaning.STREAM);
  }
}
