package dev.eddyline.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The traces that lie in samples/traces; {@code -Dgolden.update=true} records them again. */
class RecordedTracesTest {
  private static final Path TRACES = Path.of("traces");
  private static final long MOST_BYTES = 100_000;

  @TempDir Path folder;

  private Path trace(String story, String variant) throws IOException {
    Path kept = TRACES.resolve(story + "-" + variant + "-sim-rank0.eddy");
    if (Boolean.getBoolean("golden.update")) {
      Story of = Samples.story(story);
      String record = folder.resolve("%r.eddy").toString();
      Samples.device("sim")
          .run(
              new SampleDevice.Run(2, 0, record),
              platform -> of.run(platform, variant, of.steps()));
      Files.copy(folder.resolve("0.eddy"), kept, StandardCopyOption.REPLACE_EXISTING);
    }
    return kept;
  }

  @ParameterizedTest
  @CsvSource({
    "wait-or-block, wait, none",
    "wait-or-block, overlap, none",
    "wait-or-block, current-stream, none",
    "wait-or-block, block, sync-on-collective",
    "wait-or-block, poll, poll-loop",
    "coalescing, right, none",
    "distributed-adam, right, none",
    "callback-from-pool, right, none",
    "callback-from-pool, pool, sync-on-collective",
    "streaming-diloco, right, none",
    "streaming-diloco, sync, sync-on-collective",
    "recovery-stream, right, none",
    "recovery-stream, behind, sync-on-collective",
    "tp-gather, right, none",
    "coalescing, no-handle, unordered-access unawaited-collective",
    "coalescing, early-event, early-event",
    "coalescing, nested, early-event",
    "distributed-adam, early-event, early-event",
    "distributed-adam, no-handle, unordered-access",
    "streaming-diloco, no-copy, unordered-access",
    "tp-gather, broken, reuse-before-done",
  })
  void what_is_found_in_them(String story, String variant, String rule) throws IOException {
    assertThat(found(trace(story, variant)))
        .isEqualTo(rule.equals("none") ? List.of() : List.of(rule.split(" ")));
  }

  private static List<String> found(Path trace) throws IOException {
    assertThat(trace).exists();
    assertThat(Files.size(trace)).isLessThanOrEqualTo(MOST_BYTES);
    return Analyzer.analyze(
            Traces.open(List.of(trace), ReadOptions.defaults()), AnalysisOptions.defaults())
        .report()
        .findings()
        .stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .map(Finding::rule)
        .filter(rule -> !rule.equals("exposed-collective"))
        .toList();
  }
}
