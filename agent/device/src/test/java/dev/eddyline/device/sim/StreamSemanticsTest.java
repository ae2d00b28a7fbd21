package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.ADD;
import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.MULTIPLY;
import static dev.eddyline.device.sim.Programs.SMALL;
import static dev.eddyline.device.sim.Programs.floats;
import static dev.eddyline.device.sim.Programs.read;
import static dev.eddyline.device.sim.Programs.spin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import dev.eddyline.device.StreamPool;
import dev.eddyline.device.sim.Programs.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StreamSemanticsTest {

  /**
   *
   *
   * <pre>
   * a  AAAAAAAA e
   * b  B        └► C        C waits for e, B does not
   * </pre>
   */
  @Test
  void a_wait_holds_only_what_is_enqueued_after_it() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  Stream b = platform.device().createStream("b");
                  Event event = platform.device().createEvent("e");
                  spin(a, "A", MS);
                  a.record(event);
                  spin(b, "B", 1000);
                  b.waitFor(event);
                  spin(b, "C", 1000);
                }));

    assertThat(graph.reaches("A", "C")).isTrue();
    assertThat(graph.reaches("A", "B")).isFalse();
    assertThat(graph.start("C")).isGreaterThanOrEqualTo(graph.end("A"));
    assertThat(graph.start("B")).isLessThan(graph.end("A"));
  }

  /**
   *
   *
   * <pre>
   * a  AAAA e
   * c  CCCCCCCCCCCC e       recorded again: a wait made before binds to A, one made after to C
   * b  └ wait ► B
   * d                └► D
   * </pre>
   */
  @Test
  void a_wait_binds_to_the_latest_record_at_its_call() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  Stream b = platform.device().createStream("b");
                  Stream c = platform.device().createStream("c");
                  Stream d = platform.device().createStream("d");
                  Event event = platform.device().createEvent("e");
                  spin(a, "A", MS);
                  a.record(event);
                  b.waitFor(event);
                  spin(c, "C", 5 * MS);
                  c.record(event);
                  spin(b, "B", 1000);
                  d.waitFor(event);
                  spin(d, "D", 1000);
                }));

    assertThat(graph.reaches("A", "B")).isTrue();
    assertThat(graph.reaches("C", "B")).isFalse();
    assertThat(graph.reaches("C", "D")).isTrue();
    assertThat(graph.reaches("A", "D")).isFalse();
    assertThat(graph.start("B")).isLessThan(graph.end("C"));
  }

  @Test
  void a_wait_before_the_first_record_waits_for_nothing() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  Stream b = platform.device().createStream("b");
                  Event event = platform.device().createEvent("e");
                  b.waitFor(event);
                  spin(a, "A", MS);
                  a.record(event);
                  spin(b, "B", 1000);
                }));

    assertThat(graph.reaches("A", "B")).isFalse();
    assertThat(graph.start("B")).isLessThan(graph.end("A"));
    assertThat(graph.timeline.waits().at(0).isEmptyWait()).isTrue();
  }

  /**
   *
   *
   * <pre>
   * S1 (blocking)      111111
   * legacy                   LLLL
   * S2 (blocking)                2222
   * N  (non-blocking)  NN
   * </pre>
   */
  @Test
  void the_legacy_stream_orders_blocking_streams_and_no_other() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream one = platform.device().createStream(StreamOptions.blocking("s1"));
                  Stream two = platform.device().createStream(StreamOptions.blocking("s2"));
                  Stream free = platform.device().createStream("n");
                  spin(one, "1", MS);
                  spin(platform.device().defaultStream(), "L", MS);
                  spin(two, "2", MS);
                  spin(free, "N", 1000);
                }));

    assertThat(graph.start("L")).isGreaterThanOrEqualTo(graph.end("1"));
    assertThat(graph.start("2")).isGreaterThanOrEqualTo(graph.end("L"));
    assertThat(graph.start("N")).isLessThan(graph.end("1"));
    assertThat(graph.reaches("1", "L")).isTrue();
    assertThat(graph.reaches("L", "2")).isTrue();
    assertThat(graph.reaches("1", "N")).isFalse();
  }

  @Test
  void a_per_thread_default_stream_follows_the_legacy_stream_and_is_one_for_each_thread() {
    List<Stream> own = new ArrayList<>();
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  spin(platform.device().defaultStream(), "L", MS);
                  spin(platform.device().perThreadDefaultStream(), "P", 1000);
                  own.add(platform.device().perThreadDefaultStream());
                  platform
                      .host()
                      .start("other", () -> own.add(platform.device().perThreadDefaultStream()))
                      .join();
                }));

    assertThat(graph.reaches("L", "P")).isTrue();
    assertThat(own.get(0)).isNotEqualTo(own.get(1));
  }

  @Test
  void a_record_on_the_legacy_stream_holds_later_work_of_blocking_streams() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream one = platform.device().createStream(StreamOptions.blocking("s1"));
                  Stream two = platform.device().createStream(StreamOptions.blocking("s2"));
                  spin(one, "1", MS);
                  platform.device().defaultStream().record(platform.device().createEvent());
                  spin(two, "2", 1000);
                }));

    assertThat(graph.start("2")).isGreaterThanOrEqualTo(graph.end("1"));
  }

  /**
   *
   *
   * <pre>
   * a  add 1 ─────── e              c  reads too early: the wait is missing
   * b          └► multiply 3
   * </pre>
   */
  @Test
  void a_race_gives_the_wrong_numbers_and_a_wait_the_right_ones() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Stream b = platform.device().createStream("b");
          Stream c = platform.device().createStream("c");
          Buffer right = floats(platform, a, 1, 2, 3);
          Buffer wrong = floats(platform, c, 1, 2, 3);
          platform.device().synchronize();
          a.launch(ADD, SMALL, right, 1f);
          b.waitFor(a);
          b.launch(MULTIPLY, SMALL, right, 3f);
          assertThat(read(platform, b, right)).containsExactly(6, 9, 12);

          spin(a, "before", MS);
          a.launch(ADD, SMALL, wrong, 1f);
          b.launch(MULTIPLY, SMALL, wrong, 3f);
          platform.device().synchronize();
          assertThat(read(platform, b, wrong)).containsExactly(4, 7, 10);
        });
  }

  @Test
  void an_asynchronous_copy_reads_pinned_memory_late_and_pageable_memory_at_the_call() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          var pinned = platform.device().allocatePinned(DataType.FLOAT32, 1);
          var pageable = platform.device().allocatePageable(DataType.FLOAT32, 1);
          Buffer fromPinned = platform.device().allocate(DataType.FLOAT32, 1);
          Buffer fromPageable = platform.device().allocate(DataType.FLOAT32, 1);
          pinned.putFloat(0, 1);
          pageable.putFloat(0, 1);
          spin(a, "before", MS);
          a.copy(fromPinned, pinned);
          a.copy(fromPageable, pageable);
          pinned.putFloat(0, 2);
          pageable.putFloat(0, 2);
          a.synchronize();
          assertThat(read(platform, a, fromPinned)).containsExactly(2);
          assertThat(read(platform, a, fromPageable)).containsExactly(1);
        });
  }

  @Test
  void the_host_sees_a_copy_to_pinned_memory_only_after_a_sync() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Buffer buffer = floats(platform, a, 7);
          var pinned = platform.device().allocatePinned(DataType.FLOAT32, 1);
          spin(a, "before", MS);
          a.copy(pinned, buffer);
          assertThat(pinned.getFloat(0)).isZero();
          a.synchronize();
          assertThat(pinned.getFloat(0)).isEqualTo(7);
        });
  }

  @Test
  void a_host_function_holds_its_stream_and_must_not_call_the_device() {
    AtomicBoolean refused = new AtomicBoolean();
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  spin(a, "A", MS);
                  a.hostFunction(
                      "callback",
                      () -> {
                        try {
                          platform.device().synchronize();
                        } catch (DeviceException e) {
                          refused.set(e.reason() == Reason.NOT_PERMITTED);
                        }
                      });
                  spin(a, "B", 1000);
                }));

    assertThat(refused).isTrue();
    assertThat(graph.start("callback")).isGreaterThanOrEqualTo(graph.end("A"));
    assertThat(graph.start("B")).isGreaterThanOrEqualTo(graph.end("callback"));
  }

  @Test
  void a_kernel_that_fills_the_device_keeps_others_out() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  Stream b = platform.device().createStream("b");
                  a.launch(Programs.busy("full", MS), Grid.of(100_000, 256));
                  spin(b, "small", 1000);
                }));

    assertThat(graph.reaches("full", "small")).isFalse();
    assertThat(graph.start("small")).isGreaterThanOrEqualTo(graph.end("full"));
  }

  @Test
  void of_ops_that_wait_for_the_device_higher_priority_comes_first() {
    Graph graph =
        new Graph(
            Sim.run(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  Stream low = platform.device().createStream("low");
                  StreamOptions urgent = StreamOptions.nonBlocking("high").withPriority(-1);
                  Stream high = platform.device().createStream(urgent);
                  Grid all = Grid.of(100_000, 256);
                  a.launch(Programs.busy("full", MS), all);
                  low.launch(Programs.busy("low", MS), all);
                  high.launch(Programs.busy("high", MS), all);
                }));

    assertThat(graph.start("high")).isLessThan(graph.start("low"));
  }

  @Test
  void queries_do_not_block_and_tell_what_is_done() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Event event = platform.device().createEvent("e");
          assertThat(event.isDone()).isTrue();
          assertThat(a.isDone()).isTrue();
          spin(a, "A", MS);
          a.record(event);
          assertThat(event.isDone()).isFalse();
          assertThat(a.isDone()).isFalse();
          platform.host().sleep(2 * MS);
          assertThat(event.isDone()).isTrue();
          assertThat(a.isDone()).isTrue();
        });
  }

  @Test
  void events_measure_time_on_the_device() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Event begin = platform.device().createEvent("begin");
          Event end = platform.device().createEvent("end");
          a.record(begin);
          spin(a, "A", MS);
          a.record(end);
          assertThatThrownBy(() -> end.nanosSince(begin)).hasMessageContaining("is not done");
          end.synchronize();
          assertThat(end.nanosSince(begin)).isBetween(MS, MS + 20_000);
        });
  }

  @Test
  void current_streams_are_scoped_and_of_the_thread() {
    Sim.run(
        platform -> {
          var device = platform.device();
          Stream a = device.createStream("a");
          Stream b = device.createStream("b");
          assertThat(device.currentStream()).isEqualTo(device.defaultStream());
          try (var outer = device.use(a)) {
            try (var inner = device.use(b)) {
              assertThat(device.currentStream()).isEqualTo(b);
            }
            assertThat(device.currentStream()).isEqualTo(a);
            platform
                .host()
                .start(
                    "other",
                    () -> assertThat(device.currentStream()).isEqualTo(device.defaultStream()))
                .join();
          }
        });
  }

  @Test
  void a_pool_gives_the_same_stream_again_after_a_round() {
    Sim.run(
        platform -> {
          StreamPool pool = new StreamPool(platform.device());
          assertThat(pool.size()).isEqualTo(32);
          Stream first = pool.next();
          for (int i = 1; i < 32; i++) {
            assertThat(pool.next()).isNotEqualTo(first);
          }
          assertThat(pool.next()).isEqualTo(first);
        });
  }

  @Test
  void a_kernel_that_throws_makes_every_later_call_say_so() {
    Kernel broken =
        Kernel.named("broken")
            .body(
                arguments -> {
                  throw new IndexOutOfBoundsException("index 9 of 3");
                })
            .build();
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          a.launch(broken, SMALL);
          assertThatThrownBy(a::synchronize)
              .isInstanceOf(DeviceException.class)
              .hasMessageContaining("'broken' failed on device 0")
              .hasMessageContaining("index 9 of 3");
          assertThatThrownBy(() -> platform.device().synchronize())
              .hasMessageContaining("'broken' failed");
        });
  }

  @Test
  void an_event_orders_streams_of_two_devices() {
    Graph graph =
        new Graph(
            Sim.run(
                SimOptions.defaults().withDevicesPerRank(2),
                platform -> {
                  Stream a = platform.devices().get(0).createStream("a");
                  Stream b = platform.devices().get(1).createStream("b");
                  spin(a, "A", MS);
                  b.waitFor(a);
                  spin(b, "B", 1000);
                }));

    assertThat(graph.reaches("A", "B")).isTrue();
    assertThat(graph.start("B")).isGreaterThanOrEqualTo(graph.end("A"));
  }
}
