package dev.eddyline.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.report.ReportOptions;
import dev.eddyline.analysis.report.TextReport;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {
  private static final int RANKS = 2;

  @TempDir Path folder;

  private List<Story.Numbers> run(String story, String variant, long seed) throws IOException {
    Story of = Samples.story(story);
    String record = folder.resolve(variant + "-%r.eddy").toString();
    return Samples.device("sim")
        .run(
            new SampleDevice.Run(RANKS, seed, record),
            platform -> of.run(platform, variant, of.steps()));
  }

  private Report report(String variant, int rank) throws IOException {
    Path file = folder.resolve(variant + "-" + rank + ".eddy");
    return Analyzer.analyze(
            Traces.open(List.of(file), ReadOptions.defaults()), AnalysisOptions.defaults())
        .report();
  }

  private static List<Finding> faults(Report report) {
    return report.findings().stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .filter(finding -> !finding.rule().equals("exposed-collective"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "wait-or-block, wait",
    "wait-or-block, overlap",
    "wait-or-block, current-stream",
    "coalescing, right",
    "distributed-adam, right",
    "callback-from-pool, right",
    "streaming-diloco, right",
    "recovery-stream, right",
    "tp-gather, right",
    "tp-gather, event",
  })
  void right_forms_give_right_numbers_on_any_schedule_and_no_warning(String story, String variant)
      throws IOException {
    for (long seed = 0; seed < 6; seed++) {
      assertThat(run(story, variant, seed))
          .as("%s %s, seed %d", story, variant, seed)
          .hasSize(RANKS)
          .allMatch(Story.Numbers::areRight);
      for (int rank = 0; rank < RANKS && seed == 0; rank++) {
        assertThat(faults(report(variant, rank))).as("rank %d", rank).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "wait-or-block, block, sync-on-collective, 4",
    "wait-or-block, poll, poll-loop, 4",
    "callback-from-pool, pool, sync-on-collective, 2",
    "streaming-diloco, sync, sync-on-collective, 8",
    "recovery-stream, behind, sync-on-collective, 4",
  })
  void broken_forms_that_hold_the_host_are_found_with_certainty(
      String story, String variant, String rule, int steps) throws IOException {
    assertThat(run(story, variant, 0)).allMatch(Story.Numbers::areRight);
    List<Finding> faults = faults(report(variant, 0));
    assertThat(faults).extracting(Finding::rule).containsExactly(rule);
    Finding fault = faults.get(0);
    assertThat(fault.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(fault.guessed()).isEmpty();
    assertThat(fault.steps()).isEqualTo(steps);
  }

  @ParameterizedTest
  @CsvSource({
    "coalescing, no-handle",
    "coalescing, early-event",
    "coalescing, nested",
    "distributed-adam, no-handle",
    "distributed-adam, early-event",
    "streaming-diloco, no-copy",
    "tp-gather, broken",
  })
  void broken_forms_without_order_give_wrong_numbers(String story, String variant)
      throws IOException {
    assertThat(run(story, variant, 0)).anyMatch(numbers -> !numbers.areRight());
  }

  @Test
  void a_callback_from_the_pool_is_told_with_its_steps_and_the_two_roles_of_the_stream()
      throws IOException {
    run("callback-from-pool", "pool", 0);
    Path file = folder.resolve("pool-0.eddy");
    StringWriter text = new StringWriter();
    Timeline timeline = Traces.open(List.of(file), ReadOptions.defaults());
    Report report = Analyzer.analyze(timeline, AnalysisOptions.defaults()).report();
    TextReport.write(timeline, report, new ReportOptions(10, List.of()), text);

    assertThat(text.toString().replaceAll("\\s+", " "))
        .contains("the host stood still until collectives were done 2 of 64 steps blocked")
        .contains("Stream fragment-1 had played two roles by then, fragment and callback.")
        .contains("A stream from a pool can be one that something else already uses.")
        .contains("Give each role a stream of its own. Otherwise: put the wait");
  }

  @Test
  void a_callback_from_the_pool_makes_computing_wait_in_some_steps() throws IOException {
    assertThat(run("callback-from-pool", "pool-compute", 0)).allMatch(Story.Numbers::areRight);
    assertThat(faults(report("pool-compute", 0)))
        .allSatisfy(fault -> assertThat(fault.steps()).isLessThanOrEqualTo(4));
  }

  @ParameterizedTest
  @CsvSource({"streaming-diloco, right", "callback-from-pool, pool", "coalescing, right"})
  void the_same_seed_gives_the_same_trace(String story, String variant) throws IOException {
    run(story, variant, 7);
    byte[] first = Files.readAllBytes(folder.resolve(variant + "-0.eddy"));
    run(story, variant, 7);
    assertThat(Files.readAllBytes(folder.resolve(variant + "-0.eddy"))).isEqualTo(first);
  }

  // ---- the command line ----

  private static String[] words(String line) {
    return line.split(" ");
  }

  @Test
  void the_command_line_runs_a_sample_and_says_how_its_numbers_are() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String pattern = folder.resolve("x-%r.eddy").toString();
    String line =
        "coalescing no-handle --ranks 3 --steps 2 --device sim --seed 0 --record " + pattern;
    int code =
        Samples.run(words(line), new PrintStream(out, true, StandardCharsets.UTF_8), System.err);
    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(3)
        .allMatch(text -> text.startsWith("coalescing no-handle, rank "))
        .allMatch(text -> text.contains("numbers WRONG, by up to "));
    assertThat(folder.resolve("x-2.eddy")).exists();
  }

  @Test
  void without_the_cuda_device_the_class_path_is_to_blame() throws IOException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
    assertThat(Samples.run(words("coalescing --device cuda"), System.out, to)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("samples: device 'cuda' needs eddyline-cuda on the class path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing | there is no sample 'nothing'; there are: wait-or-block, coalescing,",
        "coalescing wrong | sample 'coalescing' has no variant 'wrong'; it has: right, no-handle,",
        "coalescing --ranks none | --ranks needs a positive whole number, not 'none'",
        "coalescing --seed x | --seed needs a whole number, not 'x'",
        "coalescing --device tpu | there is no device 'tpu' on the class path; there are: sim,"
            + " cuda",
        "coalescing --device cuda --record x | --record is for the simulated device; a real one",
        "coalescing --agent a.jar --out x | --agent and --out are for --device cuda; the simulated",
        "coalescing --device cuda --agent a.jar | --agent and --out go together",
        "coalescing --record | --record needs a value",
        "coalescing --loud 1 | there is no option --loud",
        "a b c | name one sample and at most one of its variants",
      })
  void wrong_arguments_are_explained(String line, String message) throws IOException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Samples.run(words(line), System.out, new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(code).isEqualTo(3);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("samples: " + message);
  }
}
