package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleScenarioTest {

  private static final String ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

  private static Report report(Scenario scenario) {
    return Analyzer.analyze(scenario.timeline(), AnalysisOptions.defaults()).report();
  }

  private static Finding only(Report report, String rule) {
    List<Finding> found = report.findings().stream().filter(f -> f.rule().equals(rule)).toList();
    assertThat(found).as(rule).hasSize(1);
    return found.get(0);
  }

  /**
   *
   *
   * <pre>
   * nccl   NNNNNNNNNNNNNNNNNNN e
   * s                          DDDD      waits for e
   * host      sync(s) ================|
   * </pre>
   */
  @Test
  void a_sync_behind_a_recorded_wait_for_a_collective_is_certain_and_names_the_edge() {
    Scenario scenario = new Scenario();
    scenario.collective("allreduce", "world", 0, 3);
    scenario.kernel(ALL_REDUCE, "nccl", 1, 10, 500);
    long record = scenario.record("e", "nccl", 2);
    long wait = scenario.await("s", "e", 4);
    scenario.kernel("divide", "s", 5, 501, 520);
    scenario.synchronize("s", 20, 525);
    scenario.kernel("later", "s", 600, 610, 620);
    Finding finding = only(report(scenario), "sync-on-collective");

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(finding.guessed()).isEmpty();
    assertThat(finding.title())
        .isEqualTo("the host stood still until all-reduce #0 of world was done");
    assertThat(finding.summary())
        .isEqualTo(
            "The host stood still once, 0.505 ms in all, until all-reduce #0 of world was done.");
    assertThat(finding.explanation())
        .contains("event recorded by call " + record + ", wait by call " + wait)
        .contains("before it all-reduce #0 of world had to end on stream nccl");
    assertThat(finding.explanation()).doesNotContain("role");
    assertThat(finding.remedy()).contains("an event recorded before that wait");
  }

  @Test
  void a_sync_on_a_collective_tells_that_its_stream_had_another_role_too() {
    Scenario scenario = new Scenario();
    scenario.role("s", "fragment", 0);
    scenario.role("s", "callback", 4);
    scenario.role("s", "later role", 600);
    scenario.role("nccl", "nccl", 0);
    scenario.collective("allreduce", "world", 0, 3);
    scenario.kernel(ALL_REDUCE, "nccl", 1, 10, 500);
    scenario.record("e", "nccl", 2);
    scenario.await("s", "e", 4);
    scenario.kernel("divide", "s", 5, 501, 520);
    scenario.synchronize("s", 20, 525);
    scenario.kernel("later", "s", 600, 610, 620);
    Finding finding = only(report(scenario), "sync-on-collective");

    assertThat(finding.explanation())
        .endsWith(
            " Stream s had played two roles by then, fragment and callback. A stream from a pool"
                + " can be one that something else already uses.");
    assertThat(finding.remedy()).startsWith("Give each role a stream of its own. Otherwise: put ");
  }

  @Test
  void a_sync_that_found_the_collective_done_already_is_latent() {
    Scenario scenario = new Scenario();
    scenario.collective("allreduce", "world", 0, 3);
    long launch = scenario.kernel(ALL_REDUCE, "nccl", 1, 10, 500);
    scenario.record("e", "nccl", 2);
    scenario.await("s", "e", 4);
    scenario.kernel("divide", "s", 5, 501, 520);
    scenario.synchronize("s", 600, 606);
    scenario.synchronize("s", 610, 616);
    scenario.kernel("later", "s", 700, 710, 720);
    Report report = report(scenario);

    assertThat(report.findings()).extracting(Finding::rule).containsOnly("exposed-collective");
    assertThat(report.latentSyncs()).hasSize(1);
    LatentSync latent = report.latentSyncs().get(0);
    assertThat(latent.couldWaitFor()).containsExactly("all-reduce #0 of world");
    assertThat(latent.correlations()).containsExactly(launch);
    assertThat(latent.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(report.idleSyncs()).hasSize(2);
  }

  @Test
  void an_event_sync_on_an_earlier_step_is_an_intended_rate_limiter() {
    Scenario scenario = new Scenario();
    for (int step = 0; step < 3; step++) {
      double at = step * 1000;
      scenario.range(Range.KIND_ANNOTATION, "step" + step, at, at + 900);
      scenario.kernel("K", "s", at + 1, at + 500, at + 1400);
      if (step > 0) {
        scenario.synchronizeEvent("e", at + 10, at + 405);
      }
      scenario.record("e", "s", at + 800);
    }
    scenario.kernel("last", "s", 2950, 4500, 4600);
    Finding finding = only(report(scenario), "rate-limiter");

    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.steps()).isEqualTo(2);
    assertThat(finding.summary()).contains("intended, keeps the host at most some steps ahead");
  }

  @Test
  void a_stream_with_two_roles_is_shared_and_without_roles_that_is_not_evaluated() {
    Scenario scenario = new Scenario();
    scenario.role("s", "fragment-1", 0);
    scenario.role("s", "callback", 5);
    scenario.kernel("divide", "s", 6, 10, 500);
    scenario.synchronize("s", 20, 505);
    scenario.kernel("later", "s", 600, 610, 620);
    Finding finding = only(report(scenario), "shared-stream");
    assertThat(finding.summary()).contains("played more than one role: fragment-1 and callback");

    Scenario without = new Scenario();
    without.kernel("divide", "s", 6, 10, 500);
    without.synchronize("s", 20, 505);
    without.kernel("later", "s", 600, 610, 620);
    Report report = report(without);
    only(report, "explicit-sync");
    assertThat(report.notEvaluated())
        .contains(
            new NotEvaluated("shared-stream", "the trace does not name the roles of streams"));
  }

  @Test
  void an_allocation_that_ran_the_device_dry_is_reported() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 300);
    scenario.call("cudaFree", 10, 300);
    scenario.kernel("B", "s", 400, 410, 420);
    Finding finding = only(report(scenario), "allocation-sync");
    assertThat(finding.summary())
        .isEqualTo(
            "cudaFree held the host once, 0.300 ms in all: it returned when the device had run"
                + " dry.");
  }

  @Test
  void lost_records_are_a_warning_with_their_number() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    long[] row = {
      Scenario.ns(5), scenario.process(), scenario.builder().strings().intern("kernels"), 17
    };
    scenario.builder().add(RecordType.LOSS, row);
    Report report = report(scenario);

    assertThat(only(report, "dropped-records").summary())
        .isEqualTo("17 records were lost while recording (17 kernels).");
    assertThat(report.coverage().droppedRecords()).isEqualTo(17);
  }

  @Test
  void parts_left_out_are_named_with_their_bytes() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.builder().addSkipped(new SkippedRange(0, 100, 250, "expected a name in quotes"));
    Finding finding = only(report(scenario), "truncated-trace");

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.explanation())
        .contains("scenario from byte 100 to byte 250 (expected a name in quotes)");
  }

  @Test
  void an_op_that_starts_before_its_launch_is_clock_skew_beyond_the_tolerance() {
    Scenario fits = new Scenario();
    fits.kernel("A", "s", 20, 10, 30);
    assertThat(report(fits).findings()).isEmpty();

    Scenario skewed = new Scenario();
    skewed.kernel("A", "s", 500, 10, 30);
    assertThat(only(report(skewed), "clock-skew").summary())
        .isEqualTo("1 op started before the call that launched it, by up to 0.490 ms (A).");
  }

  @Test
  void unknown_waits_are_info_and_folded_and_a_guess_is_never_an_error() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.awaitUnknown("s", 1);
    Finding finding = only(report(scenario), "unknown-waits");
    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.expected()).isTrue();
    assertThat(finding.explanation())
        .contains("neither a missing wait nor one that waits for nothing");
  }

  @Test
  void a_device_sync_in_the_middle_is_a_warning_and_one_at_the_end_is_expected() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 300);
    scenario.call("cudaDeviceSynchronize", 10, 295);
    scenario.kernel("B", "s", 400, 410, 800);
    scenario.call("cudaDeviceSynchronize", 410, 395);
    Report report = report(scenario);
    List<Finding> syncs = report.findings();

    assertThat(syncs).extracting(Finding::rule).containsOnly("explicit-sync");
    assertThat(syncs)
        .extracting(Finding::severity)
        .containsExactly(Severity.WARNING, Severity.INFO);
    assertThat(syncs.get(1).expected()).isTrue();
  }

  @Test
  void findings_come_by_time_lost_with_info_last() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 100);
    scenario.range(Range.KIND_ANNOTATION, "short", 9, 110);
    scenario.synchronize("s", 10, 102);
    scenario.kernel("B", "s", 200, 205, 900);
    scenario.range(Range.KIND_ANNOTATION, "long", 209, 910);
    scenario.synchronize("s", 210, 902);
    scenario.kernel("C", "s", 1000, 1005, 1900);
    scenario.call("cudaDeviceSynchronize", 1010, 895);
    List<Finding> findings = report(scenario).findings();

    assertThat(findings).hasSize(3);
    assertThat(findings.get(0).blockedNs()).isEqualTo(692_000);
    assertThat(findings.get(1).blockedNs()).isEqualTo(92_000);
    assertThat(findings.get(2).expected()).isTrue();
  }

  @Test
  void every_rule_has_an_id_a_description_and_documented_parameters() {
    assertThat(Analyzer.rules())
        .extracting(Rule::id)
        .contains(
            "allocation-sync",
            "async-error",
            "capture-violation",
            "clock-skew",
            "contention",
            "dropped-records",
            "early-event",
            "empty-wait",
            "explicit-sync",
            "exposed-collective",
            "host-race",
            "implicit-sync",
            "late-wait",
            "launch-queue-full",
            "legacy-default-stream",
            "no-overlap",
            "overwritten-event",
            "pageable-copy",
            "poll-loop",
            "rate-limiter",
            "redundant-wait",
            "removable-dependency",
            "retained-memory",
            "reuse-before-done",
            "shared-stream",
            "sync-on-collective",
            "truncated-trace",
            "unawaited-collective",
            "unknown-waits",
            "unordered-access",
            "use-after-free",
            "wrong-device",
            "wrong-stream-wait");
    assertThat(Analyzer.rules()).extracting(Rule::id).doesNotHaveDuplicates().isSorted();
    assertThat(Analyzer.rules()).allMatch(rule -> rule.description().endsWith("."));
    assertThat(Analyzer.rules())
        .flatExtracting(Rule::parameters)
        .allSatisfy(parameter -> assertThat(parameter.description()).isNotBlank());
  }
}
