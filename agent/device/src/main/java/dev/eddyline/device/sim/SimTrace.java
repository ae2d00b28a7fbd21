package dev.eddyline.device.sim;

import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A trace of a simulation, in memory: the bytes of an {@code .eddy} file. */
public final class SimTrace {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  SimTrace() {}

  FrameSink sink() {
    return new FrameSink() {
      @Override
      public void write(FrameHeader header, byte[] frame, int length) {
        bytes.write(frame, 0, length);
      }

      @Override
      public void close() {}
    };
  }

  /** The bytes. */
  public byte[] bytes() {
    return bytes.toByteArray();
  }

  /**
   * Writes the file; one that is there is replaced.
   *
   * @return the path
   */
  public Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}
