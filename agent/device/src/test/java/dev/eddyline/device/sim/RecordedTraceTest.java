package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.ADD;
import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.MULTIPLY;
import static dev.eddyline.device.sim.Programs.SMALL;
import static dev.eddyline.device.sim.Programs.floats;
import static dev.eddyline.device.sim.Programs.spin;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import dev.eddyline.device.StreamPool;
import dev.eddyline.marks.Marks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedTraceTest {
  private static final SimOptions TWO = SimOptions.defaults().withRanks(2);

  /**
   *
   *
   * <pre>
   * compute   GGGG e                          each step
   * nccl          └► all-reduce w
   * pool-k                      └► divide     k = the continuation's stream, drawn from the pool
   * pool-0    copy                            the host syncs pool-0, fragment 0's stream
   * </pre>
   */
  private static void callbackFromPool(Platform platform) {
    Device device = platform.device();
    Communicator world = world(platform);
    StreamPool pool = new StreamPool(device, 4, 0);
    Stream compute = device.createStream("compute");
    Stream nccl = device.createStream("nccl");
    Stream fragment = pool.next();
    Marks.nameStream(0, fragment.handle(), "fragment-0");
    Marks.role(0, fragment.handle(), "fragment");
    Marks.role(0, nccl.handle(), "nccl");
    Buffer gradient = floats(platform, compute, new float[1 << 20]);
    Buffer metrics = floats(platform, fragment, 1);
    HostBuffer host = device.allocatePinned(DataType.FLOAT32, 1);
    for (int step = 0; step < 4; step++) {
      try (Marks.Scope scope = Marks.step("step " + step)) {
        compute.launch(ADD, SMALL, gradient, 1f);
        nccl.waitFor(compute);
        world.allReduce(gradient, gradient, ReduceOp.SUM, nccl);
        Event work = device.createEvent("work");
        nccl.record(work);
        Stream continuation = pool.next();
        continuation.waitFor(work);
        continuation.launch(MULTIPLY, SMALL, gradient, 0.5f);
        try (Marks.Scope inner = Marks.range("read metrics")) {
          fragment.copy(host, metrics);
          fragment.synchronize();
        }
        compute.waitFor(continuation);
        compute.launch(ADD, SMALL, gradient, 1f);
        compute.synchronize();
      }
    }
  }

  @Test
  void a_callback_from_the_pool_makes_a_sync_wait_for_the_all_reduce_and_every_edge_is_certain() {
    Timeline timeline = Programs.open(Sim.run(TWO, RecordedTraceTest::callbackFromPool));
    Report report = Analyzer.analyze(timeline, AnalysisOptions.defaults()).report();
    List<Finding> found =
        report.findings().stream()
            .filter(finding -> finding.rule().equals("sync-on-collective"))
            .filter(finding -> finding.toString().contains("read metrics"))
            .toList();

    assertThat(found).hasSize(1);
    Finding finding = found.get(0);
    assertThat(finding.confidence()).isEqualTo(Confidence.CERTAIN);
    assertThat(finding.guessed()).isEmpty();
    assertThat(finding.occurrences()).hasSize(2);
    assertThat(finding.explanation())
        .contains("all-reduce #3 of world had to end on stream nccl")
        .contains("fragment-0");
    assertThat(finding.occurrences().get(0).where())
        .extracting(Place::name)
        .contains("step 3", "read metrics")
        .anyMatch(name -> name.contains("RecordedTraceTest.callbackFromPool"));
    assertThat(report.coverage().toString()).doesNotContain("unknown=1");
  }

  @Test
  void streams_carry_their_kind_name_and_process() {
    Timeline timeline =
        Programs.open(
            Sim.run(
                TWO,
                platform -> {
                  Device device = platform.device();
                  spin(device.defaultStream(), "L", 1000);
                  spin(device.createStream("free"), "N", 1000);
                  spin(device.createStream(StreamOptions.blocking("")), "B", 1000);
                  spin(device.perThreadDefaultStream(), "P", 1000);
                }));

    assertThat(timeline.processes()).extracting(process -> process.rank()).containsExactly(0, 1);
    assertThat(timeline.processes()).allMatch(process -> process.worldSize() == 2);
    assertThat(timeline.threads()).extracting(thread -> thread.name()).contains("main");
    assertThat(timeline.streams().stream().filter(stream -> stream.process() == 0))
        .extracting(StreamInfo::kind)
        .containsExactly(
            StreamInfo.Kind.LEGACY_DEFAULT,
            StreamInfo.Kind.NON_BLOCKING,
            StreamInfo.Kind.BLOCKING,
            StreamInfo.Kind.PER_THREAD_DEFAULT);
    assertThat(timeline.streams()).extracting(StreamInfo::name).contains("free");
  }

  @Test
  void a_destroyed_streams_handle_is_used_again_as_another_stream() {
    Timeline timeline =
        Programs.open(
            Sim.run(
                platform -> {
                  Stream first = platform.device().createStream("first");
                  spin(first, "1", 1000);
                  first.close();
                  Stream second = platform.device().createStream("second");
                  assertThat(second.handle()).isEqualTo(first.handle());
                  spin(second, "2", 1000);
                }));

    assertThat(timeline.streams().stream().filter(stream -> stream.id() == 13))
        .extracting(StreamInfo::name)
        .containsExactly("first", "second");
  }

  @Test
  void collectives_carry_communicator_sequence_counts_launch_and_the_works_event() {
    Timeline timeline =
        Programs.open(
            Sim.run(
                TWO,
                platform -> {
                  Communicator world = world(platform);
                  Stream n = platform.device().createStream("n");
                  Buffer a = floats(platform, n, 1, 2, 3);
                  Event work = platform.device().createEvent("work");
                  world.allReduce(a, a, ReduceOp.SUM, n);
                  Marks.collective(
                      "trainers",
                      5,
                      "allreduce",
                      "f32",
                      3,
                      3,
                      2,
                      0,
                      0,
                      0,
                      n.handle(),
                      work.handle());
                  world.allReduce(a, a, ReduceOp.SUM, n);
                  n.record(work);
                  n.synchronize();
                }));
    CollectiveView row = timeline.collectives();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (row.at(i).process() == 0) {
        rows.add(row.communicator() + " " + row.kind() + " " + (row.correlation() > 0));
      }
    }

    assertThat(rows).containsExactly("world allreduce true", "trainers allreduce true");
  }

  @Test
  void blocked_calls_carry_the_java_frames_that_made_them_and_others_none() {
    Timeline timeline =
        Programs.open(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  a.synchronize();
                  spin(a, "A", MS);
                  a.synchronize();
                }));
    RangeView range = timeline.ranges();
    List<String> frames = new ArrayList<>();
    for (int i = 0; i < range.size(); i++) {
      frames.add(range.at(i).name());
    }

    assertThat(frames).hasSize(1);
    assertThat(frames.get(0))
        .startsWith("RecordedTraceTest.lambda$blocked_calls_carry")
        .contains("(RecordedTraceTest.java:");
  }

  @Test
  void marks_of_threads_that_the_host_started_are_recorded_on_those_threads() {
    Timeline timeline =
        Programs.open(
            Sim.run(
                platform ->
                    platform
                        .host()
                        .start(
                            "loader",
                            () -> {
                              try (Marks.Scope scope = Marks.step("load")) {
                                platform.host().sleep(MS);
                              }
                            })
                        .join()));
    RangeView range = timeline.ranges();

    assertThat(range.size()).isEqualTo(1);
    assertThat(range.at(0).name()).isEqualTo("load");
    assertThat(timeline.threads().get(range.thread()).name()).isEqualTo("loader");
  }

  @Test
  void all_calls_that_order_something_can_carry_their_frames() {
    Timeline timeline =
        Programs.open(
            Sim.run(
                SimOptions.defaults().withAllStacks(true),
                platform -> {
                  Stream a = platform.device().createStream("a");
                  Event event = platform.device().createEvent("e");
                  spin(a, "A", MS);
                  a.record(event);
                  platform.device().createStream("b").waitFor(event);
                  event.isDone();
                  a.synchronize();
                }));
    RangeView range = timeline.ranges();
    int users = 0;
    for (int i = 0; i < range.size(); i++) {
      users += range.at(i).name().contains("(RecordedTraceTest.java:") ? 1 : 0;
    }

    assertThat(users).isEqualTo(4);
  }

  @Test
  void each_rank_can_have_a_trace_of_its_own(@TempDir Path folder) throws IOException {
    SimResult result = Sim.run(TWO.withTracePerRank(true), RecordedTraceTest::callbackFromPool);
    assertThat(result.traces()).hasSize(2);
    List<Path> files = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      files.add(result.traces().get(rank).write(folder.resolve("rank" + rank + ".eddy")));
    }
    Timeline timeline = Traces.open(files, ReadOptions.defaults());

    assertThat(timeline.processes()).extracting(process -> process.rank()).containsExactly(0, 1);
    assertThat(timeline.skipped()).isEmpty();
  }

  @Test
  void every_wait_is_recorded_with_its_record() {
    Timeline timeline = Programs.open(Sim.run(TWO, RecordedTraceTest::callbackFromPool));
    var graph = dev.eddyline.analysis.graph.StreamGraph.of(timeline);
    for (int i = 0; i < timeline.waits().size(); i++) {
      boolean empty = timeline.waits().at(i).isEmptyWait();
      assertThat(empty || graph.bindings().rule(i).isRecorded()).isTrue();
    }
  }
}
