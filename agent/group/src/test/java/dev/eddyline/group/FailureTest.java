package dev.eddyline.group;

import static dev.eddyline.group.Jobs.MS;
import static dev.eddyline.group.Jobs.floats;
import static dev.eddyline.group.Jobs.ranks;
import static dev.eddyline.group.Jobs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.device.sim.Sim;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static final long SEED = Long.getLong("eddyline.seed", 20_261_130L);
  private static final int KILLS = Integer.getInteger("eddyline.kills", 200);

  private static GroupOptions timeout(long nanos) {
    return GroupOptions.defaults().withTimeout(nanos);
  }

  @Test
  void a_rank_that_is_late_by_more_than_the_timeout_is_named() {
    Jobs.run(
        ranks(4),
        timeout(40 * MS),
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 1);
          if (world.rank() == 2) {
            platform.host().sleep(500 * MS);
            return;
          }
          Work work = world.allReduce(buffer);
          GroupException error =
              catchThrowableOfType(GroupException.class, () -> work.waitBlocking());
          assertThat(error)
              .hasMessageContaining(
                  "all-reduce #0 (1 × f32) of group 'world', rank "
                      + world.rank()
                      + " of 4: not done 40.000 ms after its call."
                      + " Rank 2 gives no sign of waiting too: gone, or late."
                      + " The group was aborted: call reconfigure() with the ranks that are left,"
                      + " or start the job again.");
          assertThat(error.reason()).isEqualTo(Reason.TIMEOUT);
          assertThat(error.rank()).isEqualTo(world.rank());
          assertThat(error.communicator()).isEqualTo("world");
          assertThat(error.collective()).isEqualTo("allreduce");
          assertThat(error.sequence()).isZero();
          assertThat(platform.host().nanoTime()).isLessThan(1_200 * MS);
        });
  }

  @Test
  void ranks_that_wait_in_different_collectives_are_told_apart() {
    Jobs.run(
        ranks(3),
        timeout(40 * MS),
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 1);
          Buffer all = world.device().allocate(DataType.FLOAT32, 3);
          Work work = world.rank() == 1 ? world.allGather(buffer, all) : world.allReduce(buffer);
          GroupException error =
              catchThrowableOfType(GroupException.class, () -> work.waitBlocking());
          assertThat(error.getMessage())
              .contains(
                  world.rank() == 1
                      ? "Ranks 0, 2 wait in all-reduce #0 (1 × f32) instead"
                      : "Rank 1 waits in all-gather #0 (3 × f32) instead");
        });
  }

  @Test
  void a_collective_on_the_current_stream_is_watched_too() {
    Jobs.run(
        ranks(2),
        timeout(40 * MS),
        (platform, world) -> {
          if (world.rank() == 0) {
            Buffer buffer = floats(world.device(), 1);
            world.allReduce(buffer, CollectiveOptions.onCurrentStream());
            world.device().currentStream().synchronize();
            assertThat(world.error()).hasMessageContaining("Rank 1 gives no sign");
          }
        });
  }

  @Test
  void after_an_abort_a_work_fails_although_its_event_completes() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 1);
          if (world.rank() == 1) {
            return;
          }
          Work work = world.allReduce(buffer);
          WorkFuture<Integer> late =
              work.future().thenWhenDone(world.device().createStream("s"), results -> 1);
          world.abort();
          world.stream().synchronize();
          assertThat(work.isDone()).isTrue();
          assertThat(work.error()).isNotNull();
          String why = "was aborted by abort() on this rank";
          assertThatThrownBy(work::waitOnStream).hasMessageContaining(why);
          assertThatThrownBy(work::waitBlocking)
              .hasMessageStartingWith("all-reduce #0 (1 × f32) of group 'world', rank 0 of 2")
              .hasMessageContaining(why);
          assertThatThrownBy(late::waitBlocking).hasMessageContaining(why);
          assertThatThrownBy(() -> world.broadcast(buffer, 0))
              .isInstanceOf(GroupException.class)
              .hasMessageStartingWith("broadcast cannot be done any more")
              .hasMessageContaining(why);
        });
  }

  @Test
  void a_work_that_was_done_before_the_abort_stays_done() {
    Jobs.run(
        2,
        (platform, world) -> {
          Work work = world.allReduce(floats(world.device(), 1));
          work.waitBlocking();
          world.abort();
          assertThat(work.error()).isNull();
          work.waitOnStream();
        });
  }

  @Test
  void the_ranks_that_are_left_go_on_in_another_world() {
    Jobs.run(
        ranks(3).withKill(1, 30 * MS),
        timeout(50 * MS),
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 1);
          int steps = 0;
          try {
            for (; ; ) {
              world.allReduce(buffer).waitBlocking();
              platform.host().work(5 * MS);
              steps++;
            }
          } catch (GroupException e) {
            assertThat(e).hasMessageContaining("Rank 1 gives no sign");
          }
          assertThat(steps).isPositive();
          world.reconfigure("2", world.rank() == 0 ? 0 : 1, 2);
          Jobs.write(world.device().currentStream(), buffer, 1);
          world.allReduce(buffer).waitOnStream();
          assertThat(read(world.device().currentStream(), buffer)).containsExactly(2);
          assertThat(world).hasToString("group 'world/2', rank " + world.rank() + " of 2");
          world.reconfigure("3", 0, 1);
          assertThat(world.allReduce(buffer).isDone()).isTrue();
        });
  }

  @Test
  void the_librarys_own_notice_of_a_death_comes_before_a_long_timeout() {
    Map<Integer, String> errors = new ConcurrentHashMap<>();
    Map<Integer, Long> noticed = new ConcurrentHashMap<>();
    Jobs.run(
        ranks(3).withKill(2, 50 * MS),
        timeout(60_000 * MS),
        (platform, world) -> loopUntilFailure(platform, world, errors, noticed));
    assertThat(errors).containsOnlyKeys(0, 1);
    assertThat(errors.values())
        .allSatisfy(error -> assertThat(error).contains("rank 2 of communicator 'world' is gone"));
    assertThat(noticed.values()).allSatisfy(time -> assertThat(time).isLessThan(4_000 * MS));
  }

  /** Runs collectives until one fails; notes the error, and how long the last round took. */
  private static void loopUntilFailure(
      Platform platform,
      ProcessGroup world,
      Map<Integer, String> errors,
      Map<Integer, Long> noticed) {
    Stream compute = world.device().createStream("compute");
    Buffer buffer = floats(world.device(), 1, 2);
    Buffer all = world.device().allocate(DataType.FLOAT32, 2L * world.size());
    long begin = platform.host().nanoTime();
    try {
      for (int i = 0; ; i++) {
        begin = platform.host().nanoTime();
        Work work = i % 3 == 1 ? world.allGather(buffer, all) : world.allReduce(buffer);
        if (i % 4 == 0) {
          world.barrier();
        } else if (i % 4 == 1) {
          work.waitBlocking();
        } else if (i % 4 == 2) {
          work.waitOnStream(compute);
          compute.synchronize();
        } else {
          work.waitBlocking(10_000 * MS);
        }
        platform.host().work(MS);
      }
    } catch (GroupException e) {
      errors.put(world.rank(), String.valueOf(e.getMessage()));
      noticed.put(world.rank(), platform.host().nanoTime() - begin);
    }
  }

  @Test
  void kills_at_random_points_leave_no_survivor_hanging_and_each_error_names_the_rank() {
    Random random = new Random(SEED);
    long timeout = 100 * MS;
    for (int round = 0; round < KILLS; round++) {
      int ranks = 2 + random.nextInt(4);
      int victim = random.nextInt(ranks);
      long at = 1 + (long) (random.nextDouble() * 80 * MS);
      long seed = random.nextInt(1000);
      String what =
          "round "
              + round
              + ": rank "
              + victim
              + " of "
              + ranks
              + " killed at "
              + at
              + ", seed "
              + SEED;
      Map<Integer, String> errors = new ConcurrentHashMap<>();
      Map<Integer, Long> noticed = new ConcurrentHashMap<>();
      try {
        Sim.run(
            ranks(ranks).withSeed(seed).withRecorded(false).withKill(victim, at),
            platform -> {
              GroupOptions how = timeout(timeout).withJoinTimeout(timeout);
              try {
                ProcessGroup world = ProcessGroup.join(platform, "world", how);
                loopUntilFailure(platform, world, errors, noticed);
              } catch (GroupException e) {
                errors.put(platform.rank(), String.valueOf(e.getMessage()));
                noticed.put(platform.rank(), timeout);
              }
            });
      } catch (DeviceException e) {
        throw new AssertionError(what, e);
      }
      Map<Integer, String> sorted = new TreeMap<>(errors);
      assertThat(sorted.keySet()).as(what).hasSize(ranks - 1).doesNotContain(victim);
      assertThat(sorted.values())
          .allSatisfy(error -> assertThat(error).as(what).matches(names(victim)));
      assertThat(noticed.values())
          .allSatisfy(took -> assertThat(took).as(what).isLessThan(timeout + 20 * MS));
    }
  }

  /** Whether an error names a rank, whichever way it was noticed. */
  private static Predicate<String> names(int rank) {
    return error ->
        error.matches("(?s).*([Rr]anks? |rank |ranks \\[|, )(\\d+, )*" + rank + "(?!\\d).*");
  }
}
