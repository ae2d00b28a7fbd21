package dev.eddyline.cli;

import java.io.IOException;

/** Output that could not be written; the message is one line that says where and why. */
public final class OutputException extends IOException {
  private static final long serialVersionUID = 1L;
  private final boolean readerGone;

  /** Output to a place that is full, missing or forbidden. */
  public OutputException(String message, IOException cause) {
    this(message, cause, false);
  }

  OutputException(String message, IOException cause, boolean readerGone) {
    super(message, cause);
    this.readerGone = readerGone;
  }

  /** Whether nobody reads any more, as after {@code | head}: no reason to complain. */
  boolean readerGone() {
    return readerGone;
  }
}
