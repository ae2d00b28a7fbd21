package dev.eddyline.junit;

import static dev.eddyline.junit.Programs.MULTIPLY;
import static dev.eddyline.junit.Programs.SMALL;
import static dev.eddyline.junit.StreamAssertions.assertThat;
import static dev.eddyline.junit.StreamAssertions.collective;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Stream;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.Work;
import dev.eddyline.marks.Marks;
import java.util.List;
import org.assertj.core.api.Assertions;

/** The founding story with a process group: where is the work awaited? */
class GroupTest {

  private static void steps(Streams streams, ProcessGroup world, boolean blocking) {
    Stream compute = streams.device().createStream("compute");
    Stream fragment = streams.device().createStream("fragment-0");
    Buffer gradients = Programs.floats(streams.platform(), fragment, 2, 4);
    for (int i = 0; i < 3; i++) {
      try (Marks.Scope ignored = Marks.step("step " + i)) {
        Work work;
        try (var scope = streams.device().use(fragment)) {
          work = world.allReduce(gradients);
        }
        compute.launch(Programs.busy("gemm", 500), SMALL);
        if (blocking) {
          work.waitBlocking();
        }
        work.waitOnStream(fragment);
        fragment.launch(MULTIPLY, SMALL, gradients, 0.5f);
      }
    }
    streams.result("gradients", Programs.read(streams.platform(), fragment, gradients));
  }

  @StreamTest(ranks = 2, schedules = 5)
  void a_work_that_a_stream_waits_for_never_holds_the_host(Streams streams) {
    StreamTrace trace = streams.record((platform, world) -> steps(streams, world, false));

    assertThat(trace)
        .streamNeverDependsOn("compute", "nccl")
        .streamNeverDependsOn("compute", "fragment-0")
        .everyCollectiveIsAwaitedBefore(StreamAssertions.op("multiply"))
        .op("multiply")
        .runsAfter(collective("allreduce").of("world"))
        .inEveryStep()
        .streamOverlaps("nccl", "compute", 0.1);
  }

  @StreamTest(ranks = 2)
  void a_blocking_wait_is_told_at_the_line_of_the_user(Streams streams) {
    StreamTrace trace = streams.record((platform, world) -> steps(streams, world, true));

    Assertions.assertThat(
            catchThrowable(() -> assertThat(trace).hostNeverWaitsForCollectives()).getMessage())
        .startsWith("no host sync may wait for a collective, but ")
        .contains("at GroupTest.steps(GroupTest.java:")
        .contains("for all-reduce #1 of group \"world\"");
  }

  @StreamTest(ranks = 2)
  void leaving_the_group_is_no_wait_of_the_program(Streams streams) {
    StreamTrace trace =
        streams.record(
            (platform, world) -> {
              Stream own = platform.device().createStream("own");
              try (var scope = platform.device().use(own)) {
                Buffer buffer = platform.device().allocate(dev.eddyline.device.DataType.FLOAT32, 4);
                world.allReduce(buffer).waitOnStream(own);
              }
            });

    assertThat(trace).hostNeverWaitsForCollectives().hasAtMostHostSyncs(0);
  }

  @StreamTest(ranks = 2)
  void a_rank_that_fails_is_what_is_told(Streams streams) {
    assertThatThrownBy(
            () ->
                streams.record(
                    (platform, world) -> {
                      if (platform.rank() == 1) {
                        throw new IllegalStateException("rank 1 is out of data");
                      }
                      world.barrier();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rank 1 is out of data");
    Assertions.assertThat(List.copyOf(streams.files())).isNotNull();
  }
}
