package dev.eddyline.analysis.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.importer.eddy.EddyFiles;
import dev.eddyline.analysis.importer.eddy.TimelineText;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KinetoToEddyTest {
  private static final long MANY_RECORDS = 10_000;
  private static final long MAX_BYTES_PER_RECORD = 12;
  private static final Path TRACES = Path.of("src/test/resources/traces/kineto");
  @TempDir private Path folder;

  private static List<Path> traces() throws IOException {
    try (Stream<Path> files = Files.walk(TRACES)) {
      return files.filter(file -> file.toString().endsWith(".json.gz")).toList();
    }
  }

  @Test
  void everyTraceComesBackEqualAndSmall() throws IOException {
    List<Path> traces = traces();
    assertThat(traces).isNotEmpty();
    for (Path trace : traces) {
      Timeline timeline;
      try {
        timeline = Traces.open(List.of(trace), ReadOptions.defaults());
      } catch (TraceReadException malformedOnPurpose) {
        continue;
      }
      Path file = folder.resolve("run.eddy");
      EddyExport.write(timeline, file, false, true);

      assertThat(TimelineText.of(EddyFiles.read(file)))
          .as(trace.toString())
          .isEqualTo(TimelineText.of(timeline));
      long records = 0;
      for (RecordType type : RecordType.values()) {
        records += timeline.table(type).size();
      }
      if (records >= MANY_RECORDS) {
        assertThat(Files.size(file))
            .as(trace.toString())
            .isLessThan(records * MAX_BYTES_PER_RECORD);
      }
    }
  }
}
