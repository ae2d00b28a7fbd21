package dev.eddyline.junit;

import static dev.eddyline.junit.StreamAssertions.assertThat;
import static dev.eddyline.junit.StreamAssertions.collective;
import static dev.eddyline.junit.StreamAssertions.op;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RecordedFileTest {
  private static StreamTrace before;
  private static StreamTrace after;

  @BeforeAll
  static void open() {
    before = Samples.open("diloco_before_rank0.json.gz");
    after = Samples.open("diloco_after_rank0.json.gz");
  }

  private static String message(org.assertj.core.api.ThrowableAssert.ThrowingCallable assertion) {
    return String.valueOf(catchThrowable(assertion).getMessage());
  }

  @Test
  void the_division_that_does_not_wait_is_told_with_its_times() {
    String message =
        message(
            () ->
                assertThat(before)
                    .op("aten::div_")
                    .runsAfter(collective("allreduce"))
                    .inEveryStep());

    Assertions.assertThat(message)
        .isEqualTo(
            """
            aten::div_ must be ordered after the all-reduce of its step, but is not in 3 of 3 steps

              step0   div_ on stream 25  2.218 .. 2.322 ms    all-reduce on stream 17  13.013 .. 34.825 ms    ran 10.691 ms too early
              step1                      4.916 .. 5.030                                47.603 .. 58.846           42.573
              step2                      7.614 .. 7.729                                72.278 .. 80.451           64.549
              Stream 25 waits for no other stream in this trace.
              Missing: an event recorded on stream 17 after the all-reduce, waited for by stream 25 before div_.
              Launched at aten::div_, step0, thread 733 (python3)
              Fix: call work.wait() with stream 25 current, then launch div_.
              Trace: ../../samples/traces/diloco_before_rank0.json.gz      eddyline analyze ../../samples/traces/diloco_before_rank0.json.gz\
            """);
  }

  @Test
  void the_mended_run_passes() {
    assertThat(after).op("aten::div_").runsAfter(collective("all_reduce")).inEveryStep();
    assertThat(after).op("aten::div_").runsAfter(collective("all-reduce")).everyTime();
  }

  @Test
  void a_question_that_the_file_cannot_answer_aborts_the_test() {
    assertThatThrownBy(() -> assertThat(before).streamNeverDependsOn("7", "25"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessage(
            """
            CannotAnswer (test aborted, not failed): does stream 7 depend on stream 25?
              3 of stream 7's 6 waits do not say what they wait for (0 of 21 waits in this file are recorded with their event).
              Record with the Eddyline agent, or run this test on sim.
              Trace: ../../samples/traces/diloco_before_rank0.json.gz      eddyline analyze ../../samples/traces/diloco_before_rank0.json.gz\
            """);
  }

  @Test
  void strict_makes_a_failure_of_it() {
    assertThatThrownBy(() -> assertThat(before).strict().streamNeverDependsOn("7", "25"))
        .isInstanceOf(StreamAssertionError.class)
        .hasMessageStartingWith("cannot answer, and strict: does stream 7 depend on stream 25?\n");
  }

  @Test
  void a_stream_without_waits_depends_on_nothing() {
    assertThat(before).streamNeverDependsOn("25", "17").streamNeverDependsOn("25", "7");
  }

  @Test
  void an_inferred_wait_is_a_dependency_and_says_how_it_is_known() {
    Assertions.assertThat(message(() -> assertThat(before).streamNeverDependsOn("7", "nccl")))
        .startsWith("stream 7 must never depend on stream nccl, but does, 3 times\n")
        .contains("  stream 7 waits for an event recorded on stream 17\n")
        .contains("     known: inferred by c10d-work, confidence 0.9\n")
        .contains("  Fix: let stream 7 wait for an event");
  }

  @Test
  void what_is_not_in_the_trace_cannot_be_asked() {
    assertThatThrownBy(() -> assertThat(before).streamNeverDependsOn("21", "7"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("No stream 21 ran in this trace. Streams here: 7, 17, 25.");
    assertThatThrownBy(
            () ->
                assertThat(before).op("aten::div_").runsAfter(collective("allgather")).everyTime())
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("No all-gather ran in this trace.\n  Collectives here: all-reduce.");
    assertThatThrownBy(() -> assertThat(before).op("divide").runsAfter("aten::mul").inEveryStep())
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("No divide ran in this trace.\n  Ops here: ");
  }

  @Test
  void the_stack_trace_begins_at_the_assertion() {
    Throwable failure = catchThrowable(() -> assertThat(before).streamNeverDependsOn("7", "17"));
    Assertions.assertThat(failure.getStackTrace()[0].getFileName())
        .isEqualTo("RecordedFileTest.java");
  }

  @Test
  void a_file_that_is_not_there_says_so() {
    assertThatThrownBy(() -> StreamTrace.open(Path.of("nowhere.eddy")))
        .hasMessage("nowhere.eddy: no such file");
  }

  @Test
  void syncs_that_held_the_host_are_told_with_parts_that_add_up() {
    Assertions.assertThat(message(() -> assertThat(before).hasAtMostHostSyncsPerStep(0)))
        .startsWith(
            """
            at most 0 host syncs per step, but found 1 in 3 of 3 steps

              cudaStreamSynchronize on stream 25      at sync_other_fragment, step0, thread 733 (python3)
              held the host 1.035 ms:
                 0.923 ms   aten::div_, stream 25 was ready; sm80_xmma_gemm_f32f32_f32f32_f32_nn_n on stream 7 filled the device
                 0.104 ms   aten::div_, stream 25
                 0.008 ms   return
              cudaStreamSynchronize on stream 25      at sync_other_fragment, step1, thread 733 (python3)
            """)
        .contains(
            """
            held the host 1.834 ms:
                 1.712 ms   aten::div_, stream 25 was ready; sm80_xmma_gemm_f32f32_f32f32_f32_nn_n on stream 7 filled the device
                 0.115 ms   aten::div_, stream 25
                 0.007 ms   return
              Fix: if the host needs one op's result, record an event right after that op and sync on the event, not on the stream.
              Trace: ../../samples/\
            """);
  }

  @Test
  void the_end_of_a_trace_and_empty_streams_do_not_count() {
    assertThat(before).hasAtMostHostSyncs(3).hasAtMostHostSyncsPerStep(1);
    assertThat(after).hasAtMostHostSyncs(0).hasAtMostHostSyncsPerStep(0);
    Assertions.assertThat(message(() -> assertThat(before).hasAtMostHostSyncs(2)))
        .startsWith("at most 2 host syncs in all, but there were 3\n");
  }

  @Test
  void nobody_says_that_the_syncs_waited_for_the_all_reduce() {
    assertThat(before).hostNeverWaitsForCollectives();
    assertThat(after).hostNeverWaitsForCollectives();
  }

  @Test
  void collectives_are_awaited_but_one_of_them_too_late_for_its_user() {
    assertThat(before).everyCollectiveIsAwaited();
    assertThat(after).everyCollectiveIsAwaitedBefore(op("aten::div_"));
    Assertions.assertThat(
            message(() -> assertThat(before).everyCollectiveIsAwaitedBefore(op("aten::div_"))))
        .startsWith(
            "aten::div_ must be ordered after the collective before it, but is not 3 of 3 times\n");
  }

  @Test
  void overlap_is_measured_and_the_longest_time_alone_is_named() {
    assertThat(before).streamOverlaps("17", "7", 0.7);
    Assertions.assertThat(message(() -> assertThat(before).streamOverlaps("nccl", "7", 0.9)))
        .startsWith(
            """
            stream nccl must overlap with stream 7 for at least 90.0 % of its time, but does for 72.2 %

              stream 17 was busy 41.228 ms:
                 29.748 ms   beside stream 7
                 11.480 ms   alone
              longest alone: 23.817 .. 34.825 ms, in all-reduce #0 of group "default_pg", stream 17
            """);
  }

  @Test
  void a_share_above_one_is_refused() {
    assertThatThrownBy(() -> assertThat(before).streamOverlaps("17", "7", 50))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a share from 0 to 1, not 50.0");
  }

  private static StreamTrace real(String name) {
    return StreamTrace.open(
        Path.of("../../collector/analysis/src/test/resources/traces/kineto", name));
  }

  @Test
  void a_host_that_waits_through_a_path_is_told_with_the_path() {
    StreamTrace trace = real("h200_pytorch_stories/callback_block_rank0.json.gz");

    Assertions.assertThat(message(() -> assertThat(trace).hostNeverWaitsForCollectives()))
        .startsWith(
            """
            no host sync may wait for a collective, but 3 of 3 did

              cudaStreamSynchronize on stream 53      at sync_other_fragment, step0, thread 603 (python3)
              held the host 2.758 ms, 0.258 ms of them for all-reduce #0 of group "default_pg":
            """)
        .contains(
            "stream 53 waited for stream 17, event recorded by call 126, wait by call 133"
                + " (inferred: c10d-future)\n")
        .contains("\n  also cudaStreamSynchronize on stream 57 at sync_other_fragment, step1,")
        .contains("\n  Fix: put the wait for the collective on the stream that needs its result");
    assertThat(real("h200_pytorch_stories/callback_mended_rank0.json.gz"))
        .hostNeverWaitsForCollectives();
  }

  @Test
  void a_file_without_targets_and_waiters_cannot_answer() {
    StreamTrace trace = real("public/hta_rank0of16_graphlaunch.json.gz");

    assertThatThrownBy(() -> assertThat(trace).hostNeverWaitsForCollectives())
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("\n  The trace does not say which work it waited for.\n");
    assertThatThrownBy(() -> assertThat(trace).streamNeverDependsOn("7", "27"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("This file does not say which streams its 425 waits belong to.\n");
  }
}
