package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.floats;
import static dev.eddyline.device.sim.Programs.read;
import static dev.eddyline.device.sim.Programs.spin;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.sim.Programs.Graph;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class CollectivesTest {
  private static SimOptions ranks(int count) {
    return SimOptions.defaults().withRanks(count);
  }

  @Test
  void an_event_recorded_inside_a_group_covers_none_of_its_work() {
    Sim.run(
        ranks(2),
        platform -> {
          Communicator world = world(platform);
          Stream n = platform.device().createStream("n");
          Buffer buffer = floats(platform, n, new float[1 << 20]);
          Event inside = platform.device().createEvent("inside");
          Event after = platform.device().createEvent("after");
          platform.collectives().groupStart();
          world.allReduce(buffer, buffer, ReduceOp.SUM, n);
          n.record(inside);
          platform.collectives().groupEnd();
          n.record(after);
          inside.synchronize();
          assertThat(after.isDone()).isFalse();
          after.synchronize();
        });
  }

  @Test
  void an_inner_group_end_enqueues_nothing() {
    Sim.run(
        ranks(2),
        platform -> {
          Communicator world = world(platform);
          Stream n = platform.device().createStream("n");
          Buffer buffer = floats(platform, n, new float[1 << 20]);
          n.synchronize();
          platform.collectives().groupStart();
          platform.collectives().groupStart();
          world.allReduce(buffer, buffer, ReduceOp.SUM, n);
          platform.collectives().groupEnd();
          assertThat(n.isDone()).isTrue();
          platform.collectives().groupEnd();
          assertThat(n.isDone()).isFalse();
          assertThatThrownBy(() -> platform.collectives().groupEnd())
              .hasMessageContaining("ends a group that it did not begin");
        });
  }

  @Test
  void with_one_rank_a_collective_runs_at_the_call_even_in_a_group() {
    Sim.run(
        platform -> {
          Communicator world = world(platform);
          Stream n = platform.device().createStream("n");
          Buffer from = floats(platform, n, 1, 2);
          Buffer to = platform.device().allocate(DataType.FLOAT32, 2);
          platform.collectives().groupStart();
          world.allReduce(from, to, ReduceOp.SUM, n);
          assertThat(read(platform, n, to)).containsExactly(1, 2);
          platform.collectives().groupEnd();
        });
  }

  @Test
  void send_to_self_obeys_the_group() {
    Sim.run(
        platform -> {
          Communicator world = world(platform);
          Stream n = platform.device().createStream("n");
          Buffer from = floats(platform, n, 1, 2);
          Buffer to = floats(platform, n, 0, 0);
          platform.collectives().groupStart();
          world.send(from, 0, n);
          world.receive(to, 0, n);
          assertThat(read(platform, n, to)).containsExactly(0, 0);
          platform.collectives().groupEnd();
          assertThat(read(platform, n, to)).containsExactly(1, 2);
        });
  }

  /**
   *
   *
   * <pre>
   * rank 0  n1  ===== c0
   *         n2       ====== c1      one communicator: c1 after c0, whatever the streams
   * </pre>
   */
  @Test
  void a_communicator_runs_its_collectives_in_the_order_of_their_launches() {
    Graph graph =
        new Graph(
            Sim.run(
                ranks(2),
                platform -> {
                  Communicator world = world(platform);
                  Stream one = platform.device().createStream("n1");
                  Stream two = platform.device().createStream("n2");
                  Buffer a = floats(platform, one, new float[1 << 18]);
                  Buffer b = floats(platform, two, new float[1 << 18]);
                  world.allReduce(a, a, ReduceOp.SUM, one);
                  world.broadcast(b, b, 0, two);
                  platform.device().synchronize();
                }));

    String first = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    String second = "ncclDevKernel_Broadcast_RING_LL";
    assertThat(graph.start(second)).isGreaterThanOrEqualTo(graph.end(first));
    assertThat(graph.reaches(first, second)).isTrue();
  }

  @Test
  void all_streams_of_a_group_wait_for_it_and_it_for_them() {
    Graph graph =
        new Graph(
            Sim.run(
                ranks(2),
                platform -> {
                  Communicator world = world(platform);
                  Stream one = platform.device().createStream("n1");
                  Stream two = platform.device().createStream("n2");
                  Buffer a = floats(platform, one, 1);
                  Buffer b = floats(platform, two, 1);
                  spin(two, "before", MS);
                  platform.collectives().groupStart();
                  world.allReduce(a, a, ReduceOp.SUM, one);
                  world.allReduce(b, b, ReduceOp.SUM, two);
                  platform.collectives().groupEnd();
                  spin(two, "after", 1000);
                  platform.device().synchronize();
                }));

    String kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    assertThat(graph.reaches("before", kernel)).isTrue();
    assertThat(graph.reaches(kernel, "after")).isTrue();
    assertThat(graph.start("after")).isGreaterThanOrEqualTo(graph.end(kernel));
  }

  @Test
  void no_rank_ends_before_the_last_has_started() {
    Map<Integer, Long> started = new ConcurrentHashMap<>();
    Map<Integer, Long> ended = new ConcurrentHashMap<>();
    Sim.run(
        ranks(3),
        platform -> {
          Communicator world = world(platform);
          Stream n = platform.device().createStream("n");
          Buffer a = floats(platform, n, 1);
          n.synchronize();
          platform.host().work(platform.rank() * 5 * MS);
          started.put(platform.rank(), platform.host().nanoTime());
          world.allReduce(a, a, ReduceOp.SUM, n);
          n.synchronize();
          ended.put(platform.rank(), platform.host().nanoTime());
          assertThat(read(platform, n, a)).containsExactly(3);
        });

    assertThat(ended.get(0)).isGreaterThan(started.get(2));
  }

  @Test
  void a_non_blocking_communicator_launches_after_the_group_end_has_returned() {
    Sim.run(
        ranks(2),
        platform -> {
          Communicator world = world(platform, CommunicatorOptions.asynchronous());
          Stream n = platform.device().createStream("n");
          Buffer a = floats(platform, n, new float[1 << 20]);
          n.synchronize();
          Event early = platform.device().createEvent("early");
          Event late = platform.device().createEvent("late");
          world.allReduce(a, a, ReduceOp.SUM, n);
          n.record(early);
          assertThat(world.state()).isEqualTo(Communicator.State.IN_PROGRESS);
          while (world.state() == Communicator.State.IN_PROGRESS) {
            platform.host().sleep(10_000);
          }
          n.record(late);
          assertThat(early.isDone()).isTrue();
          assertThat(late.isDone()).isFalse();
          late.synchronize();
        });
  }

  @Test
  void collectives_that_do_not_agree_fail_on_all_ranks_with_what_each_called() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    ranks(2),
                    platform -> {
                      Communicator world = world(platform);
                      Stream n = platform.device().createStream("n");
                      Buffer a = floats(platform, n, new float[platform.rank() + 1]);
                      world.allReduce(a, a, ReduceOp.SUM, n);
                      n.synchronize();
                    }))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("all-reduce #0 of 'world' does not agree")
        .hasMessageContaining("rank 0 called allreduce Sum of 1 × f32")
        .hasMessageContaining("rank 1 called allreduce Sum of 2 × f32")
        .extracting(e -> ((DeviceException) e).reason())
        .isEqualTo(Reason.DEADLOCK);
  }

  @Test
  void a_collective_that_one_rank_never_calls_is_a_deadlock_that_names_it() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    ranks(2),
                    platform -> {
                      Communicator world = world(platform);
                      Stream n = platform.device().createStream("n");
                      Buffer a = floats(platform, n, 1);
                      if (platform.rank() == 0) {
                        world.allReduce(a, a, ReduceOp.SUM, n);
                      }
                      n.synchronize();
                    }))
        .hasMessageContaining("rank 0, thread 'main' is blocked in cudaStreamSynchronize of 'n'")
        .hasMessageContaining("all-reduce #0 of 'world' waits for rank 1");
  }

  @Test
  void joining_names_the_ranks_that_did_not_come() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    ranks(2),
                    platform -> {
                      if (platform.rank() == 0) {
                        platform
                            .collectives()
                            .join(
                                "pair",
                                platform.collectives().createId(),
                                3,
                                0,
                                platform.device(),
                                new CommunicatorOptions(false, MS));
                      }
                    }))
        .hasMessageContaining("waited 1.000 ms for the ranks [1, 2] of communicator 'pair'");
  }

  @Test
  void abort_lets_the_streams_go_on_and_later_calls_fail() {
    Sim.run(
        ranks(2),
        platform -> {
          Communicator world = world(platform);
          Stream n = platform.device().createStream("n");
          Buffer a = floats(platform, n, 1);
          if (platform.rank() == 0) {
            world.allReduce(a, a, ReduceOp.SUM, n);
            platform.host().sleep(MS);
            assertThat(n.isDone()).isFalse();
            world.abort();
            n.synchronize();
            assertThat(world.state()).isEqualTo(Communicator.State.FAILED);
            assertThatThrownBy(() -> world.allReduce(a, a, ReduceOp.SUM, n))
                .hasMessageContaining("communicator 'world' was aborted on rank 0");
          }
        });
  }

  @Test
  void the_order_is_kept_where_the_trace_does_not_show_the_events_of_nccl() {
    Graph graph =
        new Graph(
            Sim.run(
                ranks(2).withNcclInternal(false),
                platform -> {
                  Communicator world = world(platform);
                  Stream one = platform.device().createStream("n1");
                  Stream two = platform.device().createStream("n2");
                  Buffer a = floats(platform, one, new float[1 << 18]);
                  Buffer b = floats(platform, two, new float[1 << 18]);
                  world.allReduce(a, a, ReduceOp.SUM, one);
                  world.broadcast(b, b, 0, two);
                  platform.device().synchronize();
                }));

    assertThat(graph.start("ncclDevKernel_Broadcast_RING_LL"))
        .isGreaterThanOrEqualTo(graph.end("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
    assertThat(graph.timeline.waits().size()).isZero();
  }
}
