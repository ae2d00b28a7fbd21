package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.spin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Signal;
import dev.eddyline.device.Stream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HostTest {
  @Test
  void threads_run_in_the_order_of_their_virtual_times() {
    List<String> order = new ArrayList<>();
    Sim.run(
        platform -> {
          List<HostThread> threads = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            String name = "t" + i;
            long first = (3 - i) * MS;
            threads.add(
                platform
                    .host()
                    .start(
                        name,
                        () -> {
                          platform.host().sleep(first);
                          order.add(name);
                          platform.host().sleep(4 * MS);
                          order.add(name);
                        }));
          }
          threads.forEach(HostThread::join);
          assertThat(threads).allMatch(HostThread::isDone);
        });

    assertThat(order).containsExactly("t2", "t1", "t0", "t2", "t1", "t0");
  }

  @Test
  void two_threads_enqueue_on_one_stream_in_the_order_of_their_calls() {
    List<String> names = new ArrayList<>();
    SimResult result =
        Sim.run(
            platform -> {
              Stream shared = platform.device().createStream("shared");
              HostThread other =
                  platform
                      .host()
                      .start(
                          "other",
                          () -> {
                            platform.host().sleep(MS);
                            spin(shared, "second", 1000);
                          });
              spin(shared, "first", 1000);
              platform.host().sleep(2 * MS);
              spin(shared, "third", 1000);
              other.join();
            });
    var timeline = Programs.open(result);
    for (int i = 0; i < timeline.ops().size(); i++) {
      names.add(timeline.ops().at(i).name());
    }

    assertThat(names).containsExactly("first", "second", "third");
  }

  @Test
  void a_signal_wakes_those_whose_condition_holds_and_gives_up_in_time() {
    Sim.run(
        platform -> {
          AtomicInteger value = new AtomicInteger();
          Signal changed = platform.host().signal();
          HostThread other =
              platform
                  .host()
                  .start(
                      "other",
                      () -> {
                        for (int i = 0; i < 3; i++) {
                          platform.host().sleep(MS);
                          value.incrementAndGet();
                          changed.wake();
                        }
                      });
          assertThat(changed.await(() -> value.get() == 2, Signal.FOREVER)).isTrue();
          long before = platform.host().nanoTime();
          assertThat(changed.await(() -> value.get() == 9, 5 * MS)).isFalse();
          assertThat(platform.host().nanoTime() - before).isBetween(5 * MS, 6 * MS);
          other.join();
        });
  }

  @Test
  void the_store_brings_ranks_together_and_says_which_key_never_came() {
    Sim.run(
        SimOptions.defaults().withRanks(3),
        platform -> {
          long sum = platform.store().add("arrived", 1);
          if (sum == 3) {
            platform.store().set("all", "yes".getBytes(StandardCharsets.UTF_8));
          }
          assertThat(platform.store().get("all", 1_000 * MS)).asString().isEqualTo("yes");
          assertThatThrownBy(() -> platform.store().get("never", MS))
              .hasMessageContaining("waited 1.000 ms for key 'never'");
        });
  }

  @Test
  void what_a_thread_throws_comes_out_of_join() {
    Sim.run(
        platform -> {
          HostThread thread =
              platform
                  .host()
                  .start(
                      "bad",
                      () -> {
                        throw new IllegalStateException("no luck");
                      });
          assertThatThrownBy(thread::join)
              .hasMessageContaining("rank 0, thread 'bad' failed")
              .hasRootCauseMessage("no luck");
        });
  }

  @Test
  void what_a_thread_throws_that_nobody_joins_comes_out_of_the_run() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    platform -> {
                      platform
                          .host()
                          .start(
                              "bad",
                              () -> {
                                throw new IllegalStateException("no luck");
                              });
                      platform.host().sleep(MS);
                    }))
        .hasMessage("no luck");
  }

  @Test
  void a_rank_that_waits_for_what_cannot_come_is_told_even_if_another_thread_polls() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    SimOptions.defaults().withStallNanos(100 * MS),
                    platform -> {
                      platform
                          .host()
                          .start(
                              "watcher",
                              () -> {
                                while (true) {
                                  platform.host().sleep(MS);
                                }
                              });
                      platform.host().signal().await(() -> false, Signal.FOREVER);
                    }))
        .hasMessageContaining("rank 0, thread 'main' waits for a signal")
        .extracting(e -> ((DeviceException) e).reason())
        .isEqualTo(Reason.DEADLOCK);
  }

  @Test
  void threads_that_are_left_end_with_the_last_rank_and_enqueued_work_still_runs() {
    SimResult result =
        Sim.run(
            platform -> {
              platform.host().start("watcher", () -> platform.host().sleep(1_000_000 * MS));
              spin(platform.device().createStream("a"), "late", 100 * MS);
            });

    assertThat(result.nanos()).isBetween(100 * MS, 200 * MS);
  }

  @Test
  void checked_exceptions_of_a_program_come_as_a_cause() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    platform -> {
                      throw new java.io.IOException("disk");
                    }))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("the program failed: java.io.IOException: disk")
        .hasRootCauseMessage("disk");
  }
}
