package dev.eddyline.analysis.importer.eddy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class EddyReaderFuzzTest {
  private static final long MAX_RECORDS = 20_000;
  private static final EddyReader READER = new EddyReader(MAX_RECORDS, 1);
  @TempDir private static Path folder;

  @FuzzTest(maxDuration = "12m")
  void whateverTheBytesAreReadingEnds(byte[] bytes) throws IOException {
    read(bytes);
    read(FrameForge.withRightHashes(bytes));
  }

  private static void read(byte[] bytes) throws IOException {
    Path file = folder.resolve("fuzz.eddy");
    Files.write(file, bytes);
    TimelineBuilder builder = new TimelineBuilder();
    try {
      READER.read(file, builder, ReadOptions.defaults());
    } catch (TraceReadException refused) {
      return;
    }
    builder.build().isEmpty();
  }
}
