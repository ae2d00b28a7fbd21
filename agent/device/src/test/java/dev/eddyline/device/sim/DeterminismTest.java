package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.ADD;
import static dev.eddyline.device.sim.Programs.SMALL;
import static dev.eddyline.device.sim.Programs.floats;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Signal;
import dev.eddyline.device.Stream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class DeterminismTest {
  private static final int REPETITIONS = Integer.getInteger("sim.repetitions", 100);

  private static void train(Platform platform) {
    Communicator world = world(platform);
    Stream compute = platform.device().createStream("compute");
    Stream nccl = platform.device().createStream("nccl");
    Buffer gradient = floats(platform, compute, 1, 2, 3, 4);
    ConcurrentLinkedQueue<Event> works = new ConcurrentLinkedQueue<>();
    AtomicBoolean end = new AtomicBoolean();
    Signal changed = platform.host().signal();
    var watcher =
        platform
            .host()
            .start(
                "watcher",
                () -> {
                  while (!end.get() || !works.isEmpty()) {
                    Event work = works.peek();
                    if (work == null) {
                      changed.await(() -> end.get() || !works.isEmpty(), Signal.FOREVER);
                    } else if (work.isDone()) {
                      works.poll();
                    } else {
                      platform.host().sleep(20_000);
                    }
                  }
                });
    for (int step = 0; step < 4; step++) {
      compute.launch(ADD, SMALL, gradient, 1f);
      nccl.waitFor(compute);
      world.allReduce(gradient, gradient, ReduceOp.AVG, nccl);
      Event work = platform.device().createEvent("work");
      nccl.record(work);
      works.add(work);
      changed.wake();
      compute.waitFor(work);
      platform.host().work(10_000 * (platform.rank() + 1));
    }
    compute.synchronize();
    end.set(true);
    changed.wake();
    watcher.join();
  }

  @Test
  void the_same_seed_gives_the_same_trace_whatever_else_the_machine_does() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread[] load = new Thread[2];
    for (int i = 0; i < load.length; i++) {
      load[i] =
          new Thread(
              () -> {
                while (!stop.get()) {
                  Thread.onSpinWait();
                }
              });
      load[i].setDaemon(true);
      load[i].start();
    }
    Set<String> traces = new HashSet<>();
    Set<String> varied = new HashSet<>();
    for (int i = 0; i < REPETITIONS; i++) {
      SimOptions options = SimOptions.defaults().withRanks(4);
      traces.add(hash(Sim.run(options, DeterminismTest::train)));
      varied.add(hash(Sim.run(options.withSeed(7), DeterminismTest::train)));
    }
    stop.set(true);

    assertThat(traces).hasSize(1);
    assertThat(varied).hasSize(1).doesNotContainAnyElementsOf(traces);
  }

  private static String hash(SimResult result) throws Exception {
    byte[] digest =
        java.security.MessageDigest.getInstance("SHA-256").digest(result.trace().bytes());
    return java.util.HexFormat.of().formatHex(digest);
  }

  @Test
  void seeds_give_different_traces() throws Exception {
    Set<String> traces = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      SimOptions options = SimOptions.defaults().withRanks(2).withSeed(seed);
      traces.add(hash(Sim.run(options, DeterminismTest::train)));
    }

    assertThat(traces).hasSize(20);
  }

  @Test
  void a_thread_that_blocks_outside_of_the_host_is_named_and_nothing_hangs() {
    CountDownLatch ofOther = new CountDownLatch(1);
    SimOptions options = SimOptions.defaults().withRanks(2).withStandstillMillis(300);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () ->
            assertThatThrownBy(
                    () ->
                        Sim.run(
                            options,
                            platform -> {
                              if (platform.rank() == 0) {
                                ofOther.await();
                              } else {
                                ofOther.countDown();
                              }
                            }))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("rank 0, thread 'main' stands still outside")
                .hasMessageContaining("CountDownLatch.await")
                .hasMessageContaining("Host.signal()")
                .extracting(e -> ((DeviceException) e).reason())
                .isEqualTo(Reason.BLOCKED_OUTSIDE));
  }

  @Test
  void a_thread_that_the_host_does_not_know_is_told_how_to_start_one() throws Exception {
    Throwable[] thrown = new Throwable[1];
    Sim.run(
        platform -> {
          Thread stranger =
              new Thread(
                  () -> {
                    try {
                      platform.device().synchronize();
                    } catch (DeviceException e) {
                      thrown[0] = e;
                    }
                  },
                  "stranger");
          stranger.start();
          stranger.join();
        });

    assertThat(thrown[0])
        .hasMessageContaining("thread 'stranger' is not known")
        .hasMessageContaining("Host.start");
  }
}
