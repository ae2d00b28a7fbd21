package dev.eddyline.analysis.importer.eddy;

/** A frame cannot be used; the message says, in words, what was expected in its place. */
final class DamagedFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  DamagedFrameException(String expected) {
    super(expected);
  }

  DamagedFrameException(String expected, Throwable cause) {
    super(expected, cause);
  }

  String expected() {
    return String.valueOf(getMessage());
  }
}
