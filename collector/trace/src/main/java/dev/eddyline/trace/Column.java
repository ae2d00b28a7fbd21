package dev.eddyline.trace;

import java.util.Objects;

/**
 * One column of a {@link RecordType}: a name and the way its values are stored in a frame.
 *
 * @param name field name in the frame, stable once released
 * @param encoding how a frame stores the values
 */
public record Column(String name, Encoding encoding) {

  /** How a frame stores the values of a column; the value itself is always a {@code long}. */
  public enum Encoding {
    /** Values as they are, from the smallest of the frame. */
    PLAIN,
    /** Differences to the value before; for times and ids that grow. */
    DELTA
  }

  public Column {
    Objects.requireNonNull(name);
    Objects.requireNonNull(encoding);
  }

  static Column plain(String name) {
    return new Column(name, Encoding.PLAIN);
  }

  static Column delta(String name) {
    return new Column(name, Encoding.DELTA);
  }
}
