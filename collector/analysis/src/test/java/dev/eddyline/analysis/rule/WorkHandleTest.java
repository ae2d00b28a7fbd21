package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.trace.RecordType.Range;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkHandleTest {
  private static final String SEND_RECV = "ncclDevKernel_SendRecv";
  private static final String ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
  private static final long WORK = 77;

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
   * nccl   groupStart  recv (noted down)  record(e1)  groupEnd: SendRecv
   * s                                                            wait(e1)  add
   * </pre>
   */
  private static Scenario sendRecv(double recorded, long workEvent, boolean awaited) {
    Scenario scenario = new Scenario();
    scenario.group(1, 1, 0, 20);
    if (recorded < 10) {
      scenario.record("e1", "nccl", recorded, WORK);
    }
    long launch = scenario.kernel(SEND_RECV, "nccl", 10, 30, 500);
    scenario.collectiveOf("recv", "world", "nccl", 1, 12, launch, workEvent);
    if (recorded > 10) {
      scenario.record("e1", "nccl", recorded, WORK);
    }
    if (awaited) {
      scenario.await("s", "e1", 25);
    }
    scenario.kernel("add", "s", 26, recorded < 10 ? 40 : 501, 520);
    scenario.call("cudaDeviceSynchronize", 530, 5);
    return scenario;
  }

  @Test
  void an_event_recorded_in_the_open_group_is_early_and_says_depth_and_closing() {
    Finding finding = of(report(sendRecv(5, WORK, true)), "early-event").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
    assertThat(finding.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(finding.title()).isEqualTo("the event was recorded before the work it stands for");
    assertThat(finding.summary())
        .isEqualTo(
            "An event for collectives of world was recorded on stream nccl before the work it"
                + " stands for was launched, once: a wait for it waits for none of them.");
    assertThat(finding.explanation())
        .contains("recorded it 0.004 ms after recv #0 was called, 1 group deep;")
        .contains("the end of the outermost group, 0.019 ms after the call, launched the work")
        .contains("Stream s waits for them, once, and goes on at once.")
        .contains("a device sync afterwards does not mend it");
    assertThat(finding.remedy()).contains("after the outermost group has been closed");
  }

  @Test
  void it_needs_no_reader_and_comes_before_findings_about_time() {
    Report report = report(sendRecv(5, WORK, false));
    Finding finding = of(report, "early-event").get(0);

    assertThat(report.findings().get(0)).isEqualTo(finding);
    assertThat(finding.explanation()).contains("No stream waits for these records.");
    assertThat(of(report, "unawaited-collective")).isEmpty();
  }

  @Test
  void of_an_event_that_is_not_known_to_be_the_handle_it_is_likely_and_no_error() {
    Finding finding = of(report(sendRecv(5, -1, true)), "early-event").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);
    assertThat(finding.guessed())
        .containsExactly("that this event is meant to stand for the collective");
  }

  @Test
  void an_event_recorded_behind_the_launch_is_right() {
    assertThat(of(report(sendRecv(15, WORK, true)), "early-event")).isEmpty();
    assertThat(of(report(sendRecv(15, WORK, true)), "unawaited-collective")).isEmpty();
  }

  @Test
  void another_event_recorded_meanwhile_is_not_taken_for_the_handle() {
    assertThat(of(report(sendRecv(5, WORK + 1, true)), "early-event")).isEmpty();
  }

  @Test
  void a_collective_that_nothing_waits_for_is_unawaited_although_a_device_sync_follows() {
    Scenario scenario = new Scenario();
    long launch = scenario.kernel(ALL_REDUCE, "nccl", 10, 30, 500);
    scenario.collectiveOf("allreduce", "world", "nccl", 1, 12, launch);
    scenario.kernel("adam", "s", 26, 40, 60);
    scenario.call("cudaDeviceSynchronize", 70, 440);
    Finding finding = of(report(scenario), "unawaited-collective").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);
    assertThat(finding.summary())
        .isEqualTo(
            "1 all-reduce of world was launched and never waited for: no stream and no host call"
                + " comes after it.");
    assertThat(finding.explanation())
        .contains("no event was recorded for it")
        .contains("that work ran on without waiting");
  }

  @Test
  void a_device_sync_right_behind_it_awaits_it_and_so_does_a_later_op_of_its_stream() {
    Scenario synced = new Scenario();
    long launch = synced.kernel(ALL_REDUCE, "nccl", 10, 30, 500);
    synced.collectiveOf("allreduce", "world", "nccl", 1, 12, launch);
    synced.call("cudaDeviceSynchronize", 20, 485);
    synced.kernel("adam", "s", 510, 520, 530);
    assertThat(of(report(synced), "unawaited-collective")).isEmpty();

    Scenario own = new Scenario();
    long onOwn = own.kernel(ALL_REDUCE, "compute", 10, 30, 500);
    own.collectiveOf("allreduce", "world", "compute", 1, 12, onOwn);
    own.kernel("other", "s", 15, 30, 40);
    own.kernel("adam", "compute", 20, 501, 530);
    assertThat(of(report(own), "unawaited-collective")).isEmpty();
  }

  @Test
  void a_barrier_and_a_send_need_no_reader() {
    for (String kind : List.of("barrier", "send")) {
      Scenario scenario = new Scenario();
      long launch = scenario.kernel(ALL_REDUCE, "nccl", 10, 30, 500);
      scenario.collectiveOf(kind, "world", "nccl", 1, 12, launch);
      scenario.kernel("adam", "s", 26, 40, 60);
      assertThat(of(report(scenario), "unawaited-collective")).as(kind).isEmpty();
    }
  }

  private static Scenario foreign(double recorded, boolean withFunction) {
    Scenario scenario = new Scenario();
    if (withFunction) {
      scenario.range(Range.KIND_NVTX, "ncclAllReduce", 2, 4);
    }
    scenario.collective("allreduce", "world", 1, 22);
    if (recorded < 20) {
      scenario.record("e", "nccl", recorded);
    }
    scenario.kernel(ALL_REDUCE, "nccl", 20, 30, 500);
    if (recorded > 20) {
      scenario.record("e", "nccl", recorded);
    }
    scenario.await("s", "e", 26);
    scenario.kernel("adam", "s", 27, 510, 520);
    return scenario;
  }

  @Test
  void a_foreign_trace_is_judged_only_where_it_says_when_the_library_was_called() {
    Finding finding = of(report(foreign(10, true)), "early-event").get(0);
    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);

    assertThat(of(report(foreign(1.5, true)), "early-event")).isEmpty();
    assertThat(of(report(foreign(24, true)), "early-event")).isEmpty();
    Report unknown = report(foreign(10, false));
    assertThat(of(unknown, "early-event")).isEmpty();
    assertThat(unknown.notEvaluated())
        .contains(
            new NotEvaluated(
                "early-event",
                "the trace does not say when within a collective's call its library was called"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h200_pytorch/coalescing_rank0", "h200_pytorch/diloco_after_rank0",
        "h200_pytorch/ddp_rank0", "h200_pytorch_stories/timeout_wait_rank0"
      })
  void in_pytorchs_own_traces_start_events_are_not_taken_for_early_ones(String name) {
    Report report = RealTraces.analyze(name + ".json.gz").report();

    assertThat(of(report, "early-event")).isEmpty();
    assertThat(report.notEvaluated()).extracting(NotEvaluated::rule).contains("early-event");
  }
}
