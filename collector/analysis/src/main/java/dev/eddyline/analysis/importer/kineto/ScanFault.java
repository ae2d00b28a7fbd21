package dev.eddyline.analysis.importer.kineto;

/** The text is not JSON, or not what the reader needs, at a place of the window. */
final class ScanFault extends Exception {
  private static final long serialVersionUID = 1L;

  /** Offset in the file, of the expanded bytes where it is compressed. */
  private final long offset;

  private final String expected;

  ScanFault(long offset, String expected) {
    super(expected, null, false, false);
    this.offset = offset;
    this.expected = expected;
  }

  long offset() {
    return offset;
  }

  /** What was expected, to follow the word "expected". */
  String expected() {
    return expected;
  }
}
