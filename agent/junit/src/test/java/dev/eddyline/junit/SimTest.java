package dev.eddyline.junit;

import static dev.eddyline.junit.Programs.ADD;
import static dev.eddyline.junit.Programs.MULTIPLY;
import static dev.eddyline.junit.Programs.SMALL;
import static dev.eddyline.junit.StreamAssertions.assertThat;
import static dev.eddyline.junit.StreamAssertions.collective;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class SimTest {
  @TempDir Path folder;
  private Streams streams;

  @BeforeEach
  void makeStreams(TestInfo test) {
    streams =
        Streams.simulated("SimTest." + test.getTestMethod().orElseThrow().getName())
            .inFolder(folder);
  }

  private static String message(ThrowingCallable assertion) {
    return String.valueOf(catchThrowable(assertion).getMessage());
  }

  /**
   *
   *
   * <pre>
   * nccl       AllReduce e
   * fragment             └► divide        host: fragment.synchronize()
   * </pre>
   */
  private static void fault(Platform platform, boolean mended) {
    Communicator world = Programs.world(platform);
    Stream nccl = platform.device().createStream("nccl");
    Stream fragment = platform.device().createStream("fragment-1");
    Stream own = platform.device().createStream("fragment-0");
    Buffer gradients = Programs.floats(platform, nccl, new float[1 << 16]);
    for (int i = 0; i < 3; i++) {
      try (Marks.Scope ignored = Marks.step("step " + i)) {
        Programs.allReduce(world, gradients, nccl);
        Event done = platform.device().createEvent("done");
        nccl.record(done);
        Stream callback = mended ? own : fragment;
        callback.waitFor(done);
        callback.launch(MULTIPLY, SMALL, gradients, 0.5f);
        fragment.synchronize();
      }
    }
  }

  @Test
  void the_host_that_waits_for_an_all_reduce_is_told_with_its_call_site() {
    StreamTrace trace = streams.withRanks(2).record(platform -> fault(platform, false));

    String message = message(() -> assertThat(trace).hostNeverWaitsForCollectives());
    Assertions.assertThat(message)
        .startsWith("no host sync may wait for a collective, but 6 of ")
        .containsPattern(
            "cudaStreamSynchronize on stream fragment-1 {6}at SimTest.fault\\(SimTest.java:\\d+\\),"
                + " step 0, rank \\d thread \"main\"")
        .containsPattern("held the host [\\d.]+ ms, [\\d.]+ ms of them for all-reduce #0 of group")
        .containsPattern(
            "event recorded on stream nccl {6}at SimTest.fault\\(SimTest.java:\\d+\\)\\n"
                + " +waited for by stream fragment-1 {6}at SimTest.fault\\(SimTest.java:\\d+\\)\\n")
        .contains("Fix: put the wait for the collective on the stream that needs its result");
  }

  @Test
  void the_mended_program_passes_all_that_the_story_asks() {
    StreamTrace trace = streams.withRanks(2).record(platform -> fault(platform, true));

    assertThat(trace)
        .strict()
        .hostNeverWaitsForCollectives()
        .streamNeverDependsOn("fragment-1", "nccl")
        .op("multiply")
        .runsAfter(collective("allreduce"))
        .inEveryStep()
        .everyCollectiveIsAwaited()
        .everyCollectiveIsAwaitedBefore(StreamAssertions.op("multiply"))
        .hasAtMostHostSyncsPerStep(0);
    Assertions.assertThat(trace.path())
        .exists()
        .hasFileName("SimTest.the_mended_program_passes_all_that_the_story_asks.eddy");
  }

  @Test
  void a_dependency_is_told_with_its_edge() {
    StreamTrace trace = streams.withRanks(2).record(platform -> fault(platform, true));

    String message = message(() -> assertThat(trace).streamNeverDependsOn("fragment-0", "nccl"));
    Assertions.assertThat(message)
        .startsWith("stream fragment-0 must never depend on stream nccl, but does, 3 times\n")
        .contains("stream fragment-0 waits for an event recorded on stream nccl")
        .containsPattern(
            "known: recorded\n +waited at SimTest.fault\\(SimTest.java:\\d+\\), step 0")
        .containsPattern("recorded at SimTest.fault\\(SimTest.java:\\d+\\), step 0");
  }

  /**
   *
   *
   * <pre>
   * a  add 1
   * b             multiply 3      launched much later: in the plain schedule it comes after
   * </pre>
   */
  private static void race(Platform platform, Streams streams) {
    Stream a = platform.device().createStream("a");
    Stream b = platform.device().createStream("b");
    Buffer buffer = Programs.floats(platform, a, 1, 2);
    a.synchronize();
    a.launch(ADD, SMALL, buffer, 1f);
    platform.host().work(60_000);
    b.launch(MULTIPLY, SMALL, buffer, 3f);
    b.synchronize();
    a.synchronize();
    streams.result("sum", Programs.read(platform, a, buffer));
  }

  @Test
  void a_race_that_one_schedule_hides_is_found_by_fifty() {
    streams.record(platform -> race(platform, streams));

    String message =
        message(() -> streams.withSchedules(50).record(platform -> race(platform, streams)));
    Assertions.assertThat(message)
        .startsWith("a result must be the same on every schedule, but differs on ")
        .containsPattern("rank 0 \"sum\"\\[0\\] is 6.0 with seed 0, but \\d.0 with seed \\d+")
        .contains(
            "nothing orders add, stream a, and multiply, stream b; their times go with the"
                + " outcome:")
        .containsPattern("seed 0   add [\\d.]+ .. [\\d.]+ ms   multiply [\\d.]+ .. [\\d.]+ ms\n")
        .containsPattern("Again with: @StreamTest\\(seed = \\d+\\)")
        .containsPattern("Trace: .*-seed\\d+.eddy      eddyline analyze ");
  }

  @Test
  void an_assertion_that_differs_between_schedules_names_them() {
    StreamTrace trace =
        streams
            .withSchedules(50)
            .record(
                platform -> {
                  Stream a = platform.device().createStream("a");
                  a.launch(Programs.busy("work", 50), SMALL);
                  platform.host().work(90_000);
                  a.synchronize();
                  a.launch(Programs.busy("more", 1), SMALL);
                });
    String message = message(() -> assertThat(trace).hasAtMostHostSyncs(0));
    Assertions.assertThat(message)
        .startsWith("at most 0 host syncs in all, but there were 1\n")
        .containsPattern("\n  differs between schedules: broken on \\d+ of 50, seeds \\d+")
        .containsPattern("\n  again with: @StreamTest\\(seed = \\d+\\)\n");
  }

  @Test
  void a_failure_on_some_schedules_names_them_and_on_all_is_itself() {
    assertThatThrownBy(
            () ->
                streams
                    .withSchedules(3)
                    .record(
                        platform -> {
                          throw new IllegalArgumentException("always");
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("always");
    String message =
        message(
            () ->
                streams
                    .withSchedules(50)
                    .record(
                        platform -> {
                          Stream a = platform.device().createStream("a");
                          Stream b = platform.device().createStream("b");
                          Buffer buffer = Programs.floats(platform, a, 1, 2);
                          a.synchronize();
                          a.launch(ADD, SMALL, buffer, 1f);
                          platform.host().work(60_000);
                          b.launch(MULTIPLY, SMALL, buffer, 3f);
                          b.synchronize();
                          a.synchronize();
                          Assertions.assertThat(Programs.read(platform, a, buffer))
                              .containsExactly(6, 9);
                        }));
    Assertions.assertThat(message)
        .startsWith("the program must do the same on every schedule, but failed on ");
  }

  @Test
  void outside_of_the_program_there_is_no_device() {
    assertThatThrownBy(() -> streams.device())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only inside of streams.record(...)");
  }
}
