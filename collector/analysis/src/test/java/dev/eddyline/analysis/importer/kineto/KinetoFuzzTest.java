package dev.eddyline.analysis.importer.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Any bytes: a timeline that can be read, or a message of one line. */
class KinetoFuzzTest {
  private static final TraceReadLimits LIMITS =
      new TraceReadLimits(8192, 128, 64, 16, 500, 40, 40, 1 << 20, 5);
  private static final Path FILE = temporary();

  private static Path temporary() {
    try {
      Path file = Files.createTempFile("kineto", ".json");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @FuzzTest(maxDuration = "15m")
  @DictionaryFile(resourcePath = "kineto.dict")
  void reads(byte[] bytes) throws IOException {
    Files.write(FILE, bytes);
    int strict = rows(false);
    int recovered = rows(true);
    assertThat(recovered).isGreaterThanOrEqualTo(strict);
  }

  private static int rows(boolean recover) throws IOException {
    try {
      Timeline timeline =
          KinetoTraces.readAgain(FILE, new ReadOptions(recover, LIMITS, bytes -> {}));
      int rows = 0;
      for (RecordType type : RecordType.values()) {
        Table table = timeline.table(type);
        long[] row = new long[type.width()];
        for (int i = 0; i < table.size(); i++) {
          table.copyRow(i, row);
        }
        rows += table.size();
      }
      walk(timeline);
      return rows;
    } catch (TraceReadException e) {
      assertThat(e.getMessage()).startsWith(FILE.toString()).doesNotContain("\n");
      return -1;
    }
  }

  private static void walk(Timeline timeline) {
    for (int i = 0; i < timeline.ops().size(); i++) {
      assertThat(timeline.ops().at(i).process()).isNotNegative();
      assertThat(timeline.ops().at(i).name()).isNotNull();
      assertThat(timeline.ops().at(i).duration()).isNotNegative();
    }
    for (int i = 0; i < timeline.calls().size(); i++) {
      assertThat(timeline.calls().at(i).process()).isNotNegative();
      assertThat(timeline.calls().at(i).kind()).isNotNull();
    }
    for (int i = 0; i < timeline.collectives().size(); i++) {
      assertThat(timeline.collectives().at(i).communicator()).isNotNull();
      assertThat(timeline.collectives().at(i).process()).isNotNegative();
    }
    for (int i = 0; i < timeline.waits().size(); i++) {
      assertThat(timeline.waits().at(i).stream()).isLessThan(timeline.streams().size());
    }
  }
}
