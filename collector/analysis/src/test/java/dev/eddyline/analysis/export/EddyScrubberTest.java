package dev.eddyline.analysis.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.importer.eddy.EddyFiles;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.importer.eddy.TimelineText;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Allocation;
import dev.eddyline.trace.RecordType.Collective;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Range;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EddyScrubberTest {
  @TempDir private Path folder;
  private final TimelineBuilder builder = new TimelineBuilder();
  private long time = 1_796_055_245_000_000_000L;

  @BeforeEach
  void addOneProcess() {
    int source =
        builder.addSource(
            new SourceInfo(
                "secret_project.json",
                "Kineto",
                Map.of("CUDA", "13.0", "GPU", "NVIDIA H200", "traceName", "/secret/path")));
    int process = builder.addProcess(new ProcessInfo(source, 42, 0, 2, "secret-host"));
    builder.nameThread(builder.thread(process, 733), "secret-thread");
    builder.nameThread(builder.thread(process, 734), "secret-thread");
    builder.thread(process, 735);
    int stream = builder.stream(process, 0, 1, 7, 0);
    builder.setStream(
        stream, new StreamInfo(process, 0, 1, 7, 0, StreamInfo.Kind.UNKNOWN, "secret-fragment"));
    builder.addSkipped(new SkippedRange(source, 1, 2, "secret words"));
    builder.strings().intern("secret and unused");
  }

  private Timeline scrubbed() throws IOException {
    Path file = folder.resolve("run.eddy");
    EddyExport.write(builder.build(), file, true, true);
    Timeline read = EddyFiles.read(file);
    assertThat(TimelineText.of(read)).noneMatch(line -> line.contains("secret"));
    assertThat(read.sources().toString()).doesNotContain("secret");
    return read;
  }

  private void range(int kind, String name) {
    long[] row = new long[RecordType.RANGE.width()];
    Arrays.fill(row, RecordType.NONE);
    row[Range.START] = time++;
    row[Range.DURATION] = 1;
    row[Range.THREAD] = 0;
    row[Range.KIND] = kind;
    row[Range.NAME] = builder.strings().intern(name);
    builder.add(RecordType.RANGE, row);
  }

  private static List<String> names(Timeline timeline, RecordType type, int column) {
    List<String> names = new ArrayList<>();
    Table table = timeline.table(type);
    for (int i = 0; i < table.size(); i++) {
      names.add(timeline.strings().get(table.get(i, column)));
    }
    return names;
  }

  @Test
  void replacesNamesOfHostsThreadsStreamsAndFiles() throws IOException {
    Timeline read = scrubbed();
    assertThat(read.process(0).host()).isEqualTo("host-1");
    assertThat(read.threads())
        .extracting(thread -> thread.name())
        .containsExactly("thread-1", "thread-1", "");
    assertThat(read.stream(0).name()).isEqualTo("stream-1");
    assertThat(read.sources().get(0).properties())
        .containsEntry("CUDA", "13.0")
        .containsEntry("GPU", "NVIDIA H200")
        .containsEntry("traceName", "property-1")
        .containsEntry(EddyReader.EXPORTED_FROM, "trace-1");
    assertThat(read.skipped().get(0).what()).isEqualTo("a part that could not be read");
  }

  @Test
  void replacesTheProgramsOwnRanges() throws IOException {
    range(Range.KIND_PYTHON, "secret.py(12): forward");
    range(Range.KIND_PYTHON, "aten::mm");
    range(Range.KIND_PYTHON, "secret.py(12): forward");
    range(Range.KIND_JAVA, "com.secret.Trainer.step");
    range(Range.KIND_NVTX, "secret phase");
    range(Range.KIND_ANNOTATION, "sync secret fragment");
    range(Range.KIND_OPERATOR, "secret::op");
    range(
        Range.KIND_OPERATOR,
        "autograd::engine::evaluate_function: SecretBackward".toLowerCase(java.util.Locale.ROOT));
    range(Range.KIND_STEP, "secret step");
    assertThat(names(scrubbed(), RecordType.RANGE, Range.NAME))
        .containsExactly(
            "python-1",
            "python-2",
            "python-1",
            "java-1",
            "nvtx-1",
            "annotation-1",
            "operator-1",
            "operator-2",
            "step-1");
  }

  @Test
  void keepsWhatCudaNcclAndPytorchCallThings() throws IOException {
    List<String> kept =
        List.of(
            "aten::mm",
            "nccl:all_reduce",
            "nccl:send 0->1",
            "c10d::allreduce_",
            "record_param_comms");
    kept.forEach(name -> range(Range.KIND_OPERATOR, name));
    List<String> steps = List.of("ProfilerStep#12", "step0");
    steps.forEach(name -> range(Range.KIND_ANNOTATION, name));
    steps.forEach(name -> range(Range.KIND_STEP, name));
    range(Range.KIND_NVTX, "ncclAllReduce");
    List<String> expected = new ArrayList<>(kept);
    expected.addAll(steps);
    expected.addAll(steps);
    expected.add("ncclAllReduce");
    assertThat(names(scrubbed(), RecordType.RANGE, Range.NAME)).isEqualTo(expected);
  }

  @Test
  void aStepNameMustBeNothingElse() throws IOException {
    range(Range.KIND_STEP, "step1 of secret");
    range(Range.KIND_STEP, "secret step1");
    assertThat(names(scrubbed(), RecordType.RANGE, Range.NAME)).containsExactly("step-1", "step-2");
  }

  @Test
  void oneStringInTwoRolesIsJudgedInEach() throws IOException {
    range(Range.KIND_PYTHON, "cudaLaunchKernel");
    builder.add(
        RecordType.CALL,
        new long[] {time, 1, 0, builder.strings().intern("cudaLaunchKernel"), 1, 0});
    Timeline read = scrubbed();
    assertThat(names(read, RecordType.RANGE, Range.NAME)).containsExactly("python-1");
    assertThat(read.calls().at(0).name()).isEqualTo("cudaLaunchKernel");
  }

  @Test
  void keepsKernelsButNotHostFunctionsOrUnknownCalls() throws IOException {
    long[] row = new long[RecordType.OP.width()];
    Arrays.fill(row, RecordType.NONE);
    row[Op.STREAM] = 0;
    row[Op.START] = time;
    row[Op.KIND] = Op.KIND_KERNEL;
    row[Op.NAME] = builder.strings().intern("void gemm<float>(float*)");
    builder.add(RecordType.OP, row);
    row[Op.START] = time + 1;
    row[Op.KIND] = Op.KIND_HOST_FUNCTION;
    row[Op.NAME] = builder.strings().intern("secretCallback");
    builder.add(RecordType.OP, row);
    builder.add(
        RecordType.CALL, new long[] {time, 1, 0, builder.strings().intern("secretCall"), 1, 0});
    Timeline read = scrubbed();
    assertThat(names(read, RecordType.OP, Op.NAME))
        .containsExactly("void gemm<float>(float*)", "function-1");
    assertThat(read.calls().at(0).name()).isEqualTo("call-1");
  }

  @Test
  void replacesCommunicatorsAndWhatIsNoShapeOrType() throws IOException {
    String[][] words = {
      {"allreduce", "default_pg", "float", "[[16777216], []]"},
      {"Secret Kind", "secret_group", "secret.Type", "secret"},
      {"wait", "0x7f00aa", "c10::BFloat16", ""}
    };
    for (String[] word : words) {
      long[] row = new long[RecordType.COLLECTIVE.width()];
      Arrays.fill(row, RecordType.NONE);
      row[Collective.START] = time++;
      row[Collective.DURATION] = 1;
      row[Collective.THREAD] = 0;
      row[Collective.KIND] = builder.strings().intern(word[0]);
      row[Collective.COMMUNICATOR] = builder.strings().intern(word[1]);
      row[Collective.DTYPE] = builder.strings().intern(word[2]);
      row[Collective.SHAPE] = builder.strings().intern(word[3]);
      builder.add(RecordType.COLLECTIVE, row);
    }
    Timeline read = scrubbed();
    assertThat(names(read, RecordType.COLLECTIVE, Collective.KIND))
        .containsExactly("allreduce", "word-1", "wait");
    assertThat(names(read, RecordType.COLLECTIVE, Collective.COMMUNICATOR))
        .containsExactly("default_pg", "communicator-1", "0x7f00aa");
    assertThat(names(read, RecordType.COLLECTIVE, Collective.DTYPE))
        .containsExactly("float", "type-1", "c10::BFloat16");
    assertThat(names(read, RecordType.COLLECTIVE, Collective.SHAPE))
        .containsExactly("[[16777216], []]", "shape-1", "");
  }

  @Test
  void replacesNamesOfBuffers() throws IOException {
    long[] row = new long[RecordType.ALLOCATION.width()];
    Arrays.fill(row, RecordType.NONE);
    row[Allocation.START] = time;
    row[Allocation.PROCESS] = 0;
    row[Allocation.KIND] = Allocation.KIND_ALLOCATE;
    row[Allocation.BEGIN] = 0x7f00_0000_0000L;
    row[Allocation.BYTES] = 512;
    row[Allocation.NAME] = builder.strings().intern("secret gradient");
    builder.add(RecordType.ALLOCATION, row);
    assertThat(names(scrubbed(), RecordType.ALLOCATION, Allocation.NAME))
        .containsExactly("buffer-1");
  }
}
