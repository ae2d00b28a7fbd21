package dev.eddyline.group;

import static dev.eddyline.group.Jobs.ADD;
import static dev.eddyline.group.Jobs.MS;
import static dev.eddyline.group.Jobs.SMALL;
import static dev.eddyline.group.Jobs.floats;
import static dev.eddyline.group.Jobs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkFutureTest {
  private static final int LARGE = 1 << 22;

  @Test
  void the_inline_form_runs_in_place_on_its_stream_and_holds_nobody() {
    Jobs.run(
        2,
        (platform, world) -> {
          Stream mine = world.device().createStream("mine");
          Buffer buffer = world.device().allocate(DataType.FLOAT32, LARGE);
          long before = platform.host().nanoTime();
          WorkFuture<Stream> next =
              world
                  .allReduce(buffer)
                  .future()
                  .then(
                      mine,
                      results -> {
                        Stream current = world.device().currentStream();
                        current.launch(ADD, SMALL, results.get(0), 1f);
                        return current;
                      });
          assertThat(platform.host().nanoTime() - before).isLessThan(MS / 2);
          assertThat(next.value()).isSameAs(mine);
          assertThat(mine.isDone()).isFalse();
          next.waitOnStream();
          assertThat(read(world.device().currentStream(), buffer.slice(0, 1))).containsExactly(1);
        });
  }

  @Test
  void inline_continuations_chain_across_streams() {
    Jobs.run(
        2,
        (platform, world) -> {
          Stream one = world.device().createStream("one");
          Stream two = world.device().createStream("two");
          Buffer buffer = floats(world.device(), 1);
          WorkFuture<Integer> last =
              world
                  .allReduce(buffer)
                  .future()
                  .then(
                      one,
                      results -> {
                        one.launch(ADD, SMALL, buffer, 10f);
                        return 1;
                      })
                  .then(
                      two,
                      value -> {
                        two.launch(ADD, SMALL, buffer, 100f);
                        return value + 1;
                      });
          assertThat(last.waitBlocking()).isEqualTo(2);
          assertThat(read(world.device().currentStream(), buffer)).containsExactly(112);
        });
  }

  @Test
  void when_done_runs_after_the_gpu_is_done_and_no_stream_waits_for_it() {
    Jobs.run(
        2,
        (platform, world) -> {
          Stream mine = world.device().createStream("mine");
          Buffer buffer = world.device().allocate(DataType.FLOAT32, LARGE);
          List<Boolean> doneAtCall = new ArrayList<>();
          Work work = world.allReduce(buffer);
          WorkFuture<String> next =
              work.future()
                  .thenWhenDone(
                      mine,
                      results -> {
                        doneAtCall.add(work.isDone());
                        mine.launch(ADD, SMALL, results.get(0), 1f);
                        return "ran";
                      });
          assertThat(next.isRun()).isFalse();
          assertThat(mine.isDone()).isTrue();
          assertThatThrownBy(next::waitOnStream)
              .isInstanceOf(IllegalStateException.class)
              .hasMessage(
                  "this continuation has not run yet, and no stream waits for Java: call"
                      + " waitBlocking() first, or use the inline form then(stream, …), which"
                      + " runs in place");
          assertThat(next.waitBlocking()).isEqualTo("ran");
          assertThat(doneAtCall).containsExactly(true);
          next.waitOnStream();
          assertThat(read(world.device().currentStream(), buffer.slice(0, 1))).containsExactly(1);
        });
  }

  @Test
  void when_done_may_follow_what_has_not_run_and_take_an_executor() {
    Jobs.run(
        2,
        (platform, world) -> {
          Stream mine = world.device().createStream("mine");
          Buffer buffer = floats(world.device(), 1);
          List<String> ran = new ArrayList<>();
          WorkFuture<Integer> last =
              world
                  .allReduce(buffer)
                  .future()
                  .thenWhenDone(
                      mine,
                      task -> {
                        ran.add("executor");
                        platform.host().start("executor", task);
                      },
                      results -> 1)
                  .thenWhenDone(mine, value -> value + 1);
          assertThat(last.waitBlocking()).isEqualTo(2);
          assertThat(ran).containsExactly("executor");
        });
  }

  @Test
  void a_continuation_that_throws_fails_its_future_alone() {
    Jobs.run(
        2,
        (platform, world) -> {
          Stream mine = world.device().createStream("mine");
          Buffer buffer = floats(world.device(), 1);
          Work work = world.allReduce(buffer);
          WorkFuture<Integer> broken =
              work.future()
                  .thenWhenDone(
                      mine,
                      results -> {
                        throw new ArithmeticException("by zero");
                      });
          assertThatThrownBy(broken::waitBlocking)
              .hasMessageContaining("the continuation before this one failed")
              .hasRootCauseMessage("by zero");
          assertThatThrownBy(
                  () ->
                      work.future()
                          .then(
                              mine,
                              results -> {
                                throw new ArithmeticException("in place");
                              }))
              .hasMessage("in place");
          work.waitBlocking();
          world.barrier();
        });
  }

  @Test
  void the_future_of_a_completed_work_is_there_at_once() {
    Jobs.run(
        1,
        (platform, world) -> {
          Buffer buffer = floats(world.device(), 7);
          Stream mine = world.device().createStream("mine");
          WorkFuture<List<Buffer>> future = world.allReduce(buffer).future();
          assertThat(future.waitBlocking()).containsExactly(buffer);
          assertThat(future.<Integer>thenWhenDone(mine, results -> 3).waitBlocking()).isEqualTo(3);
        });
  }
}
