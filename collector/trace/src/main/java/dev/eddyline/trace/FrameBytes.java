package dev.eddyline.trace;

import java.nio.ByteBuffer;

/** Builds whole frames in one array that is used again: skippable frame, then zstd frame. */
final class FrameBytes implements AutoCloseable {
  private final Compressor compressor;
  private byte[] bytes = new byte[1 << 12];

  FrameBytes(Compressor compressor) {
    this.compressor = compressor;
  }

  boolean isRaw() {
    return compressor.isRaw();
  }

  /** The frame that {@link #pack} made last. */
  byte[] bytes() {
    return bytes;
  }

  /** Makes a frame of {@code content}; it lies in {@link #bytes()} from 0. */
  FrameHeader pack(FrameKind kind, CborOutput content, int records, long first, long last) {
    int room = FrameHeader.BYTES + compressor.bound(content.size());
    if (bytes.length < room) {
      bytes = new byte[room + (room >> 2)];
    }
    int compressed = compressor.compress(content.bytes(), content.size(), bytes, FrameHeader.BYTES);
    FrameHeader header =
        new FrameHeader(
            FrameHeader.VERSION,
            kind,
            compressor.isRaw(),
            compressed,
            content.size(),
            records,
            FrameHeader.hashOf(bytes, FrameHeader.BYTES, compressed),
            first,
            last);
    header.encode(ByteBuffer.wrap(bytes), 0);
    return header;
  }

  /** Length of the frame with this header. */
  static int length(FrameHeader header) {
    return FrameHeader.BYTES + header.compressed();
  }

  @Override
  public void close() {
    compressor.close();
  }
}
