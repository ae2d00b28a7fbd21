package dev.eddyline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoldenTest {
  @TempDir Path folder;

  private static String trace(String name) {
    for (String folder : List.of(Cli.SAMPLES, Cli.STORIES, Cli.H200, Cli.PUBLIC)) {
      if (Files.exists(Path.of(folder, name + ".json.gz"))) {
        return folder + name + ".json.gz";
      }
    }
    throw new IllegalArgumentException(name);
  }

  private static String output(String... args) {
    Cli run = Cli.run(args);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "diloco_before_rank0",
        "diloco_after_rank0",
        "callback_block_rank0",
        "timeout_wait_rank0",
        "gather_tp_rank0",
        "hta_event_sync_multi_stream",
        "hta_rank0of16_graphlaunch"
      })
  void analyze_as_text(String name) throws IOException {
    Golden.compare("analyze_" + name + ".txt", output("analyze", trace(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"diloco_before_rank0", "diloco_after_rank0"})
  void analyze_as_json(String name) throws IOException {
    Golden.compare("analyze_" + name + ".json", output("analyze", "--format", "json", trace(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"diloco_before_rank0", "hta_rank0of16_graphlaunch"})
  void analyze_as_markdown(String name) throws IOException {
    Golden.compare(
        "analyze_" + name + ".md", output("analyze", "--format", "markdown", trace(name)));
  }

  @Test
  void analyze_of_two_ranks() throws IOException {
    Golden.compare(
        "analyze_diloco_before_both.txt",
        output("analyze", trace("diloco_before_rank0"), trace("diloco_before_rank1")));
  }

  @Test
  void analyze_with_a_name() throws IOException {
    Golden.compare(
        "analyze_diloco_before_named.txt",
        output(
            "analyze",
            "--name",
            "rank0:25=fragment-1",
            "--top",
            "1",
            trace("diloco_before_rank0")));
  }

  @Test
  void analyze_of_a_malformed_file_with_recovery() throws IOException {
    Golden.compare(
        "analyze_puzzlers_same_priority_MALFORMED.txt",
        output("analyze", "--recover", trace("puzzlers_same_priority_MALFORMED")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"diloco_before_rank0", "hta_rank0of16_graphlaunch"})
  void info(String name) throws IOException {
    Golden.compare("info_" + name + ".txt", output("info", trace(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"diloco_before_rank0", "diloco_after_rank0", "hta_event_sync_multi_stream"})
  void export_of_edges(String name) throws IOException {
    Path target = folder.resolve("edges.jsonl");
    output("export", trace(name), "--to", "edges", "-o", target.toString());

    Golden.compare("edges_" + name + ".jsonl", Files.readString(target));
  }

  @ParameterizedTest
  @ValueSource(strings = {"waits", "syncs", "findings"})
  void export_of_tables(String table) throws IOException {
    Path target = folder.resolve("table.csv");
    output(
        "export",
        trace("diloco_before_rank0"),
        "--to",
        "csv",
        "--table",
        table,
        "-o",
        target.toString());

    Golden.compare(
        "csv_diloco_before_rank0_" + table + ".csv",
        Files.readString(target).replace("\r\n", "\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "diloco_before_rank0",
        "diloco_after_rank0",
        "gather_tp_rank0",
        "hta_alexnet_sync_nocorr",
        "hta_rank0of16_graphlaunch"
      })
  void deps(String name) throws IOException {
    Golden.compare("deps_" + name + ".txt", output("deps", trace(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "json", "dot", "markdown"})
  void deps_of_two_traces(String format) throws IOException {
    Golden.compare(
        "deps_diloco." + format,
        output(
            "deps",
            "--name",
            "25=fragment-1",
            "--name",
            "21=fragment-0",
            "--format",
            format,
            trace("diloco_before_rank0"),
            trace("diloco_after_rank0")));
  }

  @Test
  void deps_of_a_simulated_run() throws IOException {
    Golden.compare(
        "deps_streaming-diloco-right.txt",
        output("deps", Cli.SAMPLES + "streaming-diloco-right-sim-rank0.eddy"));
  }

  /** What all rules say of all traces: each line was looked at, and is right. */
  @Test
  void findings_of_all_real_and_simulated_traces() throws IOException {
    List<Path> traces = new ArrayList<>();
    for (String place : List.of(Cli.SAMPLES, Cli.STORIES, Cli.H200, Cli.PUBLIC)) {
      try (Stream<Path> files = Files.walk(Path.of(place))) {
        files.filter(file -> file.toString().matches(".*\\.(json\\.gz|eddy)")).forEach(traces::add);
      }
    }
    traces.sort(Comparator.comparing(Path::toString));
    StringBuilder text = new StringBuilder();
    for (Path trace : traces) {
      text.append(trace.getFileName()).append('\n');
      ReadOptions options = new ReadOptions(true, TraceReadLimits.defaults(), n -> {});
      Timeline timeline = Traces.open(List.of(trace), options);
      for (Finding finding :
          Analyzer.analyze(timeline, AnalysisOptions.defaults()).report().findings()) {
        String expected = finding.expected() ? ", expected" : "";
        text.append("  ").append(finding.severity().word()).append(expected).append(' ');
        text.append(finding.rule()).append(' ').append(finding.confidence().word()).append('\n');
        text.append("      ").append(finding.summary()).append('\n');
      }
    }
    Golden.compare("findings_of_all_traces.txt", text.toString());
  }
}
