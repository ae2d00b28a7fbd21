package dev.eddyline.trace;

import java.io.Closeable;
import java.io.IOException;

/**
 * Where finished frames go. Called under the writer's lock, by one thread at a time, with whole
 * frames in the order of the file.
 */
public interface FrameSink extends Closeable {
  /**
   * Takes one frame: its skippable frame and the zstd frame behind it.
   *
   * @param header what it holds
   * @param bytes holds the frame; the writer uses the array again afterwards
   * @param length how many bytes of it, from 0
   * @throws IOException if it could not be written; then nothing of it may be left
   */
  void write(FrameHeader header, byte[] bytes, int length) throws IOException;

  /** Releases what the sink holds; no frame comes afterwards. */
  @Override
  void close() throws IOException;
}
