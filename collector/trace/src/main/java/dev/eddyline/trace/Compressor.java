package dev.eddyline.trace;

/** Makes one zstd frame with its content size of some bytes. For one thread at a time. */
interface Compressor extends AutoCloseable {
  /** Most bytes that a frame of this content can have. */
  int bound(int contentLength);

  /**
   * Compresses.
   *
   * @return length of the frame
   */
  int compress(byte[] content, int length, byte[] target, int at);

  /** Whether the frames hold raw blocks only. */
  boolean isRaw();

  @Override
  void close();
}
