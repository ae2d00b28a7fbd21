package dev.eddyline.group;

import static dev.eddyline.group.Jobs.MS;
import static dev.eddyline.group.Jobs.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.sim.Sim;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MisuseTest {
  private static Buffer ints(Device device, long count) {
    return device.allocate(DataType.INT32, count);
  }

  private static void refuses(String message, ThrowingCallable code) {
    assertThatThrownBy(code).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void counts_that_do_not_fit_are_refused_before_anything_is_enqueued() {
    Jobs.run(
        2,
        (platform, world) -> {
          Device device = world.device();
          CollectiveOptions how = CollectiveOptions.defaults();
          String here = " of group 'world', rank " + world.rank() + " of 2: ";
          refuses(
              "all-reduce" + here + "3 elements go in and 4 come out; both must be equal",
              () -> world.allReduce(ints(device, 3), ints(device, 4), how));
          refuses(
              "all-gather"
                  + here
                  + "3 elements go in and 4 come out; the result holds the parts of 2 ranks",
              () -> world.allGather(ints(device, 3), ints(device, 4)));
          refuses(
              "reduce-scatter"
                  + here
                  + "3 elements go in and 4 come out; the input holds the parts of 2 ranks",
              () -> world.reduceScatter(ints(device, 3), ints(device, 4)));
          refuses(
              "all-to-all"
                  + here
                  + "3 elements go in and 3 come out; both must be equal, and hold a part for"
                  + " each of 2 ranks",
              () -> world.allToAll(ints(device, 3), ints(device, 3)));
          Buffer same = ints(device, 4);
          refuses(
              "all-to-all"
                  + here
                  + "4 elements go in and 4 come out; and both at one place: an all-to-all"
                  + " cannot be done in place",
              () -> world.allToAll(same, same));
          assertThat(world.stream().isDone()).isTrue();
          world.barrier();
        });
  }

  @Test
  void ranks_that_do_not_exist_are_refused() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer buffer = ints(world.device(), 2);
          String here = " of group 'world', rank " + world.rank() + " of 2: ";
          refuses(
              "broadcast" + here + "root 2 is none of its ranks", () -> world.broadcast(buffer, 2));
          refuses("reduce" + here + "root -1 is none of its ranks", () -> world.reduce(buffer, -1));
          refuses("send" + here + "peer 7 is none of its ranks", () -> world.send(buffer, 7));
          refuses(
              "receive" + here + "the peer is this rank itself; copy on a stream instead",
              () -> world.receive(buffer, world.rank()));
        });
  }

  @Test
  void buffers_of_the_wrong_kind_are_refused() {
    Jobs.run(
        1,
        (platform, world) -> {
          Device device = world.device();
          String here = "all-reduce of group 'world', rank 0 of 1: ";
          refuses(
              here + "a buffer is pageable host memory; copy it to the device first",
              () -> world.allReduce(device.allocatePageable(DataType.FLOAT32, 1)));
          refuses(
              here + "i32 goes in and f32 comes out",
              () ->
                  world.allReduce(
                      ints(device, 1), floats(device, 1), CollectiveOptions.defaults()));
          refuses(
              here + "12 bytes are no whole number of f64",
              () ->
                  world.allReduce(
                      ints(device, 3), CollectiveOptions.defaults().withType(DataType.FLOAT64)));
        });
  }

  @Test
  void options_that_contradict_each_other_are_refused() {
    Jobs.run(
        1,
        (platform, world) ->
            refuses(
                "async = false runs on the current stream: do not name stream 'nccl' too; make it"
                    + " the current one by device.use(stream), or leave async true",
                () -> CollectiveOptions.onCurrentStream().withStream(world.stream())));
    refuses(
        "timeoutNanos is 0, but must be positive", () -> GroupOptions.defaults().withTimeout(0));
    refuses("a timeout of -1 ns", () -> CollectiveOptions.defaults().withTimeout(-1));
  }

  @Test
  void two_threads_at_once_are_an_error_that_names_the_other() {
    Jobs.run(
        Jobs.ranks(2),
        GroupOptions.defaults(),
        (platform, world) -> {
          Buffer mine = floats(world.device(), 1);
          Buffer others = floats(world.device(), 1);
          int[] refused = {0};
          HostThread other =
              platform
                  .host()
                  .start(
                      "other",
                      () -> {
                        for (int i = 0; i < 20; i++) {
                          try {
                            world.broadcast(others, 0);
                          } catch (IllegalStateException e) {
                            assertThat(e)
                                .hasMessageContaining("is in use by thread '")
                                .hasMessageContaining(
                                    "one thread at a time calls collectives of a group");
                            refused[0]++;
                          } catch (GroupException e) {
                            return;
                          }
                        }
                      });
          for (int i = 0; i < 20; i++) {
            try {
              world.broadcast(mine, 0);
            } catch (IllegalStateException e) {
              refused[0]++;
            }
          }
          other.join();
          assertThat(refused[0]).isPositive();
          world.abort();
        });
  }

  @Test
  void a_name_that_was_used_before_is_refused() {
    Jobs.run(
        2,
        (platform, world) ->
            assertThatThrownBy(() -> ProcessGroup.join(platform, "world"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                    "rank "
                        + world.rank()
                        + " of group 'world' came before: give each group of a job a name, and"
                        + " each re-configuration an epoch, of its own"));
  }

  @Test
  void ranks_that_do_not_come_are_named() {
    Sim.run(
        Jobs.ranks(3),
        platform -> {
          if (platform.rank() == 2) {
            return;
          }
          GroupOptions how = GroupOptions.defaults().withJoinTimeout(20 * MS);
          assertThatThrownBy(() -> ProcessGroup.join(platform, "world", how))
              .isInstanceOf(GroupException.class)
              .hasMessageContaining(
                  "group 'world', rank " + platform.rank() + " of 3, could not be joined")
              .hasMessageContaining("for the ranks [2]")
              .hasMessageEndingWith("Start the ranks that are missing, or join with fewer.");
        });
  }

  @Test
  void a_rank_0_that_does_not_come_is_named() {
    Sim.run(
        Jobs.ranks(2),
        platform -> {
          if (platform.rank() == 0) {
            return;
          }
          GroupOptions how = GroupOptions.defaults().withJoinTimeout(20 * MS);
          assertThatThrownBy(() -> ProcessGroup.join(platform, "world", how))
              .hasMessage(
                  "rank 1 waited 20.000 ms for rank 0 of group 'world' to begin it: is rank 0"
                      + " running, and do all ranks use the same store and name?")
              .extracting(e -> ((GroupException) e).reason())
              .isEqualTo(Reason.TIMEOUT);
        });
  }

  @Test
  void places_outside_of_the_group_are_refused() {
    Sim.run(
        platform ->
            refuses(
                "rank 3 of 2 in group 'x': ranks count from 0",
                () ->
                    ProcessGroup.join(
                        platform, platform.store(), "x", 3, 2, GroupOptions.defaults())));
  }
}
