package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.StreamInfo.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntanglementTest {
  private static final String ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

  private static Report report(Scenario scenario) {
    return Analyzer.analyze(scenario.timeline(), AnalysisOptions.defaults()).report();
  }

  private static List<Finding> of(Report report, String rule) {
    return report.findings().stream().filter(f -> f.rule().equals(rule)).toList();
  }

  /**
   *
   *
   * <pre>
   * s1      KKKKKKKKKK
   * legacy            LLLL
   * s2                    MMMM
   * </pre>
   */
  private static Scenario throughLegacy(Kind kind) {
    Scenario scenario = new Scenario();
    scenario.kind("legacy", Kind.LEGACY_DEFAULT).kind("s1", kind).kind("s2", kind);
    scenario.kernel("K1", "s1", 0, 5, 100);
    scenario.kernel("K2", "legacy", 2, 101, 150);
    scenario.kernel("K3", "s2", 4, 151, 200);
    return scenario;
  }

  @Test
  void the_legacy_default_stream_makes_blocking_streams_wait_and_the_time_is_told() {
    Finding finding = of(report(throughLegacy(Kind.BLOCKING)), "legacy-default-stream").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.idleNs()).isEqualTo(97_000 + 145_000);
    assertThat(finding.summary())
        .isEqualTo(
            "The legacy default stream made blocking streams wait for one another: 0.242 ms lost in"
                + " 2 ops.");
    assertThat(finding.explanation())
        .contains("legacy waited for s1 once, 0.097 ms; s2 waited for legacy once, 0.145 ms");
    assertThat(finding.remedy()).contains("cudaStreamNonBlocking");
  }

  @Test
  void non_blocking_streams_are_exempt_and_unknown_ones_are_not_judged() {
    assertThat(of(report(throughLegacy(Kind.NON_BLOCKING)), "legacy-default-stream")).isEmpty();

    Report unknown = report(throughLegacy(Kind.UNKNOWN));
    assertThat(of(unknown, "legacy-default-stream")).isEmpty();
    assertThat(unknown.notEvaluated())
        .contains(
            new NotEvaluated(
                "legacy-default-stream", "the trace does not say which streams are blocking"));
  }

  private static Scenario waits(boolean twice) {
    Scenario scenario = new Scenario();
    for (int i = 0; i < 3; i++) {
      double at = 100 * i;
      scenario.kernel("A" + i, "a", at, at + 5, at + 20);
      scenario.record("e" + i, "a", at + 1);
      scenario.await("b", "e" + i, at + 2);
      if (twice) {
        scenario.await("b", "e" + i, at + 3);
      }
      scenario.kernel("B" + i, "b", at + 4, at + 21, at + 30);
    }
    return scenario;
  }

  @Test
  void a_second_wait_for_the_same_work_is_redundant_and_the_first_is_not() {
    assertThat(of(report(waits(false)), "redundant-wait")).isEmpty();

    Finding finding = of(report(waits(true)), "redundant-wait").get(0);
    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.occurrences()).hasSize(3);
    assertThat(finding.summary())
        .startsWith("Stream b waited 3 times for a though it comes after that work anyway;");
  }

  @Test
  void a_wait_that_passes_on_the_order_with_a_third_stream_is_not_redundant() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "a", 0, 5, 10);
    scenario.record("a", "a", 1);
    scenario.await("b", "a", 2);
    scenario.kernel("B", "b", 3, 11, 20);
    for (int i = 0; i < 4; i++) {
      double at = 100 + 100 * i;
      scenario.kernel("C" + i, "c", at, at + 5, at + 10);
      scenario.record("c" + i, "c", at + 1);
      scenario.await("a", "c" + i, at + 2);
      scenario.record("a" + i, "a", at + 3);
      scenario.await("b", "a" + i, at + 4);
      scenario.kernel("B" + i, "b", at + 5, at + 11, at + 20);
    }

    assertThat(of(report(scenario), "redundant-wait")).isEmpty();
  }

  @Test
  void where_a_wait_is_not_known_redundant_ones_are_not_judged() {
    Scenario scenario = waits(true);
    scenario.awaitUnknown("b", 500);
    Report report = report(scenario);

    assertThat(of(report, "redundant-wait")).isEmpty();
    assertThat(report.notEvaluated())
        .contains(new NotEvaluated("redundant-wait", "needs to know what every wait waits for"));
  }

  private static Scenario neverBeside(int blocks, boolean ordered) {
    Scenario scenario = new Scenario(132);
    for (int i = 0; i < 10; i++) {
      double at = 1000 * i;
      scenario.blocks(blocks);
      scenario.kernel("gemm", "s", at, at + 5, at + 300);
      if (ordered) {
        scenario.record("e" + i, "s", at + 1);
        scenario.await("n", "e" + i, at + 2);
      }
      scenario.kernel(ALL_REDUCE, "n", at + 3, at + 301, at + 600);
    }
    return scenario;
  }

  @Test
  void streams_without_a_dependency_that_never_overlap_are_a_possible_queue_limit() {
    Finding finding = of(report(neverBeside(16, false)), "no-overlap").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.confidence()).isEqualTo(Confidence.POSSIBLE);
    assertThat(finding.summary())
        .isEqualTo(
            "No dependency found between s and n, yet no overlap: 10 ops of n waited for an op of s"
                + " to end; possible hardware queue limit.");
  }

  @Test
  void a_full_device_or_a_wait_explains_it() {
    assertThat(of(report(neverBeside(1000, false)), "no-overlap")).isEmpty();
    assertThat(of(report(neverBeside(16, true)), "no-overlap")).isEmpty();
  }

  @Test
  void only_communication_ran_is_told_per_communicator_with_its_numbers() {
    Report report = RealTraces.analyze("h200_pytorch/diloco_before_rank0.json.gz").report();
    Finding finding = of(report, "exposed-collective").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.steps()).isEqualTo(3);
    assertThat(finding.summary())
        .isEqualTo(
            "In 11.480 of the 41.228 ms in which 3 all-reduces of default_pg ran, nothing else did:"
                + " 11.023 in #0, 0.443 in #1, 0.014 in #2.");
    assertThat(finding.explanation())
        .isEqualTo(
            "Stream 7 had work queued and stood still; it went on 1.5 us after #0 and 1.6 us after"
                + " #1 had ended. One rank's file cannot tell a slow transfer from waiting for rank"
                + " 1; add its file.");
    Finding slower = of(report, "contention").get(0);
    assertThat(slower.severity()).isEqualTo(Severity.INFO);
    assertThat(slower.summary())
        .startsWith("9 of 24 of the kernel of aten::mm ran beside a collective and took 3.33");
  }

  @Test
  void with_both_ranks_waiting_is_told_apart_from_transfer() {
    List<Path> both =
        List.of(
            RealTraces.path("h200_pytorch/diloco_before_rank0.json.gz"),
            RealTraces.path("h200_pytorch/diloco_before_rank1.json.gz"));
    Report report = Analyzer.analyze(RealTraces.open(both), AnalysisOptions.defaults()).report();

    assertThat(of(report, "exposed-collective").get(0).explanation())
        .contains("39.921 ms of the 41.228 ms were waiting for the last rank, 1.307 ms transfer.");
  }

  @Test
  void what_is_hidden_is_no_finding_but_one_line() {
    Report report = RealTraces.analyze("h200_pytorch/diloco_after_rank0.json.gz").report();
    Finding finding = of(report, "exposed-collective").get(0);

    assertThat(finding.expected()).isTrue();
    assertThat(finding.summary())
        .isEqualTo("3 all-reduces of default_pg, 1.866 ms, hidden but for 0.015 ms.");
    assertThat(of(report, "contention")).isEmpty();
  }
}
