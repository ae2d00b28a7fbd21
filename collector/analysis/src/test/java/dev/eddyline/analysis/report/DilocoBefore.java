package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Coverage.Answer;
import dev.eddyline.analysis.finding.Coverage.Verdict;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.finding.WorkWait;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Call;
import dev.eddyline.trace.RecordType.Collective;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The first half of examples: three syncs that held the host, with their true numbers. */
public final class DilocoBefore {
  public static final long SYNC0 = 1796055245243395354L;
  public static final long STEP0 = SYNC0 - 1_299_000;
  private static final String THREAD = "thread 733 (python3)";
  private static final String DIVISION =
      "vectorized_elementwise_kernel<4, BUnaryFunctor<float, float, float, MulFunctor<float>>>";
  private static final String MULTIPLY = "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n";

  private DilocoBefore() {}

  public static Timeline timeline() {
    TimelineBuilder builder = new TimelineBuilder();
    builder.addSource(
        new SourceInfo(
            "diloco_before_rank0.json.gz", "Kineto", Map.of("CUDA", "13.0", "NCCL", "2.28.9")));
    builder.addProcess(new ProcessInfo(0, 733, 0, 2, ""));
    builder.addDevice(new DeviceInfo(0, 0, "NVIDIA H200", 132));
    int thread = builder.thread(0, 733);
    builder.nameThread(thread, THREAD);
    int compute = builder.stream(0, 0, 1, 7, 0);
    builder.setStream(compute, new StreamInfo(0, 0, 1, 7, 0, StreamInfo.Kind.LEGACY_DEFAULT, ""));
    int nccl = builder.stream(0, 0, 1, 17, 0);
    int fragment = builder.stream(0, 0, 1, 25, 0);
    call(builder, thread, "cudaLaunchKernel", STEP0, 10_000, 91);
    call(builder, thread, "cudaLaunchKernelExC", STEP0 + 831_698, 10_000, 232);
    call(builder, thread, "cudaLaunchKernel", STEP0 + 1_004_000, 10_000, 263);
    call(builder, thread, "cudaStreamSynchronize", SYNC0, 1_034_771, 330);
    op(builder, compute, MULTIPLY, STEP0 + 100_000, 2_100_000, 91);
    op(builder, fragment, DIVISION, STEP0 + 2_218_000, 104_031, 263);
    op(
        builder,
        nccl,
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
        STEP0 + 13_013_000,
        21_812_000,
        232);
    long[] collective = new long[RecordType.COLLECTIVE.width()];
    Arrays.fill(collective, RecordType.NONE);
    collective[Collective.START] = STEP0 + 800_000;
    collective[Collective.DURATION] = 100_000;
    collective[Collective.THREAD] = thread;
    collective[Collective.KIND] = builder.strings().intern("allreduce");
    collective[Collective.COMMUNICATOR] = builder.strings().intern("default_pg");
    builder.add(RecordType.COLLECTIVE, collective);
    return builder.build();
  }

  private static void call(
      TimelineBuilder builder, int thread, String name, long start, long duration, long id) {
    long[] row = new long[RecordType.CALL.width()];
    row[Call.START] = start;
    row[Call.DURATION] = duration;
    row[Call.THREAD] = thread;
    row[Call.NAME] = builder.strings().intern(name);
    row[Call.CORRELATION] = id;
    row[Call.RESULT] = RecordType.NONE;
    builder.add(RecordType.CALL, row);
  }

  private static void op(
      TimelineBuilder builder, int stream, String name, long start, long duration, long id) {
    long[] row = new long[RecordType.OP.width()];
    Arrays.fill(row, RecordType.NONE);
    row[Op.START] = start;
    row[Op.DURATION] = duration;
    row[Op.STREAM] = stream;
    row[Op.NAME] = builder.strings().intern(name);
    row[Op.KIND] = Op.KIND_KERNEL;
    row[Op.CORRELATION] = id;
    builder.add(RecordType.OP, row);
  }

