package dev.eddyline.analysis.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.Scenario;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class BindingScenarioTest {

  private static long recordOf(StreamGraph graph, long waitCorrelation) {
    var timeline = graph.timeline();
    for (int i = 0; i < timeline.waits().size(); i++) {
      if (timeline.waits().at(i).correlation() == waitCorrelation) {
        int record = graph.bindings().record(i);
        return record < 0 ? -1 : timeline.records().at(record).correlation();
      }
    }
    throw new AssertionError("no wait " + waitCorrelation);
  }

  /**
   *
   *
   * <pre>
   * s   A  rec(e)  B  rec(e)
   * t       wait(e)   wait(e)
   * </pre>
   */
  @Test
  void a_wait_binds_to_the_latest_record_at_the_moment_of_the_call() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    long first = scenario.record("e", "s", 1);
    long early = scenario.await("t", "e", 2);
    scenario.kernel("B", "s", 3, 10, 20);
    long second = scenario.record("e", "s", 4);
    long late = scenario.await("t", "e", 5);
    StreamGraph graph = scenario.graph();

    assertThat(recordOf(graph, early)).isEqualTo(first);
    assertThat(recordOf(graph, late)).isEqualTo(second);
  }

  @Test
  void a_wait_for_an_event_never_recorded_is_empty_and_one_of_unknown_source_is_not() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.await("s", "never", 1);
    scenario.awaitUnknown("s", 2);
    WaitBindings bindings = scenario.graph().bindings();

    assertThat(bindings.isEmpty(0)).isTrue();
    assertThat(bindings.isUnknown(0)).isFalse();
    assertThat(bindings.isEmpty(1)).isFalse();
    assertThat(bindings.isUnknown(1)).isTrue();
  }

  @Test
  void every_wait_has_exactly_one_event_edge() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.record("e", "s", 1);
    scenario.await("t", "e", 2);
    scenario.await("t", "never", 3);
    scenario.awaitUnknown("t", 4);
    List<Edge> edges = new ArrayList<>();
    scenario.graph().edges(EnumSet.of(EdgeKind.EVENT), edges::add);

    assertThat(edges).hasSize(3);
    assertThat(edges.get(0).known()).isEqualTo(Known.RECORDED);
    assertThat(edges.get(0).from()).isEqualTo(new Edge.Node(NodeKind.RECORD, 0));
    assertThat(edges.get(1).from()).isNull();
    assertThat(edges.get(1).rule()).isEqualTo("never-recorded");
    assertThat(edges.get(2).from()).isNull();
    assertThat(edges.get(2).rule()).isEqualTo("unknown");
  }

  /**
   *
   *
   * <pre>
   * s      A rec e1   B rec e2   wait(t, ?)      two records in a row: which one is not known
   * </pre>
   */
  @Test
  void a_wait_behind_two_records_in_a_row_stays_unknown() {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.record("e1", "s", 1);
    scenario.record("e2", "s", 2);
    scenario.awaitUnknown("t", 3);
    scenario.kernel("B", "t", 4, 30, 40);

    assertThat(scenario.graph().bindings().isUnknown(0)).isTrue();
  }

  /**
   *
   *
   * <pre>
   * s      AAAAAAAAAAAAAAAAAAAA  rec
   * t               BBBB              waits right behind the record, but began before A had ended
   * </pre>
   */
  @Test
  void device_times_refute_an_inferred_join() {
    Scenario fits = new Scenario();
    fits.kernel("A", "s", 0, 5, 20);
    fits.record("e", "s", 1);
    fits.awaitEventId("t", 9, 2);
    fits.kernel("B", "t", 3, 30, 40);
    StreamGraph fitting = fits.graph();
    assertThat(fitting.bindings().rule(0)).isEqualTo(BindRule.RECORD_THEN_WAIT);

    Scenario refuted = new Scenario();
    refuted.kernel("A", "s", 0, 5, 50);
    refuted.record("e", "s", 1);
    refuted.awaitEventId("t", 9, 2);
    refuted.kernel("B", "t", 3, 30, 40);
    StreamGraph graph = refuted.graph();
    assertThat(graph.bindings().isUnknown(0)).isTrue();
    assertThat(graph.refuted()).isEqualTo(1);
  }

  @Test
  void one_unawaited_collective_is_what_work_wait_waits_for() {
    Scenario scenario = new Scenario();
    long[] records = collectives(scenario, 1);
    scenario.collective("wait", "world", 500, 510);
    long wait = scenario.awaitUnknown("s", 502);
    scenario.kernel("use", "s", 520, 900, 910);

    assertThat(recordOf(scenario.graph(), wait)).isEqualTo(records[0]);
  }

  @Test
  void of_several_unawaited_collectives_only_the_stream_is_known() {
    Scenario scenario = new Scenario();
    collectives(scenario, 2);
    scenario.collective("wait", "world", 500, 510);
    long wait = scenario.awaitUnknown("s", 502);
    scenario.kernel("use", "s", 520, 900, 910);
    StreamGraph graph = scenario.graph();

    assertThat(recordOf(graph, wait)).isEqualTo(-1);
    int last = graph.bindings().size() - 1;
    assertThat(graph.bindings().rule(last)).isEqualTo(BindRule.C10D_WORK_STREAM);
    assertThat(graph.timeline().stream(graph.bindings().source(last)).label()).isEqualTo("nccl");
  }

  private static long[] collectives(Scenario scenario, int n) {
    long[] records = new long[n];
    scenario.stream("s");
    for (int i = 0; i < n; i++) {
      double at = i * 100;
      scenario.collective("allreduce", "world", at, at + 90);
      scenario.kernel(
          "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "nccl", at + 10, 600 + i * 50, 640 + i * 50);
      records[i] = scenario.record("end" + i, "nccl", at + 20);
    }
    return records;
  }
}
