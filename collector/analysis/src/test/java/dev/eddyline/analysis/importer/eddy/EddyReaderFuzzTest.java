package dev.eddyline.analysis.importer.eddy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class EddyReaderFuzzTest {
  private static final long MAX_RECORDS = 300_000;

  @FuzzTest(maxDuration = "12m")
  void whateverTheBytesAreReadingEnds(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("fuzz", ".eddy");
    try {
      read(file, bytes);
      read(file, FrameForge.withRightHashes(bytes));
    } finally {
      Files.delete(file);
    }
  }

  private static void read(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes);
    TimelineBuilder builder = new TimelineBuilder();
    try {
      new EddyReader(MAX_RECORDS, 1).read(file, builder, ReadOptions.defaults());
    } catch (TraceReadException refused) {
      return;
    }
    builder.build().isEmpty();
  }
}
