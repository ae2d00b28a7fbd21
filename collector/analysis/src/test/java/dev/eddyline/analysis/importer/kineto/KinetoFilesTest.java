package dev.eddyline.analysis.importer.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is true of the recorded traces, counted and added up without Eddyline. */
class KinetoFilesTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          h200_pytorch/coalescing_rank0, 71, 8, 18, 12, 9, 2, 24, 6, 2, 1796055245538418715, 3031917
          h200_pytorch/coalescing_rank1, 71, 8, 18, 12, 9, 2, 24, 6, 2, 1796055245538283409, 3106963
          h200_pytorch/diloco_after_rank0, 195, 60, 21, 18, 15, 21, 111, 6, 3, 1796055245419493137, 67842798
          h200_pytorch/diloco_after_rank1, 200, 60, 21, 18, 15, 24, 111, 6, 3, 1796055245419185257, 68221773
          h200_pytorch/diloco_before_rank0, 173, 57, 24, 21, 12, 8, 102, 6, 3, 1796055245241630986, 112379584
          h200_pytorch/diloco_before_rank1, 164, 57, 24, 21, 12, 5, 102, 6, 3, 1796055245265098486, 66662964
          h200_pytorch/gather_tp_rank0, 121, 34, 18, 15, 12, 5, 90, 6, 3, 1796055245629847269, 2529457
          h200_pytorch/gather_tp_rank1, 121, 34, 18, 15, 12, 5, 90, 6, 3, 1796055245629282200, 3377328
          h200_pytorch_stories/callback_block_rank0, 146, 60, 21, 18, 12, 5, 72, 3, 5, 1796062061125768335, 23896130
          h200_pytorch_stories/callback_block_rank1, 155, 60, 21, 18, 12, 8, 72, 3, 5, 1796062060847607933, 306856064
          h200_pytorch_stories/callback_mended_rank0, 158, 63, 21, 18, 15, 5, 84, 6, 3, 1796062061214045284, 23765264
          h200_pytorch_stories/callback_mended_rank1, 158, 63, 21, 18, 15, 5, 84, 6, 3, 1796062061213472983, 25414317
          h200_pytorch_stories/recovery_stream_rank0, 129, 46, 19, 15, 12, 6, 64, 6, 3, 1796062061289359071, 17690781
          h200_pytorch_stories/recovery_stream_rank1, 129, 46, 19, 15, 12, 6, 64, 6, 3, 1796062061291066205, 15843131
          h200_pytorch_stories/timeout_wait_rank0, 369, 48, 42, 30, 21, 117, 96, 15, 2, 1796062061363890187, 19448694
          h200_pytorch_stories/timeout_wait_rank1, 370, 48, 42, 30, 21, 116, 96, 15, 2, 1796062061365709231, 16369896
          public/dlrm_8ranks/rank0, 525, 261, 0, 44, 0, 0, 1673, 0, 4, 1694128201428006000, 6851000
          public/dlrm_8ranks/rank1, 527, 326, 0, 44, 0, 0, 1673, 0, 4, 1694128201422243000, 12601000
          public/dlrm_8ranks/rank2, 513, 262, 0, 44, 0, 0, 1673, 0, 4, 1694128201429646000, 4579000
          public/dlrm_8ranks/rank3, 541, 337, 0, 44, 0, 0, 1673, 0, 4, 1694128201422243000, 11042000
          public/dlrm_8ranks/rank4, 523, 273, 0, 44, 0, 0, 1673, 0, 4, 1694128201425339000, 7739000
          public/dlrm_8ranks/rank5, 505, 261, 0, 44, 0, 0, 1673, 0, 4, 1694128201425499000, 7311000
          public/dlrm_8ranks/rank6, 515, 262, 0, 44, 0, 0, 1673, 0, 4, 1694128201429650000, 4628000
          public/dlrm_8ranks/rank7, 504, 262, 0, 44, 0, 0, 1673, 0, 4, 1694128201430147000, 2825000
          public/hta_alexnet_sync_nocorr, 331, 98, 0, 34, 20, 21, 367, 0, 2, 1694039994071305000, 49816000
          public/hta_event_sync, 12, 5, 2, 0, 0, 4, 11, 0, 1, 1707417525512145000, 51000
          public/hta_event_sync_multi_stream, 39, 6, 4, 1, 1, 4, 6, 0, 3, 1712867402348667000, 372000
          public/hta_mi250_rocm62, 21, 16, 0, 0, 0, 0, 73, 0, 1, 1739836029603454206, 149042
          public/hta_rank0of16_graphlaunch, 33924, 7747, 0, 425, 0, 0, 25545, 0, 6, 1683564901549715000, 449763000
          public/kineto2021_resnet50, 11923, 9096, 1596, 0, 0, 0, 23646, 0, 1, 1623142623529248000, 603558000
          public/puzzlers_blocking_streams, 8401, 2200, 0, 0, 0, 0, 4263, 0, 3, 1678920289817292000, 257693000
          public/puzzlers_d2h_first_sum_4096syncs, 8193, 4096, 0, 0, 0, 0, 32835, 0, 1, 1676580804590495000, 11519000
          public/tracelens_b200_eager_rank0of8, 1372, 929, 5, 2, 0, 0, 20042, 1, 1, 1768554939865398728, 11665760
          """)
  void holdsAllRows(
      String name,
      int calls,
      int ops,
      int records,
      int waitCalls,
      int waitRows,
      int syncs,
      int ranges,
      int collectives,
      int streams,
      long firstOp,
      long opNanos)
      throws IOException {
    Timeline timeline = KinetoTraces.open(name);

    assertThat(timeline.calls().size()).as("calls").isEqualTo(calls);
    assertThat(timeline.ops().size()).as("ops").isEqualTo(ops);
    assertThat(timeline.records().size()).as("records").isEqualTo(records);
    assertThat(timeline.waits().size()).as("waits").isEqualTo(Math.max(waitCalls, waitRows));
    assertThat(timeline.syncs().size()).as("syncs").isEqualTo(syncs);
    assertThat(timeline.ranges().size()).as("ranges").isEqualTo(ranges);
    assertThat(timeline.collectives().size()).as("collectives").isEqualTo(collectives);
    assertThat(timeline.skipped()).isEmpty();
    OpView op = timeline.ops();
    TreeSet<Integer> used = new TreeSet<>();
    long sum = 0;
    for (int i = 0; i < op.size(); i++) {
      used.add(op.at(i).stream());
      sum += op.duration();
    }
    assertThat(used).as("streams with ops").hasSize(streams);
    assertThat(op.at(0).start()).as("first op").isEqualTo(firstOp);
    assertThat(sum).as("time of ops").isEqualTo(opNanos);
    WaitView wait = timeline.waits();
    long withStream = IntStream.range(0, wait.size()).filter(i -> wait.at(i).stream() >= 0).count();
    assertThat(withStream).as("waits with a row").isEqualTo(waitRows);
  }

  @Test
  void h200WaitsNameNoRecord() throws IOException {
    int rows = 0;
    for (String name : List.of("diloco_before", "diloco_after", "coalescing", "gather_tp")) {
      for (int rank = 0; rank < 2; rank++) {
        WaitView wait = KinetoTraces.open("h200_pytorch/" + name + "_rank" + rank).waits();
        for (int i = 0; i < wait.size(); i++) {
          assertThat(wait.at(i).recordCorrelation()).isEqualTo(RecordType.NONE);
          assertThat(wait.sourceStream()).isEqualTo(-1);
          rows += wait.stream() >= 0 ? 1 : 0;
        }
      }
    }
    assertThat(rows).isEqualTo(96);
  }

  @Test
  void dilocoHasItsHeaderAndExactTimes() throws IOException {
    Timeline timeline = KinetoTraces.open("h200_pytorch/diloco_before_rank0");

    assertThat(timeline.sources().get(0).format()).isEqualTo("Kineto");
    assertThat(List.copyOf(timeline.sources().get(0).properties().entrySet()))
        .containsExactly(
            Map.entry("CUDA", "13.0"),
            Map.entry("NCCL", "2.28.9"),
            Map.entry("GPU", "NVIDIA H200"),
            Map.entry("recorded", "86.216 ms"));
    assertThat(timeline.sources().get(0).recordedNs()).isEqualTo(86_216_000);
    assertThat(timeline.processes()).containsExactly(new ProcessInfo(0, 733, 0, 2, ""));
    assertThat(timeline.devices()).containsExactly(new DeviceInfo(0, 0, "NVIDIA H200", 132));
    assertThat(timeline.threads().get(0).label()).isEqualTo("thread 733 (python3)");
    CallView call = timeline.calls();
    List<Long> blocked = new ArrayList<>();
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).kind() == ApiKind.STREAM_SYNC && call.duration() > 1_000_000) {
        blocked.add(call.duration());
        assertThat(call.start() % 1_000_000_000L).isPositive();
      }
    }
    assertThat(blocked).containsExactly(1_034_771L, 1_704_764L, 1_833_708L);
  }

  @Test
  void dilocoHasItsCollectives() throws IOException {
    Timeline timeline = KinetoTraces.open("h200_pytorch/diloco_before_rank0");
    CollectiveView collective = timeline.collectives();

    assertThat(collective.at(0).kind()).isEqualTo("allreduce");
    assertThat(collective.communicator()).isEqualTo("default_pg");
    assertThat(collective.dtype()).isEqualTo("Float");
    assertThat(collective.countIn()).isEqualTo(16_777_216);
    assertThat(collective.countOut()).isEqualTo(16_777_216);
    assertThat(collective.groupSize()).isEqualTo(2);
    assertThat(collective.sequence()).isEqualTo(RecordType.NONE);
    assertThat(collective.correlation()).isEqualTo(RecordType.NONE);
    assertThat(collective.shape()).isEqualTo("[[[16777216]],[],[],[],[],[],[],[],[],[]]");
    assertThat(collective.start()).isEqualTo(1_796_055_245_242_803_887L);
    assertThat(collective.at(1).kind()).isEqualTo("wait");
    assertThat(collective.communicator()).isEqualTo("default_pg");
  }

  @Test
  void shapesAndTypesAreKept() throws IOException {
    RangeView range = KinetoTraces.open("h200_pytorch_stories/timeout_wait_rank0").ranges();
    int row =
        IntStream.range(0, range.size())
            .filter(i -> range.at(i).name().equals("aten::matmul"))
            .findFirst()
            .orElseThrow();

    assertThat(range.at(row).shape()).isEqualTo("[[3072,3072],[3072,3072]]");
    assertThat(range.dtype()).isEqualTo("[\"float\",\"float\"]");
    assertThat(range.kind()).isEqualTo(RecordType.Range.KIND_OPERATOR);
  }

  @Test
  void eventSyncNamesItsRecordAndPollsAreLeftToTheCall() throws IOException {
    Timeline timeline = KinetoTraces.open("public/hta_event_sync");
    SyncView sync = timeline.syncs();
    List<String> found = new ArrayList<>();
    CallView call = timeline.calls();
    for (int i = 0; i < sync.size(); i++) {
      if (sync.at(i).kind() == Sync.KIND_EVENT) {
        found.add(
            call.at(sync.call()).kind() + " " + sync.recordCorrelation() + " " + sync.event());
      }
    }
    assertThat(found).containsExactlyInAnyOrder("EVENT_SYNC 1533 8", "EVENT_QUERY 1533 8");
    OpView op = timeline.ops();
    assertThat(op.at(4).name()).isNotEmpty();
    long pageable = IntStream.range(0, op.size()).filter(i -> op.at(i).isPageableCopy()).count();
    assertThat(pageable).isEqualTo(1);
  }

  @Test
  void waitNamesRecordAndSource() throws IOException {
    Timeline timeline = KinetoTraces.open("public/hta_event_sync_multi_stream");
    WaitView wait = timeline.waits().at(0);

    assertThat(wait.correlation()).isEqualTo(1389);
    assertThat(wait.recordCorrelation()).isEqualTo(1385);
    assertThat(wait.event()).isEqualTo(19);
    assertThat(timeline.stream(wait.stream()).id()).isEqualTo(24);
    assertThat(timeline.stream(wait.sourceStream()).id()).isEqualTo(20);
    SyncView sync = timeline.syncs();
    CallView call = timeline.calls();
    Map<ApiKind, Integer> kinds = new TreeMap<>();
    for (int i = 0; i < sync.size(); i++) {
      kinds.merge(call.at(sync.at(i).call()).kind(), 1, Integer::sum);
      if (sync.kind() == Sync.KIND_DEVICE) {
        assertThat(sync.stream()).isEqualTo(-1);
      }
    }
    assertThat(kinds).isEqualTo(Map.of(ApiKind.EVENT_QUERY, 3, ApiKind.DEVICE_SYNC, 1));
  }

  @Test
  void alexnetWaitsNameAStreamButNoRecord() throws IOException {
    Timeline timeline = KinetoTraces.open("public/hta_alexnet_sync_nocorr");
    WaitView wait = timeline.waits();
    int named = 0;
    for (int i = 0; i < wait.size(); i++) {
      assertThat(wait.at(i).recordCorrelation()).isEqualTo(RecordType.NONE);
      named += wait.sourceStream() >= 0 ? 1 : 0;
    }
    assertThat(named).isEqualTo(20);
    SyncView sync = timeline.syncs();
    long device = 0;
    for (int i = 0; i < sync.size(); i++) {
      if (sync.at(i).kind() == Sync.KIND_DEVICE) {
        device++;
        assertThat(sync.stream()).isEqualTo(-1);
      }
    }
    assertThat(device).isPositive();
    assertThat(timeline.streams().stream().map(StreamInfo::id)).doesNotContain(4294967295L, -1L);
  }

  @Test
  void hipCallsAndStreamZeroAreKnownAndTheBaseBehindTheEventsCounts() throws IOException {
    Timeline timeline = KinetoTraces.open("public/hta_mi250_rocm62");
    CallView call = timeline.calls();
    assertThat(IntStream.range(0, call.size()).mapToObj(i -> call.at(i).kind()))
        .contains(ApiKind.KERNEL_LAUNCH, ApiKind.COPY);
    assertThat(timeline.streams()).hasSize(1);
    assertThat(timeline.stream(0).id()).isZero();
    assertThat(timeline.stream(0).device()).isEqualTo(2);
    assertThat(timeline.windowStart()).isEqualTo(1_739_836_029_603_187_439L);
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      assertThat(op.at(i).call()).isNotNegative();
      assertThat(op.start()).isGreaterThanOrEqualTo(call.at(op.call()).start());
    }
  }

  @Test
  void capitalisedCategoriesAndTextThreadIdsAreKnown() throws IOException {
    Timeline timeline = KinetoTraces.open("public/kineto2021_resnet50");
    OpView op = timeline.ops();
    int empty = 0;
    int[] kinds = new int[3];
    for (int i = 0; i < op.size(); i++) {
      empty += op.at(i).duration() == 0 ? 1 : 0;
      kinds[op.kind()]++;
      assertThat(timeline.stream(op.stream()).id()).isEqualTo(7);
    }
    assertThat(empty).isEqualTo(636);
    assertThat(kinds).containsExactly(8772, 12, 312);
    assertThat(timeline.threads().stream().map(t -> t.tid() + " " + t.label()))
        .containsExactly("25738 thread 25738 (python)", "25772 thread 25772 (python)");
  }

  @Test
  void graphLaunchesAndPollsOfTheTraceWithoutSyncRows() throws IOException {
    Timeline timeline = KinetoTraces.open("public/hta_rank0of16_graphlaunch");
    CallView call = timeline.calls();
    Map<ApiKind, Integer> kinds = new TreeMap<>();
    for (int i = 0; i < call.size(); i++) {
      kinds.merge(call.at(i).kind(), 1, Integer::sum);
    }
    assertThat(kinds)
        .containsEntry(ApiKind.EVENT_QUERY, 25_773)
        .containsEntry(ApiKind.GRAPH_LAUNCH, 70)
        .containsEntry(ApiKind.STREAM_WAIT_EVENT, 425);
    OpView op = timeline.ops();
    long blocked = 0;
    int copies = 0;
    for (int i = 0; i < op.size(); i++) {
      if (op.at(i).isPageableCopy() && op.dstMemory() == Op.MEMORY_PAGEABLE) {
        copies++;
        blocked += call.at(op.call()).duration();
      }
    }
    assertThat(copies).isEqualTo(30);
    assertThat(blocked).isEqualTo(758_396_000);
    assertThat(timeline.process(0).rank()).isZero();
    assertThat(timeline.process(0).worldSize()).isEqualTo(16);
  }

  @Test
  void pageableCopiesOfThePuzzlersHoldTheHost() throws IOException {
    Timeline timeline = KinetoTraces.open("public/puzzlers_blocking_streams");
    CallView call = timeline.calls();
    OpView op = timeline.ops();
    long copies = 0;
    for (int i = 0; i < op.size(); i++) {
      copies += op.at(i).isPageableCopy() ? call.at(op.call()).duration() : 0;
    }
    long syncs = 0;
    int count = 0;
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).kind() == ApiKind.STREAM_SYNC) {
        count++;
        syncs += call.duration();
      }
    }
    assertThat(count).isEqualTo(200);
    assertThat(syncs).isEqualTo(10_068_000);
    assertThat(copies).isEqualTo(189_161_000);
    assertThat(op.at(0).kind()).isEqualTo(Op.KIND_FILL);
    assertThat(op.bytes()).isEqualTo(512);
    assertThat(op.dstMemory()).isEqualTo(Op.MEMORY_DEVICE);
    assertThat(op.at(1).blocks()).isEqualTo(640);
    assertThat(op.blockThreads()).isEqualTo(128);
  }

  @Test
  void ranksComeOnOneAxis() throws IOException {
    List<Path> files =
        Traces.resolve(
            List.of(KinetoTraces.recorded("public/dlrm_8ranks/rank0").getParent().toString()));
    Timeline timeline = Traces.open(files, KinetoTraces.STRICT);

    assertThat(timeline.processes().stream().map(ProcessInfo::rank))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(timeline.processes().stream().map(ProcessInfo::worldSize)).containsOnly(8);
    assertThat(timeline.sources()).hasSize(8);
    OpView op = timeline.ops();
    long[] arrival = new long[8];
    int[] seen = new int[8];
    for (int i = 0; i < op.size(); i++) {
      if (op.at(i).name().startsWith("nccl") && seen[op.process()]++ == 0) {
        arrival[op.process()] = op.start();
      }
    }
    assertThat(seen).containsOnly(8);
    long first = java.util.Arrays.stream(arrival).min().orElseThrow();
    assertThat(arrival[7] - first).isEqualTo(7_624_000);
  }

  @Test
  void malformedFileIsLocatedAndCanBeRecovered() throws IOException {
    Path file = KinetoTraces.recorded("public/puzzlers_same_priority_MALFORMED");

    assertThatThrownBy(() -> Traces.open(List.of(file), KinetoTraces.STRICT))
        .isInstanceOf(TraceReadException.class)
        .hasMessage(file + ":2:5: expected a field name in quotes");

    Timeline timeline = Traces.open(List.of(file), KinetoTraces.RECOVER);
    assertThat(timeline.calls().size()).isEqualTo(401);
    assertThat(timeline.ops().size()).isEqualTo(200);
    assertThat(timeline.skipped()).hasSize(1);
    assertThat(timeline.skipped().get(0).toByte()).isEqualTo(837);
    assertThat(timeline.skipped().get(0).what()).isEqualTo("expected a field name in quotes");
  }
}
