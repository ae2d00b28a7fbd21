package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class MisuseTest {
  private static Report report(Scenario scenario) {
    return Analyzer.analyze(scenario.timeline(), AnalysisOptions.defaults()).report();
  }

  private static List<Finding> of(Report report, String rule) {
    return report.findings().stream().filter(f -> f.rule().equals(rule)).toList();
  }

  @Test
  void without_return_codes_misuse_is_not_evaluated() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    String because = "the trace does not hold what calls returned";

    assertThat(report(scenario).notEvaluated())
        .contains(
            new NotEvaluated("async-error", because),
            new NotEvaluated("capture-violation", because),
            new NotEvaluated("wrong-device", because));
  }

  private static Scenario eventSyncElsewhere(int result) {
    Scenario scenario = new Scenario().onDevice("s0", 0).onDevice("s1", 1).result(0);
    scenario.kernel("K", "s0", 0, 5, 10);
    scenario.record("e", "s0", 1);
    scenario.onThread(2);
    scenario.kernel("L", "s1", 2, 6, 12);
    scenario.result(result);
    scenario.synchronizeEvent("e", 20, 25);
    return scenario;
  }

  @Test
  void a_sync_of_another_devices_event_that_fails_names_both_devices() {
    Finding finding = of(report(eventSyncElsewhere(400)), "wrong-device").get(0);

    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);
    assertThat(finding.summary())
        .isEqualTo(
            "cudaEventSynchronize on thread 2, which works on device 1, was about device 0 and"
                + " returned error 400, invalid resource handle.");
  }

  @Test
  void waiting_for_another_devices_event_is_allowed() {
    assertThat(of(report(eventSyncElsewhere(0)), "wrong-device")).isEmpty();
  }

  @Test
  void the_first_call_with_an_ops_error_names_the_ops_in_flight() {
    Scenario scenario = new Scenario().result(0);
    scenario.kernel("done", "s", 0, 1, 4);
    scenario.kernel("gather", "s", 5, 10, 30);
    scenario.kernel("copy", "t", 6, 12, 40);
    scenario.result(700);
    scenario.synchronize("s", 20, 31);
    scenario.result(700);
    scenario.call("cudaMemcpyAsync", 50, 1);
    Finding finding = of(report(scenario), "async-error").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
    assertThat(finding.summary())
        .matches(
            "cudaStreamSynchronize \\(call \\d+\\) was the first to return error 700, illegal"
                + " address: the fault is at or before it.");
    assertThat(finding.explanation())
        .contains("In flight when it returned: the kernel gather on stream s; the kernel copy on")
        .doesNotContain("kernel done")
        .contains("1 later calls returned such an error, too");
  }

  @Test
  void a_query_of_unfinished_work_is_no_error() {
    Scenario scenario = new Scenario().result(0);
    scenario.kernel("K", "s", 0, 5, 100);
    scenario.record("e", "s", 1);
    scenario.result(600);
    scenario.query("e", 10);

    assertThat(report(scenario).findings())
        .extracting(Finding::rule)
        .doesNotContain("async-error", "capture-violation", "wrong-device");
  }

  private static Scenario capture(int pollResult, int endResult) {
    Scenario scenario = new Scenario().result(0);
    scenario.kernel("K", "s", 0, 5, 10);
    scenario.record("e", "s", 1);
    scenario.call("cudaStreamBeginCapture", 20, 1);
    scenario.onThread(2);
    scenario.result(pollResult);
    scenario.query("e", 25);
    scenario.onThread(1);
    scenario.result(endResult);
    scenario.call("cudaStreamEndCapture", 30, 1);
    return scenario;
  }

  @Test
  void a_poll_of_another_thread_inside_a_capture_that_it_broke_is_named() {
    Finding finding = of(report(capture(900, 901)), "capture-violation").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
    assertThat(finding.summary())
        .isEqualTo(
            "cudaEventQuery on thread 2 inside the capture of thread 1 returned error 900, not"
                + " permitted while a stream captures.");
    assertThat(finding.explanation())
        .contains("Its cudaStreamEndCapture returned error 901, the capture was invalidated.");
  }

  @Test
  void the_same_poll_in_relaxed_mode_is_allowed() {
    assertThat(of(report(capture(0, 0)), "capture-violation")).isEmpty();
  }

  @Test
  void a_capture_that_cannot_be_ended_says_so() {
    Finding finding = of(report(capture(0, 904)), "capture-violation").get(0);

    assertThat(finding.summary())
        .isEqualTo("cudaStreamEndCapture returned error 904, a stream was not joined.");
  }
}
