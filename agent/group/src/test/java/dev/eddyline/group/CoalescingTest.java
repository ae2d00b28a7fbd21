package dev.eddyline.group;

import static dev.eddyline.group.Jobs.floats;
import static dev.eddyline.group.Jobs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.sim.SimResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoalescingTest {
  @Test
  void one_work_covers_all_collectives_of_the_block() {
    SimResult result =
        Jobs.run(
            2,
            (platform, world) -> {
              Device device = world.device();
              Buffer large = device.allocate(DataType.FLOAT32, 1 << 22);
              Buffer a = floats(device, 1, 2);
              Buffer b = floats(device, world.rank(), 5);
              Buffer all = device.allocate(DataType.FLOAT32, 4);
              Work work =
                  world.coalesce(
                      block -> {
                        block.allReduce(large);
                        block.allReduce(a);
                        block.allReduce(b, ReduceOp.MAX);
                        block.allGather(b, all);
                      });
              assertThat(work.isDone()).isFalse();
              work.waitOnStream();
              Stream current = device.currentStream();
              assertThat(read(current, a)).containsExactly(2, 4);
              assertThat(read(current, b)).containsExactly(1, 5);
              assertThat(work.results()).containsExactly(large, a, b, all);
            });

    Timeline timeline = Jobs.open(result);
    OpView op = timeline.ops();
    int kernels = 0;
    for (int i = 0; i < op.size(); i++) {
      kernels += op.at(i).process() == 0 && op.name().startsWith("nccl") ? 1 : 0;
    }
    assertThat(kernels).isEqualTo(1);
    CollectiveView collective = timeline.collectives();
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i < collective.size(); i++) {
      if (collective.at(i).process() == 0) {
        numbers.add(collective.kind() + " #" + collective.sequence());
      }
    }
    assertThat(numbers)
        .containsExactly("allreduce #0", "allreduce #1", "allreduce #2", "allgather #0");
  }

  @Test
  void the_block_waits_for_every_stream_that_was_current_at_a_call() {
    Jobs.run(
        2,
        (platform, world) -> {
          Device device = world.device();
          Stream one = device.createStream("one");
          Stream two = device.createStream("two");
          Buffer a = floats(device, 1);
          Buffer b = floats(device, 1);
          one.launch(Jobs.ADD, Jobs.SMALL, a, 1f);
          two.launch(Jobs.ADD, Jobs.SMALL, b, 2f);
          Work work =
              world.coalesce(
                  block -> {
                    try (Device.Scope current = device.use(one)) {
                      block.allReduce(a);
                    }
                    try (Device.Scope current = device.use(two)) {
                      block.allReduce(b);
                    }
                  });
          work.waitOnStream();
          assertThat(read(device.currentStream(), a)).containsExactly(4);
          assertThat(read(device.currentStream(), b)).containsExactly(6);
        });
  }

  @Test
  void an_empty_block_gives_a_completed_work() {
    Jobs.run(
        2,
        (platform, world) -> {
          Work work = world.coalesce(block -> {});
          assertThat(work.isDone()).isTrue();
          work.waitOnStream();
          work.waitBlocking();
          assertThat(work.results()).isEmpty();
          assertThat(work).hasToString("an empty block of " + world);
        });
  }

  @Test
  void nesting_says_what_closes_the_block() {
    String why =
        "coalesce() of group 'world' within a block of group 'world', rank 0 of 1: nothing of it"
            + " would be enqueued yet. Call collectives on the block; it is closed when the"
            + " function given to coalesce() returns";
    Jobs.run(
        1,
        (platform, world) ->
            assertThatThrownBy(() -> world.coalesce(block -> world.coalesce(inner -> {})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(why));
  }

  @Test
  void blocks_of_other_groups_do_not_nest_either() {
    Jobs.run(
        1,
        (platform, world) -> {
          ProcessGroup pair = ProcessGroup.join(platform, "pair");
          assertThatThrownBy(() -> world.coalesce(block -> pair.coalesce(inner -> {})))
              .hasMessageContaining("coalesce() of group 'pair' within a block of group 'world'");
        });
  }

  @Test
  void a_collective_of_the_group_within_the_block_is_refused() {
    Jobs.run(
        1,
        (platform, world) -> {
          Buffer buffer = world.device().allocate(DataType.FLOAT32, 1);
          assertThatThrownBy(() -> world.coalesce(block -> world.allReduce(buffer)))
              .hasMessageContaining("a collective of group 'world' within a block")
              .hasMessageContaining("Call collectives on the block");
        });
  }

  @Test
  void a_block_that_is_used_after_its_end_says_what_closed_it() {
    Jobs.run(
        1,
        (platform, world) -> {
          List<Coalescing> kept = new ArrayList<>();
          Buffer buffer = world.device().allocate(DataType.FLOAT32, 1);
          world.coalesce(kept::add);
          assertThatThrownBy(() -> kept.get(0).allReduce(buffer))
              .isInstanceOf(IllegalStateException.class)
              .hasMessage(
                  "this block of group 'world', rank 0 of 1 is closed: it was launched when the"
                      + " function given to coalesce() returned, and the Work that coalesce()"
                      + " returned covers all of it");
        });
  }

  @Test
  void a_block_that_throws_enqueues_nothing_and_the_group_goes_on() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 1);
          assertThatThrownBy(
                  () ->
                      world.coalesce(
                          block -> {
                            block.allReduce(buffer);
                            throw new UnsupportedOperationException("no");
                          }))
              .hasMessage("no");
          world.coalesce(block -> block.allReduce(buffer)).waitOnStream();
          assertThat(read(world.device().currentStream(), buffer)).containsExactly(2);
        });
  }
}
