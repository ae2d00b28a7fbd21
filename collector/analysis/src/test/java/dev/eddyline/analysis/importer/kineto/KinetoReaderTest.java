package dev.eddyline.analysis.importer.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Loss;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Range;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms of the format, on traces of a few events. */
class KinetoReaderTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("trace.json");
  }

  private Timeline events(String events) throws IOException {
    return KinetoTraces.read(file, "{\"traceEvents\": [" + events + "]}");
  }

  private static String kernel(String fields) {
    return "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7," + fields + "}";
  }

  @ParameterizedTest
  @CsvSource({
    "5198220460831.232, 5198220460831232",
    "1694128201435418, 1694128201435418000",
    "\"1694128201435418.5\", 1694128201435418500",
    "1.694128201435418e15, 1694128201435418000",
    "12E3, 12000000",
    "0.0004, 0",
    "0.0005, 1",
    "-3.25, -3250",
    "7.1234567890123456789, 7123",
    "1694128201435418.123, 1694128201435418123"
  })
  void timesAreExact(String written, long nanos) throws IOException {
    OpView op =
        events(kernel("\"ts\":" + written + ",\"dur\":0,\"args\":{\"stream\":7}")).ops().at(0);

    assertThat(op.start()).isEqualTo(nanos);
  }

  @Test
  void baseBehindTheEventsIsAddedToAllTimes() throws IOException {
    String events =
        """
        {"traceEvents": [
          {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1.5,"dur":2.25,
           "args":{"stream":7,"correlation":1}},
          {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":1,"dur":1,
           "args":{"correlation":1}},
          {"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":7,"ts":2,"dur":1,
           "args":{"stream":7,"correlation":2}},
          {"ph":"X","cat":"cuda_event","name":"cudaEvent","pid":0,"tid":7,"ts":0,"dur":0.001,
           "args":{"stream":7,"correlation":3,"event_id":4}},
          {"ph":"X","cat":"cpu_op","name":"aten::add","pid":9,"tid":9,"ts":0.001,"dur":9}
        ], "baseTimeNanoseconds": 1790857026000000000}
        """;
    Timeline timeline = KinetoTraces.read(file, events);

    long base = 1_790_857_026_000_000_000L;
    assertThat(timeline.ops().at(0).start()).isEqualTo(base + 1500);
    assertThat(timeline.ops().at(0).duration()).isEqualTo(2250);
    assertThat(timeline.calls().at(0).start()).isEqualTo(base + 1000);
    assertThat(timeline.syncs().at(0).start()).isEqualTo(base + 2000);
    assertThat(timeline.ranges().at(0).start()).isEqualTo(base + 1);
    Table records = timeline.table(RecordType.RECORD);
    assertThat(records.get(0, RecordType.EventRecord.DEVICE_TIME)).isEqualTo(RecordType.NONE);
    assertThat(records.get(0, RecordType.EventRecord.EVENT)).isEqualTo(4);
  }

  @Test
  void filesOfSeveralRanksEachHaveTheirOwnBase() throws IOException {
    String first =
        "{\"baseTimeNanoseconds\":1000,\"traceEvents\":["
            + kernel("\"ts\":1,\"args\":{\"stream\":7}")
            + "]}";
    String second =
        "{\"traceEvents\":["
            + kernel("\"ts\":1,\"args\":{\"stream\":7}")
            + "],\"baseTimeNanoseconds\":5000}";
    Path a = java.nio.file.Files.writeString(folder.resolve("rank_3.json"), first);
    Path b = java.nio.file.Files.writeString(folder.resolve("run-rank-12.json"), second);

    Timeline timeline =
        dev.eddyline.analysis.importer.Traces.open(List.of(a, b), KinetoTraces.STRICT);

    assertThat(timeline.ops().at(0).start()).isEqualTo(2000);
    assertThat(timeline.ops().at(1).start()).isEqualTo(6000);
    assertThat(timeline.ops().at(1).process()).isEqualTo(1);
    assertThat(timeline.processes().stream().map(ProcessInfo::rank)).containsExactly(3, 12);
  }

  @ParameterizedTest
  @CsvSource({
    "trace_rank0.json, 0, -1",
    "rank_3.json.gz, 3, -1",
    "x.rank-12.pt.trace.json, 12, -1",
    "eager_rank0of8.json, 0, 8",
    "Rank5.json, 5, -1",
    "trace.json, -1, -1",
    "frank3.json, -1, -1"
  })
  void rankComesFromTheNameWhereTheFileHasNone(String name, int rank, int size) throws IOException {
    Timeline timeline = KinetoTraces.read(folder.resolve(name), "[" + kernel("\"ts\":1") + "]");

    assertThat(timeline.process(0).rank()).isEqualTo(rank);
    assertThat(timeline.process(0).worldSize()).isEqualTo(size);
  }

  @Test
  void rankOfTheFileItselfWins() throws IOException {
    Timeline timeline =
        KinetoTraces.read(
            folder.resolve("rank7.json"),
            "{\"distributedInfo\":{\"rank\":2,\"world_size\":4},\"traceEvents\":["
                + kernel("\"ts\":1")
                + "]}");

    assertThat(timeline.process(0).rank()).isEqualTo(2);
    assertThat(timeline.process(0).worldSize()).isEqualTo(4);
  }

  @Test
  void gzipByteOrderMarkAndBareArrayAreRead() throws IOException {
    String array = "\uFEFF [" + kernel("\"ts\":1,\"dur\":1") + ",]\n";
    byte[] bytes = KinetoTraces.gzip(array.getBytes(StandardCharsets.UTF_8));

    assertThat(KinetoTraces.read(file, bytes, KinetoTraces.STRICT).ops().size()).isEqualTo(1);
    assertThat(new KinetoReader().recognises(array.getBytes(StandardCharsets.UTF_8))).isTrue();
  }

  @Test
  void twoGzipMembersAreOneFile() throws IOException {
    String text = "[" + kernel("\"ts\":1,\"dur\":1") + "," + kernel("\"ts\":2") + "]";
    byte[] a = KinetoTraces.gzip(text.substring(0, 30).getBytes(StandardCharsets.UTF_8));
    byte[] b = KinetoTraces.gzip(text.substring(30).getBytes(StandardCharsets.UTF_8));
    byte[] both = java.util.Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);

    assertThat(KinetoTraces.read(file, both, KinetoTraces.STRICT).ops().size()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Kernel", "KERNEL", "kernel"})
  void categoriesMatchInAnyCase(String category) throws IOException {
    Timeline timeline =
        events("{\"ph\":\"X\",\"cat\":\"" + category + "\",\"name\":\"k\",\"ts\":1}");

    assertThat(timeline.ops().size()).isEqualTo(1);
  }

  @Test
  void fieldsMayComeInAnyOrder() throws IOException {
    Timeline timeline =
        events(
            """
            {"args":{"correlation":5,"stream":20,"device":1,"context":2,"grid":[8,16,5],
             "block":[128,1,1],"graph id":3,"graph node id":9},"dur":2,"ts":1,"tid":"stream 7",
             "pid":"1","name":"k","cat":"kernel","ph":"X"}
            """);
    OpView op = timeline.ops().at(0);

    assertThat(op.name()).isEqualTo("k");
    assertThat(op.correlation()).isEqualTo(5);
    assertThat(op.blocks()).isEqualTo(640);
    assertThat(op.blockThreads()).isEqualTo(128);
    assertThat(op.graph()).isEqualTo(3);
    StreamInfo stream = timeline.stream(op.stream());
    assertThat(stream.id()).isEqualTo(20);
    assertThat(stream.device()).isEqualTo(1);
    assertThat(stream.context()).isEqualTo(2);
  }

  @Test
  void kernelWrittenTwiceIsOneOp() throws IOException {
    String one = kernel("\"ts\":1,\"dur\":3,\"args\":{\"stream\":7,\"correlation\":4}");
    String other = kernel("\"ts\":1,\"dur\":3,\"args\":{\"stream\":8,\"correlation\":4}");
    String node =
        kernel("\"ts\":1,\"dur\":3,\"args\":{\"stream\":7,\"correlation\":4,\"graph node id\":2}");

    assertThat(events(String.join(",", one, other, one, node)).ops().size()).isEqualTo(3);
  }

  @Test
  void noneIsMinusOneOr32BitsOfOnes() throws IOException {
    Timeline timeline =
        events(
            """
            {"ph":"X","cat":"cuda_sync","name":"Context Sync","pid":0,"tid":-1,"ts":1,"dur":2,
             "args":{"cuda_sync_kind":"Context Sync","stream":4294967295,"correlation":5}},
            {"ph":"X","cat":"cuda_sync","name":"Event Sync","pid":0,"tid":1,"ts":2,"dur":2,
             "args":{"stream":-1,"correlation":6,"wait_on_stream":-1,
             "wait_on_cuda_event_record_corr_id":-1,"wait_on_cuda_event_id":126}},
            {"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":1000007,"ts":3,"dur":2,
             "args":{"stream":7,"correlation":7}}
            """);
    SyncView sync = timeline.syncs();

    assertThat(IntStream.range(0, 3).map(i -> sync.at(i).kind())).containsExactly(4, 1, 3);
    assertThat(sync.at(0).stream()).isEqualTo(-1);
    assertThat(sync.at(1).stream()).isEqualTo(-1);
    assertThat(sync.event()).isEqualTo(126);
    assertThat(sync.recordCorrelation()).isEqualTo(-1);
    assertThat(timeline.stream(sync.at(2).stream()).id()).isEqualTo(7);
    assertThat(timeline.streams()).hasSize(1);
  }

  @Test
  void waitForALaterRecordIsUnresolved() throws IOException {
    String wait =
        """
        {"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":24,"ts":1,"dur":2,
         "args":{"stream":24,"correlation":%d,"wait_on_stream":20,"context":1,"device":0,
         "wait_on_cuda_event_record_corr_id":100,"wait_on_cuda_event_id":19}}
        """;
    Timeline timeline = events(wait.formatted(101) + "," + wait.formatted(99));
    WaitView first = timeline.waits().at(0);
    WaitView second = timeline.waits().at(1);

    assertThat(first.recordCorrelation()).isEqualTo(100);
    assertThat(timeline.stream(first.sourceStream()).id()).isEqualTo(20);
    assertThat(second.recordCorrelation()).isEqualTo(-1);
    assertThat(second.sourceStream()).isEqualTo(-1);
    assertThat(second.event()).isEqualTo(19);
  }

  @Test
  void recordRowsAndRecordCallsAreOneRecord() throws IOException {
    Timeline timeline =
        events(
            """
            {"ph":"X","cat":"cuda_event","name":"cudaEvent","pid":0,"tid":20,"ts":5,"dur":0.001,
             "args":{"event_id":9,"stream":20,"correlation":32,"device":0,"context":1}},
            {"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","pid":4,"tid":4,"ts":3,"dur":1,
             "args":{"correlation":32}},
            {"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","pid":4,"tid":4,"ts":7,"dur":1,
             "args":{"correlation":33}}
            """);
    RecordView record = timeline.records();

    assertThat(record.size()).isEqualTo(2);
    assertThat(timeline.stream(record.at(0).stream()).id()).isEqualTo(20);
    assertThat(record.event()).isEqualTo(9);
    assertThat(record.at(1).stream()).isEqualTo(-1);
  }

  @Test
  void pidsAndTidsMayBeTexts() throws IOException {
    Timeline timeline =
        events(
            """
            {"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"x","ts":1},
            {"ph":"i","name":"Record Window End","pid":"","tid":"","ts":1},
            {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":25738,"tid":"25738","ts":1},
            {"ph":"X","cat":"Operator","name":"aten::add","pid":25738,"tid":"main","ts":1},
            {"name":"thread_name","ph":"M","ts":1,"pid":25738,"tid":"25738",
             "args":{"name":"thread 25738 (python) "}}
            """);

    assertThat(timeline.processes().stream().map(ProcessInfo::pid)).containsExactly(25738L);
    assertThat(timeline.threads().stream().map(t -> t.label()))
        .containsExactly("thread 25738 (python)", "main");
  }

  @Test
  void rangesHaveTheirKindShapeAndTypes() throws IOException {
    RangeView range =
        events(
                """
                {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":9,
                 "args":{"Input Dims":[[3, 4], []],"Input type":["float", ""]}},
                {"ph":"X","cat":"user_annotation","name":"step0","pid":1,"tid":1,"ts":2,"dur":5},
                {"ph":"X","cat":"python_function","name":"f.py(1): g","pid":1,"tid":1,"ts":3,"dur":1}
                """)
            .ranges();

    assertThat(IntStream.range(0, 3).map(i -> range.at(i).kind()))
        .containsExactly(Range.KIND_OPERATOR, Range.KIND_ANNOTATION, Range.KIND_PYTHON);
    assertThat(range.at(0).shape()).isEqualTo("[[3, 4], []]");
    assertThat(range.dtype()).isEqualTo("[\"float\", \"\"]");
    assertThat(range.at(1).shape()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Memcpy DtoH (Device -> Pageable), 2, 0",
    "Memcpy HtoD (Pinned -> Device), 1, 2",
    "Memcpy HtoA (Pageable -> Array), 0, 3",
    "Memcpy HtoD (Managed -> Device), 4, 2",
    "Memcpy HtoD (Host -> Device), -1, 2",
    "CopyHostToDevice, -1, -1"
  })
  void memoriesComeFromTheName(String name, int source, int destination) throws IOException {
    OpView op =
        events(
                """
                {"ph":"X","cat":"gpu_memcpy","name":"%s","pid":0,"tid":7,"ts":1,"dur":2,
                 "args":{"stream":7,"bytes":1048576}}
                """
                    .formatted(name))
            .ops()
            .at(0);

    assertThat(op.kind()).isEqualTo(Op.KIND_COPY);
    assertThat(op.bytes()).isEqualTo(1_048_576);
    assertThat(op.srcMemory()).isEqualTo(source);
    assertThat(op.dstMemory()).isEqualTo(destination);
  }

  @Test
  void groupsOfOneDescriptionStayApart() throws IOException {
    String operator =
        """
        {"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":%d,"dur":9,
         "args":{"Collective name":"allreduce","Process Group Name":"%s","Seq":%d,
         "Process Group Description":"%s","Group size":%d,"dtype":"Float","In msg nelems":8}}
        """;
    Timeline timeline =
        KinetoTraces.read(
            file,
            "{\"distributedInfo\":{\"rank\":0,\"world_size\":4},\"traceEvents\":["
                + String.join(
                    ",",
                    operator.formatted(1, "0", 1, "default_pg", 4),
                    operator.formatted(2, "3", 7, "undefined", 2),
                    operator.formatted(3, "5", 1, "mesh_tp", 2),
                    operator.formatted(4, "6", 2, "whole", 4),
                    operator.formatted(5, "7", 2, "whole", 4))
                + "]}");
    CollectiveView collective = timeline.collectives();

    assertThat(IntStream.range(0, 5).mapToObj(i -> collective.at(i).communicator()))
        .containsExactly("default_pg", "3", "mesh_tp 5", "whole 6", "whole 7");
    assertThat(collective.at(1).sequence()).isEqualTo(7);
    assertThat(collective.countIn()).isEqualTo(8);
    assertThat(collective.countOut()).isEqualTo(-1);
  }

  @Test
  void collectivesOfKernelsCountOnlyWithoutOperators() throws IOException {
    String kernel =
        """
        {"ph":"X","cat":"kernel","name":"ncclDevKernel","pid":0,"tid":7,"ts":5,"dur":9,
         "args":{"stream":7,"correlation":3,"Collective name":"_allgather_base",
         "Process Group Name":"2","dtype":"BFloat16","Group size":8}}
        """;
    String call =
        """
        {"ph":"X","cat":"cuda_driver","name":"cuLaunchKernelEx","pid":4,"tid":6,"ts":2,"dur":1,
         "args":{"correlation":3}}
        """;
    String operator =
        """
        {"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":4,"tid":6,"ts":1,"dur":3,
         "args":{"Collective name":"_allgather_base"}}
        """;
    CollectiveView alone = events(kernel + "," + call).collectives();
    assertThat(alone.size()).isEqualTo(1);
    assertThat(alone.at(0).correlation()).isEqualTo(3);
    assertThat(alone.start()).isEqualTo(2000);
    assertThat(alone.end()).isEqualTo(3000);
    assertThat(alone.communicator()).isEqualTo("2");
    assertThat(alone.stream()).isZero();
    assertThat(events(kernel).collectives().at(0).process()).isZero();

    CollectiveView both = events(String.join(",", kernel, call, operator)).collectives();
    assertThat(both.size()).isEqualTo(1);
    assertThat(both.at(0).correlation()).isEqualTo(-1);
  }

  @Test
  void headerNamesVersionsAndTheGpuInUse() throws IOException {
    Timeline timeline =
        KinetoTraces.read(
            file,
            """
            {"schemaVersion": 1,
             "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132},
                                  {"id": 1, "name": "NVIDIA B200", "numSms": 148}],
             "cuda_runtime_version": 12090, "displayTimeUnit": "ms",
             "distributedInfo": {"rank": 1, "nccl_version": "2.27.5", "pg_config": "none"},
             "traceEvents": [
              {"ph":"X","cat":"kernel","name":"k","pid":1,"tid":7,"ts":1,
               "args":{"device":1,"stream":7}}],
             "INFO": ["INFO: Record counts: Out-of-range = 12, Blocklisted runtime = 52, Invalid ext correlations = 0, CPU GPU out-of-order = 0, Unexpected CUDA events = 3",
                      "WARNING: Dropped 7 activity records"]}
            """);

    assertThat(timeline.sources().get(0).properties().toString())
        .isEqualTo("{CUDA=12.9, NCCL=2.27.5, GPU=NVIDIA B200}");
    assertThat(timeline.devices()).containsExactly(new DeviceInfo(0, 1, "NVIDIA B200", 148));
    Table losses = timeline.table(RecordType.LOSS);
    assertThat(
            IntStream.range(0, losses.size())
                .mapToObj(
                    i ->
                        timeline.strings().get(losses.get(i, Loss.KIND))
                            + " "
                            + losses.get(i, Loss.COUNT)))
        .containsExactly("Out-of-range 12", "Unexpected CUDA events 3", "dropped 7");
  }

  @Test
  void namesAreUnescapedAndWrongEscapesAreKept() throws IOException {
    Timeline timeline =
        events(
            """
            {"ph":"X","cat":"python_function","name":"C:\\work\\new \\"\\u00e9\\"\\n\\uZZ",
             "pid":1,"tid":1,"ts":1,"args":{"a":inf,"b":-nan,"c":[1e5,{"d":null}]}}
            """);

    assertThat(timeline.ranges().at(0).name()).isEqualTo("C:\\work\new \"é\"\n\\uZZ");
  }

  @Test
  void streamsWithoutContextLieOnTheirDevice() throws IOException {
    String kernel =
        """
        {"ph":"X","cat":"kernel","name":"k","pid":%d,"tid":0,"ts":1,
         "args":{"device":%d,"stream":0}}
        """;
    Timeline timeline = events(kernel.formatted(2, 2) + "," + kernel.formatted(3, 3));

    assertThat(timeline.streams().stream().map(StreamInfo::device)).containsExactly(2, 3);
  }

  @Test
  void eventsOfOtherPhasesAreLeftOut() throws IOException {
    Timeline timeline =
        events(
            """
            {"ph":"s","id":1,"pid":1,"tid":1,"ts":1,"cat":"ac2g","name":"ac2g"},
            {"ph":"C","cat":"kernel","name":"k","ts":"never"},
            {"ph":"X","cat":"gpu_user_annotation","name":"step","pid":0,"tid":7,"ts":1,"dur":1},
            {}
            """);

    assertThat(timeline.isEmpty()).isTrue();
  }
}
