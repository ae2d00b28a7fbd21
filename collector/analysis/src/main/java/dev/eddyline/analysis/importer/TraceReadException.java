package dev.eddyline.analysis.importer;

import java.io.IOException;

/** A file that cannot be read as a trace; the message is one line for the user, with the place. */
public final class TraceReadException extends IOException {
  private static final long serialVersionUID = 1L;

  public TraceReadException(String message) {
    super(message);
  }

  public TraceReadException(String message, Throwable cause) {
    super(message, cause);
  }
}
