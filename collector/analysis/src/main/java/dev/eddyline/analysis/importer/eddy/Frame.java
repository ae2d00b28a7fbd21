package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.trace.FrameHeader;

/** Where a frame lies in its file: its skippable frame begins at {@code offset}. */
record Frame(long offset, FrameHeader header) {
  /** Offset of the zstd frame. */
  long content() {
    return offset + FrameHeader.BYTES;
  }

  /** Offset after the last byte. */
  long end() {
    return content() + header.compressed();
  }
}
