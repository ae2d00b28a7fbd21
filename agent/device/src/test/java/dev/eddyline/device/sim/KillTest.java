package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.ADD;
import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.SMALL;
import static dev.eddyline.device.sim.Programs.floats;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class KillTest {
  private static final int KILLS = Integer.getInteger("sim.kills", 300);
  private static final int RANKS = 3;
  private static final long TIMEOUT = 5 * MS;

  private static void train(Platform platform, boolean polls) {
    Communicator world = world(platform, new CommunicatorOptions(false, TIMEOUT));
    Stream compute = platform.device().createStream("compute");
    Buffer gradient = floats(platform, compute, 1, 2, 3, 4);
    for (int step = 0; step < 20; step++) {
      compute.launch(ADD, SMALL, gradient, 1f);
      world.allReduce(gradient, gradient, ReduceOp.SUM, compute);
      Event work = platform.device().createEvent("work");
      compute.record(work);
      if (polls) {
        await(platform, world, work, step);
      } else {
        work.synchronize();
      }
    }
  }

  private static void await(Platform platform, Communicator world, Event work, int step) {
    long deadline = platform.host().nanoTime() + TIMEOUT;
    while (!work.isDone()) {
      if (platform.host().nanoTime() > deadline) {
        world.abort();
        throw new DeviceException(Reason.TIMEOUT, "all-reduce #" + step + " took too long");
      }
      platform.host().sleep(100_000);
    }
  }

  private static Map<Integer, DeviceException> killed(
      int victim, long at, long seed, boolean polls) {
    Map<Integer, DeviceException> failures = new ConcurrentHashMap<>();
    SimOptions options =
        SimOptions.defaults()
            .withRanks(RANKS)
            .withSeed(seed)
            .withRecorded(false)
            .withKill(victim, at);
    Sim.run(
        options,
        platform -> {
          try {
            train(platform, polls);
          } catch (DeviceException e) {
            failures.put(platform.rank(), e);
            if (e.reason() == Reason.KILLED) {
              throw e;
            }
          }
        });
    return failures;
  }

  @Test
  void no_survivor_of_a_kill_hangs_and_what_it_is_told_names_the_rank() {
    Random random = new Random(11);
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          for (int kill = 0; kill < KILLS; kill++) {
            int victim = random.nextInt(RANKS);
            long at = random.nextInt(3_000_000);
            Map<Integer, DeviceException> failures = killed(victim, at, kill, false);
            failures.forEach(
                (rank, failure) -> {
                  if (rank != victim) {
                    assertThat(failure.reason()).isIn(Reason.DEADLOCK, Reason.TIMEOUT);
                    assertThat(failure).hasMessageContaining(Integer.toString(victim));
                  } else {
                    assertThat(failure).hasMessageContaining("rank " + victim + " was killed");
                  }
                });
          }
        });
  }

  @Test
  void survivors_that_poll_come_to_their_timeout() {
    Map<Integer, DeviceException> failures = killed(1, 2 * MS, 0, true);

    assertThat(failures).containsOnlyKeys(0, 1, 2);
    assertThat(failures.get(1).reason()).isEqualTo(Reason.KILLED);
    assertThat(failures.get(0).reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failures.get(2).reason()).isEqualTo(Reason.TIMEOUT);
  }

  @Test
  void communicators_of_the_others_notice_a_death_and_the_rest_can_go_on_without_it() {
    Map<Integer, String> told = new ConcurrentHashMap<>();
    Map<Integer, Float> sums = new ConcurrentHashMap<>();
    Sim.run(
        SimOptions.defaults().withRanks(RANKS).withKill(1, 3 * MS),
        platform -> {
          Communicator world = world(platform);
          Stream compute = platform.device().createStream("compute");
          Buffer value = floats(platform, compute, platform.rank() + 1);
          platform.host().sleep(4 * MS);
          world.allReduce(value, value, ReduceOp.SUM, compute);
          while (world.state() != Communicator.State.FAILED) {
            platform.host().sleep(10 * MS);
          }
          told.put(platform.rank(), world.error().getMessage());
          world.abort();
          compute.synchronize();
          int rank = platform.rank() == 0 ? 0 : 1;
          byte[] id;
          if (rank == 0) {
            id = platform.collectives().createId();
            platform.store().set("second", id);
          } else {
            id = platform.store().get("second", 1_000 * MS);
          }
          Communicator pair =
              platform
                  .collectives()
                  .join("pair", id, 2, rank, platform.device(), CommunicatorOptions.defaults());
          Buffer again = floats(platform, compute, platform.rank() + 1);
          pair.allReduce(again, again, ReduceOp.SUM, compute);
          sums.put(platform.rank(), Programs.read(platform, compute, again)[0]);
        });

    assertThat(told).containsOnlyKeys(0, 2);
    assertThat(told.get(0))
        .isEqualTo(
            "rank 1 of communicator 'world' is gone (killed at 3.000 ms); abort the communicator"
                + " and join one without that rank");
    assertThat(sums).containsOnly(Map.entry(0, 4f), Map.entry(2, 4f));
  }
}
