package dev.eddyline.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.recorder.standin.Play;
import dev.eddyline.recorder.standin.Standin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
  private static final int PAIRS = 500;
  @TempDir private static Path folder;
  private static Path cupti;
  private static int recordings;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  @BeforeAll
  static void load() {
    assumeTrue(Standin.isBuilt(), "no C compiler where this was built");
    cupti = Standin.unpack(folder);
    Standin.load(folder);
    Play.init();
  }

  private Timeline record(Runnable program) throws IOException {
    return record(builder(), program);
  }

  private static RecorderOptions.Builder builder() {
    Path out = folder.resolve("run-" + ++recordings + ".eddy");
    return RecorderOptions.into(out).change().cupti(List.of(cupti)).flush(20_000_000);
  }

  private Timeline record(RecorderOptions.Builder options, Runnable program) throws IOException {
    RecorderOptions built = options.build();
    Recording recording = Recorder.start(built, log::add);
    await(() -> recording.info().startsWith("recording"));
    try {
      program.run();
    } finally {
      recording.shutdown();
    }
    TimelineBuilder timeline = new TimelineBuilder();
    new EddyReader().read(built.out().get(), timeline, ReadOptions.defaults());
    return timeline.build();
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    long until = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void records_every_launch_of_java_and_native_threads() throws IOException {
    Timeline timeline =
        record(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                Play.launch(13, Play.SCALE, 1000);
              }
              Play.threads(4, 5_000);
            });
    assertThat(timeline.ops().size()).isEqualTo(40_000);
    assertThat(log.get(1)).contains("losses: none");
  }

  @Test
  void joins_every_wait_with_its_record() throws IOException {
    Timeline timeline =
        record(
            () -> {
              for (int i = 0; i < PAIRS; i++) {
                Play.record(1, 13);
                Play.await(14, 1);
                Play.record(1, 14);
                Play.await(13, 1);
              }
            });
    StreamGraph graph = StreamGraph.of(timeline);
    assertThat(timeline.waits().size()).isEqualTo(2 * PAIRS);
    assertThat(
            IntStream.range(0, 2 * PAIRS)
                .filter(
                    wait ->
                        timeline.records().at(graph.bindings().record(wait)).correlation()
                            != timeline.waits().at(wait).correlation() - 1)
                .count())
        .isZero();
  }

  @Test
  void a_captured_wait_is_no_wait() throws IOException {
    Timeline timeline =
        record(
            () -> {
              Play.record(3, 15);
              Play.capture(15, true);
              Play.record(3, 15);
              Play.await(16, 3);
              Play.capture(15, false);
              Play.await(16, 3);
            });
    assertThat(timeline.waits().size()).isEqualTo(2);
    assertThat(timeline.waits().at(0).isCaptured()).isTrue();
    assertThat(timeline.waits().at(1).isCaptured()).isFalse();
    assertThat(timeline.waits().at(1).syncId()).isPositive();
  }

  @Test
  void a_call_that_blocked_has_its_java_stack() throws IOException {
    Thread.currentThread().setName("a thread with a long name");
    Timeline timeline = record(() -> Play.synchronize(13, 3_000_000));
    List<String> frames =
        IntStream.range(0, timeline.ranges().size())
            .mapToObj(i -> timeline.ranges().at(i).name())
            .toList();
    assertThat(frames).last().asString().startsWith("Play.synchronize(");
    assertThat(frames)
        .anyMatch(
            frame ->
                frame.startsWith(
                        "RecorderTest.a_call_that_blocked_has_its_java_stack(RecorderTest.java:")
                    || frame.startsWith("RecorderTest.lambda$a_call_that_blocked"));
    assertThat(timeline.thread(timeline.ranges().at(0).thread()).name())
        .isEqualTo("a thread with a long name");
  }

  @Test
  void a_copy_inside_a_critical_region_has_its_java_stack() throws IOException {
    float[] array = new float[1000];
    java.util.Arrays.fill(array, 1);
    double[] sum = new double[1];
    Timeline timeline = record(() -> sum[0] = Play.copyHeap(array, 2_000_000));
    assertThat(sum[0]).isEqualTo(1000);
    assertThat(timeline.ranges().size()).isPositive();
    assertThat(timeline.ops().at(0).bytes()).isEqualTo(4000);
  }
}