  public static Report report() {
    List<Occurrence> syncs = new ArrayList<>();
    syncs.add(sync(0, SYNC0, 330, 263, 91, 923_134, 104_031, 7_606));
    syncs.add(sync(1, SYNC0 + 1_996_000, 659, 585, 412, 1_584_511, 113_983, 6_270));
    syncs.add(sync(2, SYNC0 + 4_565_000, 988, 914, 741, 1_712_289, 115_104, 6_315));
    Finding blocked =
        new Finding(
            "explicit-sync",
            Severity.WARNING,
            Confidence.CERTAIN,
            "a sync on stream 25 held the host",
            "A sync on stream 25 held the host 3 times, 4.573 ms in all, until a division was"
                + " done.",
            "Not the all-reduce: it began 10.683, 42.567 and 64.543 ms after these calls had"
                + " returned.",
            "If the host needs one op's result, record an event right after that op and sync on the"
                + " event, not on the stream.",
            List.of(),
            List.of(),
            4_573_243L,
            null,
            false,
            syncs,
            3);
    Finding atEnd =
        new Finding(
            "explicit-sync",
            Severity.INFO,
            Confidence.CERTAIN,
            "device syncs at the end",
            "2 device syncs at the end.",
            "",
            "",
            List.of(),
            List.of(),
            74_512_000L,
            null,
            true,
            List.of(
                deviceSync(SYNC0 + 6_800_000, 74_484_000), deviceSync(SYNC0 + 82_000_000, 28_000)),
            0);
    return new Report(
        List.of(blocked, atEnd),
        List.<LatentSync>of(),
        List.of(workWait(5_400), workWait(7_200), workWait(5_000)),
        List.of(
            new NotEvaluated("empty-wait", "needs the record of a wait"),
            new NotEvaluated("overwritten-event", "needs the record of a wait"),
            new NotEvaluated("straggler", "needs rank 1")),
        coverage(),
        steps(),
        List.of());
  }

  private static Coverage coverage() {
    return new Coverage(
        21,
        0,
        3,
        18,
        0,
        6,
        9,
        5,
        5,
        40,
        0,
        0,
        null,
        1,
        2,
        false,
        List.of(
            new Answer(
                "host blocking",
                Verdict.YES,
                "yes",
                "3 stream syncs with their stream, 2 device syncs"),
            new Answer(
                "waits by a stream",
                Verdict.YES,
                "yes",
                "for 7, 17 and 25; 9 of 21 waits are on streams that ran nothing here"),
            new Answer(
                "what a wait waits for",
                Verdict.PARTLY,
                "3 of 21",
                "inferred; 0 of 21 recorded: torch.profiler does not write it on CUDA 12.9 and"
                    + " newer"),
            new Answer("memory", Verdict.NO, "no", "no addresses"),
            new Answer("other ranks", Verdict.NO, "no", "1 of 2 loaded")));
  }

  private static Steps steps() {
    return new Steps(
        List.of(
            new Steps.Step("step0", 0, 0, STEP0, STEP0 + 2_500_000),
            new Steps.Step("step1", 0, 0, STEP0 + 2_500_000, STEP0 + 5_000_000),
            new Steps.Step("step2", 0, 0, STEP0 + 5_000_000, STEP0 + 7_900_000)));
  }

  private static Occurrence sync(
      int step, long start, long id, long op, long beside, long busy, long running, long back) {
    List<Segment> blame =
        List.of(
            new Segment(
                Segment.State.DEVICE_BUSY,
                DIVISION,
                1,
                op,
                "25",
                start,
                busy,
                List.of(),
                List.of(new Segment.Beside(MULTIPLY, beside, "7"))),
            new Segment(
                Segment.State.RUNNING,
                DIVISION,
                1,
                op,
                "25",
                start + busy,
                running,
                List.of(),
                List.of()),
            new Segment(
                Segment.State.RETURN,
                "",
                -1,
                -1,
                "",
                start + busy + running,
                back,
                List.of(),
                List.of()));
    return new Occurrence(
        start,
        start + busy + running + back,
        3,
        0,
        THREAD,
        "cudaStreamSynchronize",
        id,
        "25",
        List.of(
            new Place(Place.Kind.STEP, "step" + step, "", 0),
            new Place(Place.Kind.ANNOTATION, "sync_other_fragment", "", 0)),
        blame,
        List.of());
  }

  private static Occurrence deviceSync(long start, long ns) {
    return new Occurrence(
        start,
        start + ns,
        -1,
        0,
        THREAD,
        "cudaDeviceSynchronize",
        1100,
        "",
        List.of(),
        List.of(),
        List.of());
  }

  private static WorkWait workWait(long hostNs) {
    return new WorkWait(
        "wait", SYNC0, hostNs, 0, THREAD, "default_pg", "allreduce", "7", false, "", 0);
  }
}
