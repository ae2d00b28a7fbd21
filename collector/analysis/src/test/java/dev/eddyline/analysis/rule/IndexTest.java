package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.finding.WorkWait;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexTest {

  private static Report report(String file) {
    return RealTraces.analyze(file).report();
  }

  private static List<Finding> warnings(Report report) {
    return report.findings().stream()
        .filter(f -> f.severity() != Severity.INFO)
        .filter(f -> !f.rule().equals("exposed-collective"))
        .toList();
  }

  private static Finding only(Report report, String rule) {
    List<Finding> found =
        report.findings().stream().filter(f -> f.rule().equals(rule) && !f.expected()).toList();
    assertThat(found).as(rule).hasSize(1);
    return found.get(0);
  }

  private static List<Double> blockedUs(Finding finding) {
    return finding.occurrences().stream().map(o -> o.durationNs() / 1000.0).toList();
  }

  private static void partsAddUp(Report report) {
    for (Finding finding : report.findings()) {
      List<Occurrence> blocked = finding.blockedNs() == null ? List.of() : finding.occurrences();
      for (Occurrence occurrence : blocked) {
        assertThat(occurrence.blame().stream().mapToLong(Segment::ns).sum())
            .isEqualTo(occurrence.durationNs());
      }
    }
  }

  @Test
  void diloco_before_rank0_is_an_explicit_sync_with_its_split_and_no_collective() {
    Report report = report("h200_pytorch/diloco_before_rank0.json.gz");
    Finding finding = only(report, "explicit-sync");

    assertThat(warnings(report)).containsExactly(only(report, "unordered-access"), finding);
    assertThat(finding.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(finding.blockedNs()).isEqualTo(4_573_243);
    assertThat(finding.gainNs()).isNull();
    assertThat(finding.steps()).isEqualTo(3);
    assertThat(blockedUs(finding)).containsExactly(1034.771, 1704.764, 1833.708);
    assertThat(split(finding, Segment.State.DEVICE_BUSY))
        .containsExactly(923.134, 1584.511, 1712.289);
    assertThat(split(finding, Segment.State.RUNNING)).containsExactly(104.031, 113.983, 115.104);
    assertThat(split(finding, Segment.State.RETURN)).containsExactly(7.606, 6.270, 6.315);
    Occurrence first = finding.occurrences().get(0);
    assertThat(first.startNs()).isEqualTo(1796055245243395354L);
    assertThat(first.endNs()).isEqualTo(1796055245244430125L);
    assertThat(first.thread()).isEqualTo("thread 733 (python3)");
    assertThat(first.stream()).isEqualTo("25");
    assertThat(first.correlation()).isEqualTo(330);
    assertThat(first.where())
        .containsExactly(
            new Place(Place.Kind.STEP, "step0", "", 0),
            new Place(Place.Kind.ANNOTATION, "sync_other_fragment", "", 0));
    assertThat(first.blame().get(0).beside())
        .singleElement()
        .satisfies(
            beside -> {
              assertThat(beside.op()).isEqualTo("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n");
              assertThat(beside.correlation()).isEqualTo(91);
              assertThat(beside.stream()).isEqualTo("7");
            });
    assertThat(finding.explanation())
        .contains("Not the all-reduce: it began 10.683, 42.567 and 64.543 ms after these calls");
    assertThat(finding.occurrences())
        .allSatisfy(
            occurrence -> assertThat(occurrence.blame()).noneMatch(s -> s.op().startsWith("nccl")));
    partsAddUp(report);
  }

  private static List<Double> split(Finding finding, Segment.State state) {
    return finding.occurrences().stream()
        .flatMap(o -> o.blame().stream())
        .filter(segment -> segment.state() == state)
        .map(segment -> segment.ns() / 1000.0)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h200_pytorch/diloco_after_rank0.json.gz",
        "h200_pytorch/diloco_after_rank1.json.gz",
        "h200_pytorch_stories/callback_mended_rank0.json.gz",
        "h200_pytorch_stories/callback_mended_rank1.json.gz",
        "h200_pytorch/coalescing_rank0.json.gz",
        "h200_pytorch/coalescing_rank1.json.gz"
      })
  void mended_runs_have_no_warning(String file) {
    Report report = report(file);
    assertThat(warnings(report)).isEmpty();
    assertThat(report.findings())
        .filteredOn(f -> !f.rule().equals("exposed-collective"))
        .allMatch(Finding::expected);
    assertThat(report.latentSyncs()).isEmpty();
    assertThat(report.workWaits())
        .isNotEmpty()
        .noneMatch(WorkWait::heldHost)
        .allMatch(wait -> !wait.stream().isEmpty());
  }

  @Test
  void diloco_after_rank0_finds_its_three_syncs_idle_and_its_waits_on_the_fragments_stream() {
    Report report = report("h200_pytorch/diloco_after_rank0.json.gz");
    List<Occurrence> onStream =
        report.idleSyncs().stream().filter(o -> o.stream().equals("25")).toList();

    assertThat(onStream)
        .extracting(o -> Math.round(o.durationNs() / 1000.0))
        .containsExactly(12L, 7L, 6L);
    assertThat(report.workWaits()).extracting(WorkWait::stream).containsExactly("21", "21", "21");
    assertThat(report.workWaits())
        .extracting(WorkWait::collective)
        .containsExactly(
            "all-reduce #0 of default_pg",
            "all-reduce #1 of default_pg",
            "all-reduce #2 of default_pg");
  }

  @Test
  void callback_block_is_a_sync_on_a_collective_in_three_of_three_steps() {
    Report report = report("h200_pytorch_stories/callback_block_rank0.json.gz");
    Finding finding = only(report, "sync-on-collective");

    assertThat(finding.steps()).isEqualTo(3);
    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);
    assertThat(finding.occurrences())
        .extracting(Occurrence::stream)
        .containsExactly("53", "57", "61");
    assertThat(blockedMs(finding)).containsExactly(2.758, 6.860, 6.838);
    assertThat(collectiveUs(finding)).containsExactly(256.0, 78.784, 77.120);
    assertThat(finding.guessed()).isNotEmpty();
    partsAddUp(report);
  }

  @Test
  void callback_block_on_rank_1_waits_280_ms_for_rank_0_once() {
    Finding finding =
        only(report("h200_pytorch_stories/callback_block_rank1.json.gz"), "sync-on-collective");
    assertThat(blockedMs(finding)).containsExactly(280.176, 7.062, 7.052);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void recovery_stream_is_a_sync_on_a_collective_in_three_of_three_steps(String rank) {
    Report report = report("h200_pytorch_stories/recovery_stream_rank" + rank + ".json.gz");
    Finding finding = only(report, "sync-on-collective");

    assertThat(finding.steps()).isEqualTo(3);
    assertThat(blockedMs(finding))
        .containsExactlyElementsOf(
            rank.equals("0") ? List.of(3.880, 4.720, 4.820) : List.of(2.115, 4.533, 4.445));
    assertThat(finding.remedy()).contains("an event recorded before that wait", "another stream");
    for (Occurrence occurrence : finding.occurrences()) {
      long wanted = lastRunning(occurrence).ns();
      assertThat(wanted).isBetween(2_000L, 3_000L);
    }
    partsAddUp(report);
  }

  private static Segment lastRunning(Occurrence occurrence) {
    return occurrence.blame().stream()
        .filter(segment -> segment.state() == Segment.State.RUNNING)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static List<Double> blockedMs(Finding finding) {
    return finding.occurrences().stream()
        .map(o -> Math.round(o.durationNs() / 1000.0) / 1000.0)
        .toList();
  }

  private static List<Double> collectiveUs(Finding finding) {
    return finding.occurrences().stream()
        .map(
            o ->
                o.blame().stream()
                        .filter(
                            s -> s.state() == Segment.State.RUNNING && s.op().startsWith("nccl"))
                        .mapToLong(Segment::ns)
                        .sum()
                    / 1000.0)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void timeout_wait_tells_a_loop_of_queries_from_a_plain_wait_and_from_a_barrier(String rank) {
    Report report = report("h200_pytorch_stories/timeout_wait_rank" + rank + ".json.gz");

    Finding loop = only(report, "poll-loop");
    assertThat(loop.steps()).isEqualTo(3);
    assertThat(blockedMs(loop)).allMatch(ms -> ms > 2.1 && ms < 4.5);
    Finding barrier = only(report, "sync-on-collective");
    assertThat(barrier.occurrences()).extracting(Occurrence::stream).containsOnly("7");
    assertThat(blockedMs(barrier)).hasSize(3).allMatch(ms -> ms > 2.0 && ms < 3.2);
    List<WorkWait> waits = report.workWaits();
    assertThat(waits).hasSize(9);
    assertThat(waits).filteredOn(w -> w.through().equals("cudaEventQuery in a loop")).hasSize(3);
    assertThat(waits)
        .filteredOn(w -> w.kind().equals("barrier"))
        .hasSize(3)
        .allMatch(w -> w.heldHost() && w.through().equals("cudaStreamSynchronize"));
    assertThat(waits)
        .filteredOn(w -> !w.heldHost())
        .hasSize(3)
        .allMatch(w -> w.stream().equals("7") && w.hostNs() < 79_000);
  }

  @Test
  void gather_tp_reads_a_value_three_times_on_purpose() {
    Report report = report("h200_pytorch/gather_tp_rank0.json.gz");
    Finding finding = only(report, "explicit-sync");

    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(blockedUs(finding)).hasSize(3).allMatch(us -> us > 367 && us < 386);
    assertThat(finding.explanation()).contains("intended");
    assertThat(warnings(report)).isEmpty();
  }

  @Test
  void ddp_is_held_by_pageable_copies_and_by_reading_the_loss() {
    Report report = report("h200_pytorch/ddp_rank0.json.gz");
    assertThat(report.steps().steps()).hasSize(4);
    assertThat(report.findings()).extracting(Finding::rule).contains("pageable-copy");
    assertThat(report.findings())
        .flatExtracting(Finding::occurrences)
        .extracting(Occurrence::where)
        .anyMatch(where -> where.stream().anyMatch(place -> place.name().equals("aten::item")));
    partsAddUp(report);
  }

  @Test
  void puzzlers_blocking_streams_is_held_199_ms_most_of_them_in_copies() {
    Report report = report("public/puzzlers_blocking_streams.json.gz");
    double blocked = warnings(report).stream().mapToLong(Finding::blockedNs).sum() / 1e6;
    double inCopies =
        warnings(report).stream()
                .filter(f -> f.rule().equals("pageable-copy"))
                .mapToLong(Finding::blockedNs)
                .sum()
            / 1e6;

    assertThat(blocked).isCloseTo(199, within(199 * 0.02));
    assertThat(inCopies).isCloseTo(189, within(1.0));
    assertThat(report.findings().get(0).rule()).isEqualTo("pageable-copy");
    assertThat(warnings(report))
        .filteredOn(f -> f.rule().equals("pageable-copy"))
        .flatExtracting(Finding::occurrences)
        .extracting(Occurrence::stream)
        .containsOnly("22", "24");
  }

  @Test
  void puzzlers_4096_syncs_is_held_57_ms_in_the_copies_and_the_syncs_find_nothing() {
    Report report = report("public/puzzlers_d2h_first_sum_4096syncs.json.gz");
    Finding copies = only(report, "pageable-copy");

    assertThat(copies.occurrences()).hasSize(4096);
    assertThat(copies.blockedNs() / 1e6).isCloseTo(57, within(1.0));
    assertThat(copies.summary()).contains("4096 copies of 4 bytes");
    double idle = report.idleSyncs().stream().mapToLong(Occurrence::durationNs).sum() / 1e6;
    assertThat(idle).isCloseTo(4.1, within(0.1));
  }

  @Test
  void graphlaunch_tells_the_pageable_copies_and_says_what_it_cannot_tell() {
    Report report = report("public/hta_rank0of16_graphlaunch.json.gz");
    Finding copies = report.findings().get(0);

    assertThat(copies.rule()).isEqualTo("pageable-copy");
    assertThat(copies.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(copies.blockedNs()).isEqualTo(758_396_000);
    assertThat(copies.summary())
        .startsWith(
            "30 copies of 8 .. 704 bytes to host memory that is not pinned held the host 758.396"
                + " ms");
    assertThat(copies.explanation())
        .contains("725.726 ms in 10 copies", "23.931 ms in 10 copies", "8.739 ms in 10 copies")
        .contains("Each waited for stream 27.")
        .contains("What stream 27 waited for cannot be told: 425 waits without source.");
    assertThat(report.coverage().standsFirst()).isTrue();
    assertThat(report.coverage().waits()).isEqualTo(425);
    assertThat(report.coverage().waitsUnknown()).isEqualTo(425);
    assertThat(report.coverage().polls()).isEqualTo(25773);
    assertThat(report.coverage().graphLaunches()).isEqualTo(70);
    assertThat(report.coverage().graphOps()).isEqualTo(345);
    assertThat(report.findings()).extracting(Finding::rule).doesNotContain("sync-on-collective");
    Finding end =
        report.findings().stream()
            .filter(f -> f.rule().equals("explicit-sync") && f.expected())
            .findFirst()
            .orElseThrow();
    assertThat(end.blockedNs()).isEqualTo(158_183_000);
  }

  @Test
  void event_sync_holds_the_host_once_and_the_query_of_the_same_record_does_not() {
    Report report = report("public/hta_event_sync.json.gz");
    Finding sync = only(report, "explicit-sync");

    assertThat(sync.occurrences())
        .singleElement()
        .satisfies(
            occurrence -> {
              assertThat(occurrence.call()).isEqualTo("cudaEventSynchronize");
              assertThat(occurrence.durationNs()).isBetween(33_000L, 34_000L);
            });
    assertThat(report.findings()).extracting(Finding::rule).doesNotContain("poll-loop");
  }

  @Test
  void event_sync_multi_stream_has_one_blocking_call_the_device_sync() {
    Report report = report("public/hta_event_sync_multi_stream.json.gz");
    assertThat(report.findings()).hasSize(1).allMatch(Finding::expected);
    assertThat(report.findings().get(0).occurrences())
        .extracting(Occurrence::call)
        .containsExactly("cudaDeviceSynchronize");
    assertThat(report.coverage().polls()).isEqualTo(3);
    assertThat(report.coverage().waitsRecorded()).isEqualTo(1);
  }

  @Test
  void hip_copies_that_return_when_they_are_done_are_implicit_syncs() {
    Report report = report("public/hta_mi250_rocm62.json.gz");
    assertThat(only(report, "implicit-sync").occurrences().get(0).call())
        .isEqualTo("hipMemcpyWithStream");
  }

  @Test
  void a_trace_of_2021_and_one_of_b200_are_analysed() {
    Report old = report("public/kineto2021_resnet50.json.gz");
    assertThat(old.steps().steps()).hasSize(6);
    assertThat(only(old, "pageable-copy").occurrences()).hasSize(6);
    Report b200 = report("public/tracelens_b200_eager_rank0of8.json.gz");
    assertThat(b200.coverage().waits()).isEqualTo(2);
    assertThat(b200.coverage().waitsNcclInternal()).isEqualTo(2);
    assertThat(warnings(b200)).isEmpty();
  }

  @Test
  void coverage_of_diloco_before_counts_calls_and_adds_up() {
    var coverage = report("h200_pytorch/diloco_before_rank0.json.gz").coverage();
    assertThat(coverage.waits()).isEqualTo(21);
    assertThat(coverage.waitsRecorded()).isZero();
    assertThat(coverage.waitsEmpty()).isZero();
    assertThat(coverage.waitsInferred() + coverage.waitsUnknown()).isEqualTo(21);
    assertThat(coverage.waitsNoStream()).isEqualTo(9);
    assertThat(coverage.waitsNcclInternal()).isEqualTo(6);
    assertThat(coverage.hostSyncsWithStream()).isEqualTo(5);
    assertThat(coverage.droppedRecords()).isNull();
    assertThat(coverage.ranksExpected()).isEqualTo(2);
  }

  @Test
  void diloco_befores_divisions_are_unordered_with_the_all_reduce_by_shape_and_nothing_else_is() {
    Finding finding = only(report("h200_pytorch/diloco_before_rank0.json.gz"), "unordered-access");

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);
    assertThat(finding.steps()).isEqualTo(3);
    assertThat(finding.occurrences()).extracting(Occurrence::stream).containsOnly("25");
    assertThat(finding.occurrences())
        .extracting(Occurrence::correlation)
        .containsExactly(263L, 585L, 914L);
    assertThat(finding.title())
        .isEqualTo(
            "nothing orders the kernel of aten::div_ on stream 25 after the all-reduce it was"
                + " launched after");
    assertThat(finding.summary())
        .isEqualTo(
            "A kernel on stream 25 changes a buffer of the all-reduce's shape, and no wait orders"
                + " the two.");
    assertThat(finding.sure())
        .containsExactly(
            "stream 25 waits for no other stream anywhere in this trace: 6 pairs without an order,"
                + " reported once",
            "step0: the kernel on stream 25 ran 2.218 .. 2.322 ms, all-reduce #0 on stream 17"
                + " 13.013 .. 34.825 ms: over 10.691 ms before it began",
            "step1: the kernel on stream 25 ran 4.916 .. 5.030 ms, all-reduce #1 on stream 17"
                + " 47.603 .. 58.846 ms: over 42.573 ms before it began",
            "step2: the kernel on stream 25 ran 7.614 .. 7.729 ms, all-reduce #2 on stream 17"
                + " 72.278 .. 80.451 ms: over 64.549 ms before it began");
    assertThat(finding.guessed())
        .containsExactly(
            "that both use the same memory: same shape and type ([16777216], float), aten::div_"
                + " works in place. This trace holds no addresses");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h200_pytorch/diloco_after_rank0.json.gz",
        "h200_pytorch/diloco_after_rank1.json.gz",
        "h200_pytorch/ddp_rank0.json.gz",
        "h200_pytorch/coalescing_rank0.json.gz",
        "h200_pytorch/gather_tp_rank0.json.gz",
        "h200_pytorch_stories/callback_mended_rank0.json.gz",
        "h200_pytorch_stories/callback_block_rank0.json.gz",
        "h200_pytorch_stories/recovery_stream_rank0.json.gz",
        "h200_pytorch_stories/timeout_wait_rank0.json.gz",
      })
  void traces_in_order_have_no_finding_about_order_or_memory(String trace) {
    assertThat(report(trace).findings())
        .extracting(Finding::rule)
        .doesNotContain(
            "unordered-access",
            "host-race",
            "use-after-free",
            "reuse-before-done",
            "retained-memory",
            "empty-wait",
            "overwritten-event",
            "wrong-stream-wait");
  }
}
