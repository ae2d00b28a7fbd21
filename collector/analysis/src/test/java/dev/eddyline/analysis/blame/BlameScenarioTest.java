package dev.eddyline.analysis.blame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.StreamInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlameScenarioTest {

  private static List<String> explain(Scenario scenario) {
    StreamGraph graph = scenario.graph();
    ClockTolerance tolerance = ClockTolerance.of(graph);
    List<HostBlock> blocks = HostBlockFinder.find(graph, tolerance);
    HostBlock block =
        blocks.stream().filter(HostBlock::isBlocked).reduce((first, last) -> last).orElseThrow();
    List<Segment> segments = new Blame(graph, tolerance, RemoteArrivals.NONE).explain(block);
    assertThat(segments.stream().mapToLong(Segment::ns).sum()).isEqualTo(block.durationNs());
    return segments.stream()
        .map(s -> (s.state().word() + " " + s.op()).trim() + " " + s.ns() / 1000)
        .toList();
  }

  /**
   *
   *
   * <pre>
   * host    launch A ...... sync ==========|
   * s               AAAAAAAAAAAAAAAAAAAAA
   * </pre>
   */
  @Test
  void a_sync_on_a_running_kernel_is_running_and_return() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 10, 100);
    scenario.synchronize("s", 50, 105);

    assertThat(explain(scenario)).containsExactly("running A 50", "return 5");
  }

  /**
   *
   *
   * <pre>
   * host    launch A, B ... sync ==================|
   * s       AAAAAAAAAAAAAAAAAAAAAA   BBBBBBBBBBBBBB
   * </pre>
   */
  @Test
  void the_walk_goes_back_along_the_stream() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 10, 100);
    scenario.kernel("B", "s", 2, 120, 200);
    scenario.synchronize("s", 50, 203);

    assertThat(explain(scenario))
        .containsExactly("running A 50", "not-started B 20", "running B 80", "return 3");
  }

  /**
   *
   *
   * <pre>
   * other   XXXXXXXXXXXXXXXXXXXXXX
   * s                             AAAAAA        A was launched at 2
   * host       sync =====================|
   * </pre>
   */
  @Test
  void a_ready_kernel_behind_a_full_device_is_device_busy() {
    Scenario scenario = new Scenario();
    scenario.kernel("X", "other", 0, 1, 80);
    scenario.kernel("A", "s", 2, 81, 90);
    scenario.synchronize("s", 20, 92);

    assertThat(explain(scenario)).containsExactly("device-busy A 61", "running A 9", "return 2");
  }

  @Test
  void an_op_of_another_context_is_other_context() {
    Scenario scenario = new Scenario();
    scenario.context("foreign", 2);
    scenario.kernel("X", "foreign", 0, 1, 80);
    scenario.kernel("A", "s", 2, 81, 90);
    scenario.synchronize("s", 20, 92);

    assertThat(explain(scenario)).containsExactly("other-context A 61", "running A 9", "return 2");
  }

  @Test
  void a_kernel_that_another_thread_launched_late_is_late_launch() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "producer", 0, 1, 10);
    scenario.onThread(2);
    scenario.kernel("B", "producer", 60, 62, 90);
    scenario.record("e", "producer", 61.5);
    scenario.onThread(1);
    scenario.await("s", "e", 61.9);
    scenario.kernel("C", "s", 62.5, 91, 95);
    scenario.synchronize("s", 64, 97);

    assertThat(explain(scenario)).contains("running B 26", "running C 4", "return 2");

    Scenario late = new Scenario();
    late.kernel("A", "s", 0, 1, 10);
    late.record("e", "s", 1);
    late.await("t", "e", 2);
    late.onThread(2);
    late.kernel("B", "t", 30, 40, 50);
    late.onThread(1);
    late.synchronize("t", 31, 52);

    assertThat(explain(late)).containsExactly("not-started B 9", "running B 10", "return 2");
  }

  /**
   *
   *
   * <pre>
   * nccl        NNNNNNNNNNNNNNNN  e
   * comm                 MMMMMMMMMMMMMMM  f
   * s                                    AAAA        waits for e and f: f binds
   * </pre>
   */
  @Test
  void of_two_waits_the_one_that_ended_last_binds() {
    Scenario scenario = new Scenario();
    scenario.kernel("N", "nccl", 0, 5, 60);
    scenario.record("e", "nccl", 2);
    scenario.kernel("M", "comm", 3, 10, 80);
    scenario.record("f", "comm", 4);
    scenario.await("s", "e", 5);
    scenario.await("s", "f", 6);
    scenario.kernel("A", "s", 7, 80, 90);
    scenario.synchronize("s", 20, 91);

    assertThat(explain(scenario)).containsExactly("running M 60", "running A 10", "return 1");
  }

  /**
   *
   *
   * <pre>
   * s      AAAAAAAA  e
   * empty              waits e, records f        runs nothing itself
   * t                          BBBB              waits f
   * </pre>
   */
  @Test
  void a_stream_without_ops_hands_its_waits_on() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 60);
    scenario.record("e", "s", 2);
    scenario.await("empty", "e", 3);
    scenario.record("f", "empty", 4);
    scenario.await("t", "f", 5);
    scenario.kernel("B", "t", 6, 61, 70);
    scenario.synchronize("t", 20, 71);

    assertThat(explain(scenario))
        .containsExactly("running A 40", "not-started B 1", "running B 9", "return 1");
  }

  @Test
  void a_wait_of_unknown_source_makes_the_time_before_unattributed() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 30);
    scenario.awaitUnknown("s", 1);
    scenario.kernel("B", "s", 2, 60, 70);
    scenario.synchronize("s", 20, 71);

    assertThat(explain(scenario))
        .containsExactly("running A 10", "unattributed B 30", "running B 10", "return 1");
  }

  @Test
  void behind_an_unknown_wait_the_op_that_ended_just_before_is_followed_as_inferred() {
    Scenario scenario = new Scenario();
    scenario.kernel("X", "other", 0, 5, 59);
    scenario.awaitUnknown("s", 1);
    scenario.kernel("B", "s", 2, 60, 70);
    scenario.synchronize("s", 20, 71);

    StreamGraph graph = scenario.graph();
    ClockTolerance tolerance = ClockTolerance.of(graph);
    HostBlock block = HostBlockFinder.find(graph, tolerance).get(0);
    List<Segment> segments = new Blame(graph, tolerance, RemoteArrivals.NONE).explain(block);

    assertThat(segments.get(0).op()).isEqualTo("X");
    assertThat(segments.get(0).via().get(0).known()).isEqualTo("inferred");
    assertThat(segments.get(0).via().get(0).rule()).isEqualTo("resumed-after");
  }

  @Test
  void the_legacy_default_stream_orders_a_blocking_stream_but_not_a_free_one() {
    Scenario blocking = new Scenario().kind("legacy", StreamInfo.Kind.LEGACY_DEFAULT);
    blocking.kind("s", StreamInfo.Kind.BLOCKING);
    blocking.kernel("A", "legacy", 0, 5, 60);
    blocking.kernel("B", "s", 1, 60, 70);
    blocking.synchronize("s", 20, 71);
    assertThat(explain(blocking)).containsExactly("running A 40", "running B 10", "return 1");

    Scenario free = new Scenario().kind("legacy", StreamInfo.Kind.LEGACY_DEFAULT);
    free.kind("s", StreamInfo.Kind.NON_BLOCKING);
    free.kernel("A", "legacy", 0, 5, 60);
    free.kernel("B", "s", 1, 60, 70);
    free.synchronize("s", 20, 71);
    assertThat(explain(free)).containsExactly("device-busy B 40", "running B 10", "return 1");
  }

  @Test
  void clock_errors_that_make_a_circle_do_not_hang() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "a", 0, 50, 60);
    scenario.record("e", "a", 1);
    scenario.await("b", "e", 2);
    scenario.kernel("B", "b", 3, 50, 60);
    scenario.record("f", "b", 4);
    scenario.await("a", "f", 5);
    scenario.kernel("C", "a", 6, 49, 70);
    scenario.synchronize("a", 20, 71);

    assertThat(explain(scenario)).isNotEmpty();
  }

  @Test
  void an_event_sync_covers_only_what_was_recorded() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 40);
    scenario.record("e", "s", 1);
    scenario.kernel("B", "s", 2, 40, 400);
    scenario.synchronizeEvent("e", 10, 42);

    assertThat(explain(scenario)).containsExactly("running A 30", "return 2");
  }

  @Test
  void a_pageable_copy_holds_the_host_and_a_pinned_one_does_not() {
    Scenario pageable = new Scenario();
    pageable.copy("cudaMemcpyAsync", "s", 2, 0, 0, 100, 10, 98);
    assertThat(explain(pageable))
        .containsExactly("not-started Memcpy 10", "running Memcpy 88", "return 2");

    Scenario pinned = new Scenario();
    pinned.copy("cudaMemcpyAsync", "s", 2, 1, 0, 100, 10, 98);
    StreamGraph graph = pinned.graph();
    assertThat(HostBlockFinder.find(graph, ClockTolerance.of(graph))).isEmpty();
  }

  @Test
  void a_sync_of_an_empty_stream_is_not_blocked() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.synchronize("s", 20, 26);
    StreamGraph graph = scenario.graph();

    assertThat(HostBlockFinder.find(graph, ClockTolerance.of(graph)))
        .singleElement()
        .satisfies(block -> assertThat(block.isBlocked()).isFalse());
  }

  @Test
  void polls_of_one_event_until_it_is_done_are_a_loop_and_a_watchdogs_are_not() {
    Scenario loop = new Scenario();
    loop.kernel("A", "s", 0, 5, 60);
    loop.record("e", "s", 1);
    loop.query("e", 10);
    loop.query("e", 30);
    loop.query("e", 70);
    StreamGraph graph = loop.graph();
    assertThat(HostBlockFinder.find(graph, ClockTolerance.of(graph)))
        .singleElement()
        .satisfies(
            block -> {
              assertThat(block.kind()).isEqualTo(HostBlock.Kind.POLL_LOOP);
              assertThat(block.polls()).isEqualTo(3);
              assertThat(block.durationNs()).isEqualTo(60_500);
            });

    Scenario watchdog = new Scenario();
    watchdog.kernel("A", "s", 0, 5, 60);
    watchdog.record("e", "s", 1);
    watchdog.onThread(9);
    watchdog.query("e", 10);
    watchdog.query("e", 30);
    watchdog.query("e", 70);
    StreamGraph other = watchdog.graph();
    assertThat(HostBlockFinder.find(other, ClockTolerance.of(other))).isEmpty();
  }

  @Test
  void a_free_that_returns_when_the_device_runs_dry_is_blocked_else_the_driver_has_the_time() {
    Scenario dry = new Scenario();
    dry.kernel("A", "s", 0, 5, 90);
    dry.call("cudaFree", 10, 82);
    StreamGraph graph = dry.graph();
    assertThat(HostBlockFinder.find(graph, ClockTolerance.of(graph)))
        .singleElement()
        .satisfies(block -> assertThat(block.kind()).isEqualTo(HostBlock.Kind.ALLOCATION));

    Scenario still = new Scenario();
    still.kernel("A", "s", 0, 5, 90);
    still.kernel("B", "s", 1, 90, 200);
    still.call("cudaFree", 10, 82);
    StreamGraph other = still.graph();
    assertThat(HostBlockFinder.find(other, ClockTolerance.of(other))).isEmpty();
  }

  @Test
  void a_launch_that_waits_for_room_in_the_queue_is_reported_with_the_op_that_made_room() {
    Scenario scenario = new Scenario();
    for (int i = 0; i < 1100; i++) {
      scenario.kernel("K", "s", i * 2, 10_000 + i * 100.0, 10_100 + i * 100.0);
    }
    scenario.call("cudaLaunchKernel", 5000, 1);
    StreamGraph before = scenario.graph();
    assertThat(HostBlockFinder.find(before, ClockTolerance.of(before))).isEmpty();

    Scenario full = new Scenario();
    for (int i = 0; i < 1100; i++) {
      full.kernel("K", "s", i * 2, 10_000 + i * 100.0, 10_100 + i * 100.0);
    }
    long last = full.copy("cudaLaunchKernel", "s", 2, 2, 9_000, 1_150, 200_000, 200_010);
    StreamGraph graph = full.graph();
    assertThat(HostBlockFinder.find(graph, ClockTolerance.of(graph)))
        .singleElement()
        .satisfies(
            block -> {
              assertThat(block.kind()).isEqualTo(HostBlock.Kind.QUEUE_FULL);
              assertThat(graph.timeline().calls().at(block.call()).correlation()).isEqualTo(last);
            });
  }
}
