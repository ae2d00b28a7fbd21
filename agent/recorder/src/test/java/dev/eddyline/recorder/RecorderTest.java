package dev.eddyline.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.marks.Marks;
import dev.eddyline.recorder.standin.Play;
import dev.eddyline.recorder.standin.Standin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
  private static final int PAIRS = 500;
  @TempDir private static Path folder;
  private static Path cupti;
  private static int recordings;
  private final List<String> log = new CopyOnWriteArrayList<>();

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
    return record(options, recording -> program.run());
  }

  private Timeline record(RecorderOptions.Builder options, Consumer<Recording> program)
      throws IOException {
    RecorderOptions built = options.build();
    Recording recording = Recorder.start(built, log::add);
    await(() -> recording.info().startsWith("recording"));
    try {
      program.accept(recording);
    } finally {
      recording.shutdown();
    }
    return read(built.out().get());
  }

  private static Timeline read(Path file) throws IOException {
    TimelineBuilder timeline = new TimelineBuilder();
    new EddyReader().read(file, timeline, ReadOptions.defaults());
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
                Play.launch(13, Play.ADD, 1000);
              }
              Play.threads(4, 5_000);
            });
    assertThat(timeline.ops().size()).isEqualTo(40_000);
    assertThat(timeline.ops().at(0).name()).isEqualTo("add(float*, float, Pair)");
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
    assertThat(
            IntStream.range(0, timeline.calls().size())
                .mapToObj(i -> timeline.calls().at(i).name()))
        .contains("cudaStreamBeginCapture")
        .doesNotContain("cuStreamIsCapturing");
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
  void a_thread_that_carries_virtual_ones_is_named_so() throws IOException {
    assumeTrue(Runtime.version().feature() >= 21, "no virtual threads");
    Timeline timeline =
        record(
            () -> {
              try {
                Thread virtual =
                    (Thread)
                        Thread.class
                            .getMethod("startVirtualThread", Runnable.class)
                            .invoke(null, (Runnable) () -> Play.synchronize(13, 3_000_000));
                virtual.join();
              } catch (ReflectiveOperationException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(
            timeline
                .thread(
                    timeline.syncs().at(0).call() < 0
                        ? 0
                        : timeline.calls().at(timeline.syncs().at(0).call()).thread())
                .name())
        .startsWith("ForkJoinPool-")
        .endsWith(" (carries virtual threads)");
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

  @Test
  void deep_mode_records_the_pointers_of_launches_and_the_addresses_of_copies() throws IOException {
    float[] array = new float[256];
    Timeline timeline =
        record(
            builder().deep(true),
            () -> {
              Play.malloc(0x700000100000L, 0x100000);
              Play.launch(13, Play.SCALE, 1000);
              Play.copyHeap(array, 0);
              Play.free(0x700000100000L);
            });
    List<String> accesses = new ArrayList<>();
    for (int i = 0; i < timeline.accesses().size(); i++) {
      var access = timeline.accesses().at(i);
      accesses.add(
          access.kind()
              + ":"
              + (access.source() == 1 && access.kind() == 0
                  ? "array"
                  : Long.toHexString(access.begin()))
              + "+"
              + access.bytes());
    }
    assertThat(accesses)
        .containsExactlyInAnyOrder(
            "3:700000001000+-1",
            "3:700000100000+-1",
            "3:700000200000+-1",
            "1:700000000000+1024",
            "0:array+1024");
    assertThat(timeline.allocations().size()).isEqualTo(2);
    assertThat(log.get(1)).contains("losses: none");
  }

  @Test
  void marks_become_steps_names_and_collectives_joined_with_their_launch() throws IOException {
    Timeline timeline =
        record(
            builder(),
            recording -> {
              Marks.setSink(recording.marks());
              try {
                Play.createStream(20, true);
                Marks.nameStream(0, 20, "nccl");
                Marks.allocated(0, 20, 2, 0x5000, 256, "weights");
                Marks.beginStep("step 1");
                Marks.collective("world", 0, "allreduce", "f32", 8, 8, 2, 0x100, 0x200, 0, 20, 9);
                Marks.beginLaunch();
                Play.launch(20, Play.ALL_REDUCE, 1000);
                Marks.endLaunch();
                Play.record(9, 20);
                Marks.end();
              } finally {
                Marks.setSink(null);
              }
            });
    assertThat(timeline.collectives().size()).isEqualTo(1);
    var collective = timeline.collectives().at(0);
    assertThat(collective.kind()).isEqualTo("allreduce");
    assertThat(collective.correlation()).isEqualTo(timeline.ops().at(0).correlation());
    assertThat(collective.workEvent()).isEqualTo(9);
    assertThat(timeline.stream(timeline.ops().at(0).stream()).name()).isEqualTo("nccl");
    assertThat(timeline.ranges().at(0).name()).isEqualTo("step 1");
    assertThat(timeline.accesses().size()).isEqualTo(2);
    assertThat(timeline.allocations().at(0).bytes()).isEqualTo(256);
  }

  @Test
  void a_collective_that_another_thread_launches_is_joined_by_the_time_of_its_launch()
      throws IOException {
    Timeline timeline =
        record(
            builder(),
            recording -> {
              Marks.setSink(recording.marks());
              try {
                for (int i = 0; i < 3; i++) {
                  Play.launch(21, Play.ALL_REDUCE, 1000);
                  Marks.collective("world", i, "allreduce", "f32", 8, 8, 2, 0, 0, 0, 21, -1);
                  Marks.beginLaunch();
                  Thread launcher = new Thread(() -> Play.launch(21, Play.ALL_REDUCE, 1000));
                  launcher.start();
                  launcher.join();
                  Marks.endLaunch();
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                Marks.setSink(null);
              }
            });
    List<Long> launches =
        IntStream.range(0, 6).mapToObj(i -> timeline.ops().at(i).correlation()).sorted().toList();
    assertThat(IntStream.range(0, 3).mapToObj(i -> timeline.collectives().at(i).correlation()))
        .containsExactly(launches.get(1), launches.get(3), launches.get(5));
  }

  @Test
  void a_ring_keeps_the_end_and_writes_it_on_demand() throws IOException {
    Path[] written = new Path[1];
    record(
        builder().ring(60_000_000_000L, 64 << 20, 0),
        recording -> {
          Play.launch(13, Play.SCALE, 1000);
          await(
              () ->
                  recording.info().contains(" records")
                      && !recording.info().contains(" 0 records"));
          written[0] = folder.resolve("snapshot.eddy");
          assertThat(recording.snapshot(written[0])).isEqualTo("wrote " + written[0]);
        });
    assertThat(read(written[0]).ops().size()).isEqualTo(1);
  }

  @Test
  void a_second_recording_in_the_process_is_refused_and_a_later_one_works() throws IOException {
    record(
        builder(),
        recording -> {
          Recording second = Recorder.start(builder().build(), log::add);
          assertThat(second.isActive()).isFalse();
          assertThat(second.info()).contains("another recording");
        });
    assertThat(record(() -> Play.launch(13, Play.SCALE, 1)).ops().size()).isEqualTo(1);
  }

  @Test
  void a_hang_is_told_with_the_calls_that_are_stuck_and_their_stacks() throws IOException {
    Timeline timeline =
        record(
            builder().hang(300_000_000),
            recording -> {
              Thread stuck = new Thread(() -> Play.hang(30), "the stuck thread");
              stuck.setDaemon(true);
              stuck.start();
              await(() -> log.size() > 1);
            });
    assertThat(log.get(1)).startsWith("hang: cudaStreamSynchronize on the stuck threa");
    var call = timeline.calls().at(timeline.calls().size() - 1);
    assertThat(call.name()).isEqualTo("cudaStreamSynchronize");
    assertThat(call.duration()).isGreaterThanOrEqualTo(300_000_000);
    assertThat(
            IntStream.range(0, timeline.ranges().size())
                .filter(i -> timeline.ranges().at(i).thread() == call.thread())
                .mapToObj(i -> timeline.ranges().at(i).name()))
        .anyMatch(frame -> frame.startsWith("Play.hang("));
  }

  @Test
  void a_ring_is_written_when_a_call_blocks_for_long() throws IOException {
    Path[] out = new Path[1];
    record(
        builder().ring(60_000_000_000L, 64 << 20, 20_000_000),
        recording -> {
          Play.synchronize(13, 30_000_000);
          await(
              () ->
                  log.stream()
                      .anyMatch(line -> line.startsWith("a call was blocked for long: wrote ")));
          out[0] = Path.of(log.get(1).replaceFirst(".*wrote ", ""));
        });
    assertThat(read(out[0]).syncs().size()).isPositive();
  }

  @Test
  void a_window_between_marks_is_recorded_alone() throws IOException {
    RecorderOptions options =
        builder().window(new RecordingWindow(0, "step 2", Long.MAX_VALUE, "step 4")).build();
    Recording recording = Recorder.start(options, log::add);
    Marks.setSink(recording.marks());
    try {
      for (int i = 1; i <= 5; i++) {
        Marks.beginStep("step " + i);
        if (i == 2) {
          await(() -> recording.info().startsWith("recording"));
        }
        if (i == 4) {
          await(() -> !recording.isActive());
        }
        Play.launch(13, Play.SCALE, 1);
        Marks.end();
      }
    } finally {
      Marks.setSink(null);
      recording.shutdown();
    }
    assertThat(read(options.out().get()).ops().size()).isEqualTo(2);
  }

  @Test
  void a_second_recording_is_refused_also_while_the_first_one_waits() {
    RecordingWindow never = new RecordingWindow(Long.MAX_VALUE, null, Long.MAX_VALUE, null);
    Recording first = Recorder.start(builder().window(never).build(), log::add);
    assertThat(first.info()).isEqualTo("waiting for CUDA");
    assertThat(Recorder.start(builder().build(), log::add).isActive()).isFalse();
    first.shutdown();
    assertThat(first.info()).isEqualTo("not recorded: CUDA was not used");
    assertThat(first.isActive()).isFalse();
  }

  @Test
  void an_existing_file_is_not_overwritten() throws IOException {
    RecorderOptions.Builder options = builder();
    Path taken = options.build().out().get();
    java.nio.file.Files.writeString(taken, "mine");
    Recording recording = Recorder.start(options.build(), log::add);
    await(() -> recording.info().startsWith("recording"));
    recording.shutdown();
    assertThat(taken).hasContent("mine");
    assertThat(log.get(0)).contains(OutputFile.numbered(taken, 2).toString());
  }

  @Test
  void a_folder_that_cannot_be_written_leaves_the_program_alone() {
    RecorderOptions options =
        RecorderOptions.into(Path.of("/proc/none/run.eddy")).change().cupti(List.of(cupti)).build();
    Recording recording = Recorder.start(options, log::add);
    await(() -> !recording.isActive());
    assertThat(log)
        .hasSize(1)
        .first()
        .asString()
        .startsWith("not recording: the output cannot be written");
    assertThat(Play.launch(13, Play.SCALE, 1)).isPositive();
  }
}
