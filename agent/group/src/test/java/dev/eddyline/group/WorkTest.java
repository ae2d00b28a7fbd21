package dev.eddyline.group;

import static dev.eddyline.group.Jobs.ADD;
import static dev.eddyline.group.Jobs.MS;
import static dev.eddyline.group.Jobs.SMALL;
import static dev.eddyline.group.Jobs.floats;
import static dev.eddyline.group.Jobs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Stream;
import dev.eddyline.device.sim.SimResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkTest {
  private static final int LARGE = 1 << 22;

  private static Buffer large(Device device) {
    return device.allocate(DataType.FLOAT32, LARGE);
  }

  @Test
  void waiting_on_the_stream_never_holds_the_host() {
    Jobs.run(
        2,
        (platform, world) -> {
          Device device = world.device();
          Stream compute = device.createStream("compute");
          try (Device.Scope current = device.use(compute)) {
            Buffer gradient = large(device);
            compute.launch(ADD, SMALL, gradient, world.rank() + 1f);
            long before = platform.host().nanoTime();
            Work work = world.allReduce(gradient);
            work.waitOnStream();
            long took = platform.host().nanoTime() - before;

            assertThat(took).isLessThan(MS / 5);
            assertThat(work.isDone()).isFalse();
            assertThat(compute.isDone()).isFalse();
            assertThat(read(compute, gradient.slice(0, 2))).containsExactly(3, 3);
            assertThat(work.isDone()).isTrue();
          }
        });
  }

  @Test
  void both_blocking_forms_hold_the_host_until_it_is_done() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer one = large(world.device());
          Work first = world.allReduce(one);
          first.waitBlocking();
          assertThat(world.stream().isDone()).isTrue();

          Work second = world.allReduce(one);
          second.waitBlocking(100 * MS);
          assertThat(world.stream().isDone()).isTrue();
          assertThat(second.results()).containsExactly(one);
        });
  }

  @Test
  void a_bounded_wait_that_runs_out_says_so_and_aborts_nothing() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 1);
          platform.host().sleep(world.rank() * 20 * MS);
          Work work = world.allReduce(buffer);
          if (world.rank() == 0) {
            assertThatThrownBy(() -> work.waitBlocking(2 * MS))
                .isInstanceOf(GroupException.class)
                .hasMessage(
                    "all-reduce #0 (1 × f32) of group 'world', rank 0 of 2: not done after 2.000"
                        + " ms. It goes on, nothing was aborted: wait again, or abort() the"
                        + " group.")
                .extracting(e -> ((GroupException) e).reason())
                .isEqualTo(Reason.TIMEOUT);
          }
          work.waitBlocking();
          assertThat(read(world.device().currentStream(), buffer)).containsExactly(2);
        });
  }

  @Test
  void without_async_it_runs_on_the_current_stream_and_nothing_is_left_to_wait_for() {
    SimResult result =
        Jobs.run(
            2,
            (platform, world) -> {
              Stream compute = world.device().createStream("compute");
              try (Device.Scope current = world.device().use(compute)) {
                Buffer gradient = large(world.device());
                compute.launch(ADD, SMALL, gradient, 1f);
                Work work = world.allReduce(gradient, CollectiveOptions.onCurrentStream());
                assertThat(work.isDone()).isTrue();
                assertThat(compute.isDone()).isFalse();
                assertThat(world.stream().isDone()).isTrue();
                assertThat(read(compute, gradient.slice(0, 1))).containsExactly(2);
              }
            });

    Timeline timeline = Jobs.open(result);
    OpView op = timeline.ops();
    List<String> streams = new ArrayList<>();
    for (int i = 0; i < op.size(); i++) {
      if (op.at(i).name().startsWith("nccl")) {
        streams.add(timeline.streams().get(op.stream()).name());
      }
    }
    assertThat(streams).containsExactly("compute", "compute");
  }

  @Test
  void a_stream_of_the_options_takes_the_place_of_the_groups() {
    Jobs.run(
        2,
        (platform, world) -> {
          Stream special = world.device().createStream("special");
          Buffer gradient = large(world.device());
          world.device().currentStream().launch(ADD, SMALL, gradient, 1f);
          Work work = world.allReduce(gradient, CollectiveOptions.defaults().withStream(special));
          assertThat(special.isDone()).isFalse();
          assertThat(world.stream().isDone()).isTrue();
          work.waitOnStream();
          assertThat(read(world.device().currentStream(), gradient.slice(0, 1))).containsExactly(2);
        });
  }

  @Test
  void a_group_of_one_enqueues_and_records_nothing() {
    SimResult result =
        Jobs.run(
            1,
            (platform, world) -> {
              Buffer buffer = world.device().allocate(DataType.FLOAT32, 4);
              Work work = world.allReduce(buffer);
              work.waitOnStream();
              work.waitBlocking();
              world.allGather(buffer, buffer).waitOnStream();
              world.coalesce(block -> block.broadcast(buffer, 0)).waitOnStream();
              world.close();
            });

    Timeline timeline = Jobs.open(result);
    assertThat(timeline.ops().size()).isZero();
    assertThat(timeline.records().size()).isZero();
    assertThat(timeline.waits().size()).isZero();
    assertThat(timeline.collectives().size()).isZero();
  }

  @Test
  void a_trace_ties_producer_collective_and_consumer_by_recorded_edges() {
    SimResult result =
        Jobs.run(
            2,
            (platform, world) -> {
              Stream compute = world.device().createStream("compute");
              Stream other = world.device().createStream("other");
              Buffer gradient = large(world.device());
              compute.launch(ADD, SMALL, gradient, 1f);
              Work work;
              try (Device.Scope current = world.device().use(compute)) {
                work = world.allReduce(gradient);
              }
              work.waitOnStream(other);
              other.fill(gradient, 0);
              other.synchronize();
            });

    Timeline timeline = Jobs.open(result);
    StreamGraph graph = StreamGraph.of(timeline);
    Reachability reachability = new Reachability(graph);
    int add = op(timeline, "add");
    int reduce = op(timeline, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    int fill = op(timeline, "Memset");
    assertThat(reachability.reaches(add, reduce)).isTrue();
    assertThat(reachability.reaches(reduce, fill)).isTrue();
    CollectiveView collective = timeline.collectives();
    assertThat(collective.at(0).kind()).isEqualTo("allreduce");
    assertThat(collective.at(0).communicator()).isEqualTo("world");
    assertThat(collective.at(0).sequence()).isZero();
    assertThat(timeline.streams().get(collective.at(0).stream()).name()).isEqualTo("nccl");
  }

  private static int op(Timeline timeline, String name) {
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      if (op.at(i).process() == 0 && op.name().contains(name)) {
        return i;
      }
    }
    throw new AssertionError("no op " + name);
  }

  @Test
  void events_are_used_again_when_many_works_are_done() {
    SimResult result =
        Jobs.run(
            2,
            (platform, world) -> {
              Buffer buffer = floats(world.device(), 1);
              Work first = world.allReduce(buffer);
              for (int i = 0; i < 3000; i++) {
                Work work = world.allReduce(buffer);
                if (i % 200 == 0) {
                  work.waitBlocking();
                  platform.host().sleep(150 * MS);
                }
              }
              first.waitOnStream();
              assertThat(first.isDone()).isTrue();
              world.close();
            });

    Timeline timeline = Jobs.open(result);
    RecordView record = timeline.records();
    Set<Long> events = new HashSet<>();
    for (int i = 0; i < record.size(); i++) {
      events.add(record.at(i).event());
    }
    assertThat(record.size()).isGreaterThan(6000);
    assertThat(events).hasSizeLessThan(1300);
  }

  @Test
  void barriers_hold_the_host_until_all_ranks_came_and_their_streams_are_done() {
    long[] came = new long[3];
    long[] left = new long[3];
    Jobs.run(
        3,
        (platform, world) -> {
          Stream compute = world.device().createStream("compute");
          platform.host().work(world.rank() * 3 * MS);
          try (Device.Scope current = world.device().use(compute)) {
            compute.launch(ADD, SMALL, floats(world.device(), 1), 1f);
            came[world.rank()] = platform.host().nanoTime();
            world.barrier();
            assertThat(compute.isDone()).isTrue();
            left[world.rank()] = platform.host().nanoTime();
          }
        });
    assertThat(left[0]).isGreaterThan(came[2]);
  }
}
