package dev.eddyline.analysis.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitTruthTest {

  private record Truth(long record, String recordedOn) {}

  private static final String NCCL_OWN = "NCCL's own";
  private static final String UNSEEN = "a stream that ran nothing";

  private static Map<Long, Truth> before() {
    Map<Long, Truth> truth = new HashMap<>();
    put(truth, List.of(201L, 516L, 845L), List.of(195L, 510L, 839L), "7");
    put(truth, List.of(220L, 535L, 864L), List.of(214L, 529L, 858L), UNSEEN);
    put(truth, List.of(229L, 544L, 873L), List.of(228L, 543L, 872L), NCCL_OWN);
    put(truth, List.of(235L, 550L, 879L), List.of(234L, 549L, 878L), "17");
    put(truth, List.of(254L, 576L, 905L), List.of(247L, 562L, 891L), "17");
    put(truth, List.of(387L, 716L, 1045L), List.of(272L, 594L, 923L), UNSEEN);
    put(truth, List.of(392L, 721L, 1050L), List.of(240L, 555L, 884L), "17");
    return truth;
  }

  private static Map<Long, Truth> after() {
    Map<Long, Truth> truth = new HashMap<>();
    put(truth, List.of(2526L, 2851L, 3183L), List.of(2520L, 2845L, 3177L), "7");
    put(truth, List.of(2557L, 2882L, 3214L), List.of(2551L, 2876L, 3208L), "21");
    put(truth, List.of(2566L, 2891L, 3223L), List.of(2565L, 2890L, 3222L), NCCL_OWN);
    put(truth, List.of(2572L, 2897L, 3229L), List.of(2571L, 2896L, 3228L), "17");
    put(truth, List.of(2591L, 2923L, 3255L), List.of(2577L, 2902L, 3234L), "17");
    put(truth, List.of(2723L, 3055L, 3387L), List.of(2717L, 3049L, 3381L), "21");
    return truth;
  }

  private static void put(
      Map<Long, Truth> truth, List<Long> waits, List<Long> records, String recordedOn) {
    for (int i = 0; i < waits.size(); i++) {
      truth.put(waits.get(i), new Truth(records.get(i), recordedOn));
    }
  }

  private static int checkAgainst(String file, Map<Long, Truth> truth) {
    StreamGraph graph = StreamGraph.of(RealTraces.open(file));
    Timeline timeline = graph.timeline();
    WaitBindings bindings = graph.bindings();
    assertThat(bindings.size()).isEqualTo(truth.size());
    int bound = 0;
    for (int i = 0; i < bindings.size(); i++) {
      long wait = timeline.waits().at(i).correlation();
      Truth expected = truth.get(wait);
      assertThat(expected).as("wait %d", wait).isNotNull();
      assertThat(bindings.isEmpty(i)).as("wait %d", wait).isFalse();
      assertThat(bindings.rule(i).isRecorded()).as("wait %d", wait).isFalse();
      if (bindings.isUnknown(i)) {
        continue;
      }
      bound++;
      int record = bindings.record(i);
      assertThat(timeline.records().at(record).correlation())
          .as("record of wait %d", wait)
          .isEqualTo(expected.record());
      int stream = bindings.recordStream(record);
      if (stream >= 0) {
        assertThat(timeline.stream(stream).label())
            .as("stream of the record of wait %d", wait)
            .isEqualTo(expected.recordedOn());
      }
      assertThat(bindings.isNcclInternal(i))
          .as("wait %d is NCCL's", wait)
          .isEqualTo(
              expected.recordedOn().equals(NCCL_OWN)
                  || timeline.waits().at(i).stream() < 0 && wait - expected.record() == 1);
    }
    return bound;
  }

  @Test
  void no_edge_of_the_diloco_run_before_is_wrong_and_15_of_21_are_found() {
    int bound = checkAgainst("h200_pytorch/diloco_before_rank0.json.gz", before());
    assertThat(bound).isEqualTo(15);
  }

  @Test
  void no_edge_of_the_diloco_run_after_is_wrong_and_all_18_are_found() {
    int bound = checkAgainst("h200_pytorch/diloco_after_rank0.json.gz", after());
    assertThat(bound).isEqualTo(18);
  }

  @Test
  void the_division_of_before_waits_for_nothing() {
    StreamGraph graph = StreamGraph.of(RealTraces.open("h200_pytorch/diloco_before_rank0.json.gz"));
    for (int s = 0; s < graph.timeline().streams().size(); s++) {
      if (graph.timeline().stream(s).id() == 25) {
        assertThat(graph.waitCount(s)).isZero();
        return;
      }
    }
    throw new AssertionError("stream 25 is not there");
  }

  @Test
  void a_recorded_source_wins_over_the_latest_launch() {
    StreamGraph graph =
        StreamGraph.of(RealTraces.open("public/hta_event_sync_multi_stream.json.gz"));
    Timeline timeline = graph.timeline();
    assertThat(graph.bindings().size()).isEqualTo(1);
    assertThat(graph.bindings().rule(0)).isEqualTo(BindRule.RECORD_CORRELATION);
    WaitView wait = timeline.waits().at(0);
    assertThat(wait.correlation()).isEqualTo(1389);
    assertThat(timeline.stream(wait.stream()).id()).isEqualTo(24);
    assertThat(timeline.records().at(graph.bindings().record(0)).correlation()).isEqualTo(1385);
    assertThat(timeline.stream(graph.bindings().source(0)).id()).isEqualTo(20);
  }

  @Test
  void waits_that_name_only_a_stream_are_joined_to_the_stream() {
    StreamGraph graph = StreamGraph.of(RealTraces.open("public/hta_alexnet_sync_nocorr.json.gz"));
    int named = 0;
    for (int i = 0; i < graph.bindings().size(); i++) {
      if (graph.bindings().rule(i) == BindRule.NAMED_STREAM) {
        named++;
        assertThat(graph.bindings().record(i)).isEqualTo(-1);
      }
    }
    assertThat(named).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rank0", "rank1"})
  void the_gather_runs_hand_the_result_from_the_side_stream_to_the_default_stream(String rank) {
    StreamGraph graph =
        StreamGraph.of(RealTraces.open("h200_pytorch/gather_tp_" + rank + ".json.gz"));
    Timeline timeline = graph.timeline();
    int edges = 0;
    for (int i = 0; i < graph.bindings().size(); i++) {
      int waiter = timeline.waits().at(i).stream();
      int source = graph.bindings().source(i);
      if (waiter >= 0 && source >= 0 && timeline.stream(waiter).id() == 7) {
        assertThat(timeline.stream(source).id()).isEqualTo(65);
        edges++;
      }
    }
    assertThat(edges).isEqualTo(3);
  }

  @Test
  void nothing_is_invented_where_the_file_holds_neither_streams_nor_records() {
    StreamGraph graph = StreamGraph.of(RealTraces.open("public/hta_rank0of16_graphlaunch.json.gz"));
    assertThat(graph.bindings().size()).isEqualTo(425);
    for (int i = 0; i < graph.bindings().size(); i++) {
      assertThat(graph.bindings().isUnknown(i)).isTrue();
    }
  }
}
