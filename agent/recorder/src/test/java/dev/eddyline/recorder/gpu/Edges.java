package dev.eddyline.recorder.gpu;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * A program of several streams that knows which record each of its waits waits for, and compares
 * with what was recorded. Arguments: file, "early" or "late" (the recording starts after CUDA).
 */
public final class Edges {
  private static final int STREAMS = 6;
  private static final int EVENTS = 12;
  private static final int STEPS = 4000;
  private static final int NEVER = -1;

  private final Random random = new Random(7);
  private final int[] lastRecord = new int[EVENTS];
  private final List<Integer> sources = new ArrayList<>();
  private int records;

  private Edges() {
    java.util.Arrays.fill(lastRecord, NEVER);
  }

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    boolean late = arguments[1].equals("late");
    Gpu gpu = null;
    if (late) {
      gpu = new Gpu();
    }
    long started = System.nanoTime();
    Recording recording =
        Recorder.start(RecorderOptions.into(file), line -> System.out.println("eddyline: " + line));
    while (late && !recording.info().startsWith("recording")) {
      Thread.sleep(1);
    }
    System.out.printf("start took %.3f ms%n", (System.nanoTime() - started) / 1e6);
    if (gpu == null) {
      gpu = new Gpu();
    }
    Edges edges = new Edges();
    edges.run(gpu);
    started = System.nanoTime();
    System.out.println(recording.detach());
    System.out.printf("detach took %.3f ms%n", (System.nanoTime() - started) / 1e6);
    recording.shutdown();
    System.out.println(recording.info());
    edges.compare(file);
  }

  private void run(Gpu gpu) {
    List<CUstream_st> streams = IntStream.range(0, STREAMS).mapToObj(i -> gpu.stream()).toList();
    List<CUevent_st> events = IntStream.range(0, EVENTS).mapToObj(i -> gpu.event()).toList();
    for (int i = 0; i < STEPS; i++) {
      CUstream_st stream = streams.get(random.nextInt(STREAMS));
      int event = random.nextInt(EVENTS);
      switch (random.nextInt(4)) {
        case 0 -> {
          Gpu.check(cudart.cudaEventRecord(events.get(event), stream));
          lastRecord[event] = records++;
        }
        case 1 -> {
          Gpu.check(cudart.cudaStreamWaitEvent(stream, events.get(event), 0));
          sources.add(lastRecord[event]);
        }
        case 2 -> gpu.spin(stream, 20_000);
        default -> gpu.launch(stream);
      }
    }
    others(gpu, streams, events);
    gpu.spin(streams.get(0), 20_000_000);
    Gpu.check(cudart.cudaStreamSynchronize(streams.get(0)));
    Gpu.check(cudart.cudaDeviceSynchronize());
  }

  private static void others(Gpu gpu, List<CUstream_st> streams, List<CUevent_st> events) {
    CUstream_st first = streams.get(0);
    Pointer device = new Pointer();
    Gpu.check(cudart.cudaMalloc(device, 1 << 20));
    BytePointer host = new BytePointer(1 << 20);
    Gpu.check(cudart.cudaMemcpyAsync(device, host, 1 << 20, cudart.cudaMemcpyHostToDevice, first));
    Gpu.check(cudart.cudaMemcpy(host, device, 4096, cudart.cudaMemcpyDeviceToHost));
    Gpu.check(cudart.cudaMemsetAsync(device, 0, 1 << 20, first));
    Gpu.check(cudart.cudaDeviceSynchronize());
    Gpu.check(cudart.cudaStreamBeginCapture(first, 2));
    gpu.launch(first);
    Gpu.check(cudart.cudaEventRecord(events.get(0), first));
    Gpu.check(cudart.cudaStreamWaitEvent(streams.get(1), events.get(0), 0));
    gpu.launch(streams.get(1));
    Gpu.check(cudart.cudaEventRecord(events.get(1), streams.get(1)));
    Gpu.check(cudart.cudaStreamWaitEvent(first, events.get(1), 0));
    Gpu.check(cudart.cudaStreamEndCapture(first, new CUgraph_st()));
    Gpu.check(cudart.cudaFree(device));
  }

  private void compare(Path file) throws Exception {
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader().read(file, builder, ReadOptions.defaults());
    Timeline timeline = builder.build();
    StreamGraph graph = StreamGraph.of(timeline);
    Map<String, Integer> calls = new TreeMap<>();
    IntStream.range(0, timeline.calls().size())
        .forEach(i -> calls.merge(timeline.calls().at(i).name(), 1, Integer::sum));
    System.out.println(calls);
    System.out.println(timeline.streams());
    System.out.println(timeline.devices());
    int[] recordRows = byCall(timeline, ApiKind.EVENT_RECORD);
    int[] waitRows = byCall(timeline, ApiKind.STREAM_WAIT_EVENT);
    int right = 0;
    int empty = 0;
    int wrong = 0;
    for (int i = 0; i < sources.size(); i++) {
      int wait = waitRows[i];
      int bound = graph.bindings().record(wait);
      if (sources.get(i) == NEVER) {
        empty += graph.bindings().isEmpty(wait) || graph.bindings().isUnknown(wait) ? 1 : 0;
      } else if (bound == recordRows[sources.get(i)]) {
        right++;
      } else {
        wrong++;
      }
    }
    long captured =
        IntStream.range(0, timeline.waits().size())
            .filter(i -> timeline.waits().at(i).isCaptured())
            .count();
    System.out.printf(
        "EDGES waits %d right %d empty %d wrong %d captured %d refuted %d records %d of %d%n",
        sources.size(),
        right,
        empty,
        wrong,
        captured,
        graph.refuted(),
        timeline.records().size(),
        records);
    clocks(timeline);
    if (wrong > 0 || captured != 2 || graph.refuted() > 0) {
      throw new IllegalStateException("edges are wrong");
    }
    for (int i = 0; i < Math.min(12, timeline.ranges().size()); i++) {
      var range = timeline.ranges().at(i);
      System.out.println("frame " + range.name() + " on " + timeline.thread(range.thread()).name());
    }
  }

  /** Row of each record or wait in the order of the calls that made them. */
  private static int[] byCall(Timeline timeline, ApiKind kind) {
    boolean waits = kind == ApiKind.STREAM_WAIT_EVENT;
    int size = waits ? timeline.waits().size() : timeline.records().size();
    return IntStream.range(0, size)
        .boxed()
        .sorted(
            Comparator.comparingLong(
                i -> {
                  int call =
                      waits ? timeline.waits().at(i).call() : timeline.records().at(i).call();
                  return call < 0 ? Long.MAX_VALUE : timeline.calls().at(call).start();
                }))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Ops begin after their call begins, and end before the device sync returns. */
  private static void clocks(Timeline timeline) {
    long least = Long.MAX_VALUE;
    int early = 0;
    int without = 0;
    for (int i = 0; i < timeline.ops().size(); i++) {
      var op = timeline.ops().at(i);
      if (op.call() < 0) {
        without++;
        continue;
      }
      long lead = op.start() - timeline.calls().at(op.call()).start();
      least = Math.min(least, lead);
      early += lead < 0 ? 1 : 0;
    }
    System.out.printf(
        "CLOCK ops %d without call %d before their call %d least lead %d ns%n",
        timeline.ops().size(), without, early, least);
  }
}
