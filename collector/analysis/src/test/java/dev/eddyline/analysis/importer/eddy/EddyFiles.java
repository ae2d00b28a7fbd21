package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

public final class EddyFiles {
  private static final long MAX_RECORDS = 10_000_000;

  private EddyFiles() {}

  public static final class MemorySink implements FrameSink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(FrameHeader header, byte[] frame, int length) {
      bytes.write(frame, 0, length);
    }

    @Override
    public void close() {}

    public byte[] bytes() {
      return bytes.toByteArray();
    }
  }

  public static Timeline read(Path file) throws IOException {
    return read(file, 2);
  }

  public static Timeline read(Path file, int parallelism) throws IOException {
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader(MAX_RECORDS, parallelism).read(file, builder, ReadOptions.defaults());
    return builder.build();
  }

  public static Timeline read(Path folder, byte[] bytes) throws IOException {
    Path file = folder.resolve("bytes.eddy");
    Files.write(file, bytes);
    return read(file, 1);
  }
}
