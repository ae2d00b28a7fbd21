package dev.eddyline.viewer.app;

import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.view.TraceView;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import javafx.animation.AnimationTimer;
import javafx.scene.Scene;
import javafx.stage.Stage;
import org.testfx.api.FxToolkit;

/**
 * Frames of a pan and a zoom over 10 million ops on 200 streams, 1600 × 900, software rendering:
 * {@code viewer/bench}. Prints the time from pulse to pulse (drawing and rendering), that of
 * drawing alone, and the heap.
 */
public final class FrameBenchmark {
  private static final int STREAMS = 200;
  private static final int FRAMES = 600;

  private FrameBenchmark() {}

  public static void main(String[] args) throws Exception {
    int ops = args.length > 0 ? Integer.parseInt(args[0]) : 10_000_000;
    System.setProperty("javafx.animation.fullspeed", "true");
    Windows.useNoDisplay();
    long empty = heap();
    Timeline timeline = timeline(ops);
    long timelineHeap = heap() - empty;
    long began = System.nanoTime();
    Analysis analysis = Analyzer.analyze(timeline, AnalysisOptions.defaults());
    long analysed = System.nanoTime();
    long analysisHeap = heap() - empty;
    long resumed = System.nanoTime();
    TraceModel model = TraceModel.of("synthetic", analysis);
    System.out.printf(
        Locale.ROOT,
        "analysis %.1f s, rows %.1f s%n",
        (analysed - began) / 1e9,
        (System.nanoTime() - resumed) / 1e9);
    System.out.printf(
        Locale.ROOT,
        "heap: timeline %d MB, with its graph %d MB, with the viewer's rows %d MB%n",
        timelineHeap >> 20,
        analysisHeap >> 20,
        heap() - empty >> 20);
    Stage stage = FxToolkit.registerPrimaryStage();
    TimelinePane pane =
        Windows.call(
            () -> {
              TimelinePane made = new TimelinePane();
              stage.setScene(new Scene(made, 1600, 900));
              stage.show();
              return made;
            });
    long opened = System.nanoTime();
    TraceView view = Windows.call(() -> new TraceView(model));
    view.rowState().scale(0);
    Windows.call(
        () -> {
          pane.show(view);
          pane.draw();
          return true;
        });
    System.out.printf(Locale.ROOT, "first picture %.0f ms%n", (System.nanoTime() - opened) / 1e6);
    run("warm up", pane, view);
    run("pan and zoom", pane, view);
    run("again", pane, view);
    System.exit(0);
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static Timeline timeline(int ops) {
    TimelineBuilder builder = new TimelineBuilder();
    int source = builder.addSource(new SourceInfo("synthetic", "synthetic", Map.of()));
    int process = builder.addProcess(new ProcessInfo(source, 1, 0, 1, ""));
    int[] names = new int[64];
    for (int i = 0; i < names.length; i++) {
      String name = i < 4 ? "ncclDevKernel_AllReduce_" + i : "void kernel_" + i + "<float>(float*)";
      names[i] = builder.strings().intern(name);
    }
    int[] streams = new int[STREAMS];
    long[] next = new long[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
      streams[s] = builder.stream(process, 0, 1, 7 + s, 0);
      next[s] = 1_796_055_245_000_000_000L + s * 31L;
    }
    SplittableRandom random = new SplittableRandom(1);
    long[] row = new long[RecordType.OP.width()];
    for (int i = 0; i < ops; i++) {
      int s = i % STREAMS;
      Arrays.fill(row, -1);
      long duration = random.nextInt(16) == 0 ? random.nextLong(400_000) : random.nextLong(9000);
      row[Op.START] = next[s];
      row[Op.DURATION] = duration;
      row[Op.STREAM] = streams[s];
      row[Op.NAME] = names[random.nextInt(names.length)];
      row[Op.KIND] = Op.KIND_KERNEL;
      row[Op.CORRELATION] = i + 1L;
      builder.add(RecordType.OP, row);
      next[s] += duration + random.nextLong(random.nextInt(8) == 0 ? 100_000 : 3000);
    }
    return builder.build();
  }

  /** A script of pans and zooms, each frame another view. */
  private static Viewport script(TraceModel model, int frame) {
    Span whole = model.whole();
    double depth = 0.5 - 0.5 * Math.cos(frame * Math.PI * 4 / FRAMES);
    long length = Math.round(whole.lengthNs() * Math.pow(10, -6 * depth));
    long start = whole.startNs() + Math.round((whole.lengthNs() - length) * (frame % 97) / 97.0);
    return Viewport.of(whole, start, start + length);
  }

  private static void run(String name, TimelinePane pane, TraceView view) throws Exception {
    long[] pulses = new long[FRAMES];
    long[] draws = new long[FRAMES];
    long[] cpu = new long[FRAMES];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    CountDownLatch done = new CountDownLatch(1);
    Windows.call(
        () -> {
          new AnimationTimer() {
            private int frame = -1;
            private long last;

            @Override
            public void handle(long ignored) {
              long now = System.nanoTime();
              if (frame >= 0) {
                pulses[frame] = now - last;
              }
              last = now;
              if (++frame == FRAMES) {
                stop();
                done.countDown();
                return;
              }
              pane.moves();
              view.slide(script(view.model(), frame));
              long begin = System.nanoTime();
              long cpuBegin = threads.getCurrentThreadCpuTime();
              pane.draw();
              cpu[frame] = threads.getCurrentThreadCpuTime() - cpuBegin;
              draws[frame] = System.nanoTime() - begin;
            }
          }.start();
          return true;
        });
    done.await();
    System.out.printf(
        Locale.ROOT,
        "%-14s pulse to pulse %s%n               drawing        %s%n               its CPU time  "
            + " %s%n",
        name,
        text(pulses),
        text(draws),
        text(cpu));
  }

  private static String text(long[] values) {
    Arrays.sort(values);
    return String.format(
        Locale.ROOT,
        "median %.1f ms, p99 %.1f ms, max %.1f ms",
        values[values.length / 2] / 1e6,
        values[values.length * 99 / 100] / 1e6,
        values[values.length - 1] / 1e6);
  }
}
