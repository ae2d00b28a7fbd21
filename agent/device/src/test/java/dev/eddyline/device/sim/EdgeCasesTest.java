package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.spin;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import dev.eddyline.marks.Marks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeCasesTest {
  private static final int STEPS = 3;

  private static Report report(int ranks, Consumer<Platform> program) {
    SimResult result = Sim.run(SimOptions.defaults().withRanks(ranks), program::accept);
    return Analyzer.analyze(Programs.open(result), AnalysisOptions.defaults()).report();
  }

  private static List<Finding> of(Report report, String rule) {
    return report.findings().stream()
        .filter(finding -> finding.rule().equals(rule) && !finding.expected())
        .toList();
  }

  private static List<String> warnings(Report report) {
    return report.findings().stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .map(Finding::rule)
        .toList();
  }

  private static void steps(Consumer<Integer> body) {
    for (int step = 0; step < STEPS; step++) {
      try (Marks.Scope mark = Marks.step("step" + step)) {
        body.accept(step);
      }
    }
  }

  @Test
  void case_1_a_group_that_gives_no_work() {
    Report report =
        report(
            2,
            platform -> {
              Device device = platform.device();
              Communicator world = world(platform);
              Stream s = device.createStream("s0");
              Stream nccl = device.createStream("n");
              Buffer a = device.allocate(DataType.FLOAT32, 64);
              Buffer b = device.allocate(DataType.FLOAT32, 64);
              steps(
                  step -> {
                    spin(s, "grad", MS / 10);
                    nccl.waitFor(s);
                    platform.collectives().groupStart();
                    world.allReduce(a, a, ReduceOp.SUM, nccl);
                    world.allReduce(b, b, ReduceOp.SUM, nccl);
                    platform.collectives().groupEnd();
                    s.launch(Programs.ADD, Programs.SMALL, a, 1f);
                  });
              device.synchronize();
            });

    Finding finding = of(report, "unawaited-collective").get(0);
    assertThat(finding.summary())
        .isEqualTo(
            "12 all-reduces of world were launched and never waited for: no stream and no host call"
                + " comes after them.");
    assertThat(finding.explanation()).contains("no event was recorded for it");
  }

  private static void sendRecv(Platform platform, int groups, boolean early) {
    Device device = platform.device();
    Communicator world = world(platform);
    Stream s = device.createStream("s0");
    Stream nccl = device.createStream("n");
    Buffer x = device.allocate(DataType.FLOAT32, 64);
    Buffer y = device.allocate(DataType.FLOAT32, 64);
    Event done = device.createEvent("e1");
    int other = 1 - platform.rank();
    steps(
        step -> {
          nccl.waitFor(s);
          for (int i = 0; i < groups; i++) {
            platform.collectives().groupStart();
          }
          world.send(x, other, nccl);
          world.receive(y, other, nccl);
          if (early) {
            nccl.record(done);
          }
          for (int i = 0; i < groups; i++) {
            platform.collectives().groupEnd();
          }
          if (!early) {
            nccl.record(done);
          }
          s.waitFor(done);
          s.launch(Programs.ADD, Programs.SMALL, y, 1f);
        });
    device.synchronize();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void cases_2_and_3_an_event_recorded_while_the_group_is_open(int groups) {
    Report report = report(2, platform -> sendRecv(platform, groups, true));

    List<Finding> found = of(report, "early-event");
    assertThat(found).isNotEmpty();
    assertThat(found.get(0).explanation())
        .contains(groups == 1 ? ", 1 group deep;" : ", 2 groups deep;")
        .contains("the end of the outermost group,")
        .contains("Stream s0 waits for them, 3 times, and goes on at once.");
  }

  @Test
  void an_event_recorded_behind_the_group_is_silent() {
    assertThat(of(report(2, platform -> sendRecv(platform, 1, false)), "early-event")).isEmpty();
  }

  private static Report buckets(boolean ownBuffers) {
    return report(
        1,
        platform -> {
          Device device = platform.device();
          Stream s = device.createStream("s0");
          Stream r = device.createStream("r");
          List<Buffer> buffers = new ArrayList<>();
          for (int i = 0; i < (ownBuffers ? 6 : 1); i++) {
            buffers.add(device.allocate(DataType.FLOAT32, 64));
          }
          Event reduced = device.createEvent("reduced");
          r.record(reduced);
          for (int k = 0; k < 6; k++) {
            Buffer bucket = buffers.get(k % buffers.size());
            s.launch(Programs.ADD, Programs.SMALL, bucket, 1f);
            r.waitFor(s);
            r.launch(SLOW, Programs.SMALL, bucket);
            r.record(reduced);
            s.waitFor(reduced);
          }
          s.launch(Programs.ADD, Programs.SMALL, buffers.get(0), 1f);
          device.synchronize();
        });
  }

  private static final Kernel SLOW =
      Kernel.named("reduce").body(arguments -> arguments.floats(0)).takes(MS / 2).build();

  @Test
  void case_15_a_wait_that_the_next_writes_do_not_need_is_removable_and_its_time_is_told() {
    Report report = buckets(true);
    Finding finding = of(report, "removable-dependency").get(0);

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.idleNs()).isGreaterThan(4 * MS / 2);
    assertThat(finding.summary())
        .startsWith("Stream s0 waited 5 times for r and stood still ")
        .endsWith(
            ", although its next work does not touch a buffer that r was using: removable"
                + " dependency.");
    assertThat(finding.remedy()).contains("Keep the wait before the buffer is used again.");
  }

  @Test
  void a_wait_before_the_same_buffer_is_written_again_is_needed() {
    Report report = buckets(false);

    assertThat(of(report, "removable-dependency")).isEmpty();
    assertThat(of(report, "late-wait")).isEmpty();
  }

  private static Report behindUnrelated(boolean late) {
    return report(
        1,
        platform -> {
          Device device = platform.device();
          Stream s = device.createStream("s0");
          Stream r = device.createStream("r");
          Buffer a = device.allocate(DataType.FLOAT32, 64);
          Buffer b = device.allocate(DataType.FLOAT32, 64);
          Event done = device.createEvent("done");
          steps(
              step -> {
                r.waitFor(s);
                r.launch(Programs.ADD, Programs.SMALL, a, 1f);
                if (!late) {
                  r.record(done);
                }
                r.launch(SLOW, Programs.SMALL, b);
                if (late) {
                  r.record(done);
                }
                s.waitFor(done);
                s.launch(Programs.ADD, Programs.SMALL, a, 1f);
              });
          device.synchronize();
        });
  }

  @Test
  void a_wait_behind_unrelated_work_is_late_and_one_right_behind_the_op_is_not() {
    Finding finding = of(behindUnrelated(true), "late-wait").get(0);
    assertThat(finding.steps()).isEqualTo(STEPS);
    assertThat(finding.summary())
        .startsWith("Stream s0 waited 3 times for r and stood still ")
        .contains("longer than it had to");
    assertThat(finding.explanation()).contains("behind the kernel reduce");

    assertThat(of(behindUnrelated(false), "late-wait")).isEmpty();
    assertThat(of(behindUnrelated(false), "removable-dependency")).isEmpty();
  }

  @Test
  void case_40_clipping_reads_three_values_per_step() {
    Report report =
        report(
            1,
            platform -> {
              Device device = platform.device();
              Stream s = device.createStream("s0");
              Buffer norm = device.allocate(DataType.FLOAT32, 1);
              HostBuffer host = device.allocatePageable(DataType.FLOAT32, 1);
              steps(
                  step -> {
                    spin(s, "norm", MS / 2);
                    for (int i = 0; i < 3; i++) {
                      s.copy(host, norm);
                      s.synchronize();
                    }
                    spin(s, "clip", MS / 10);
                  });
              device.synchronize();
            });

    Finding finding = of(report, "pageable-copy").get(0);
    assertThat(finding.steps()).isEqualTo(STEPS);
    assertThat(finding.occurrences()).hasSize(3 * STEPS);
    assertThat(finding.summary())
        .startsWith("9 copies of 4 bytes to host memory that is not pinned held the host");
  }

  @Test
  void case_41_a_device_sync_per_bucket_where_a_stream_wait_would_do() {
    Report report =
        report(
            1,
            platform -> {
              Device device = platform.device();
              Stream s = device.createStream("s0");
              Stream r = device.createStream("r");
              steps(
                  step -> {
                    spin(s, "bucket", MS / 2);
                    device.synchronize();
                    spin(r, "reduce", MS / 10);
                  });
              device.synchronize();
            });

    Finding finding = of(report, "explicit-sync").get(0);
    assertThat(finding.steps()).isEqualTo(STEPS);
    assertThat(finding.remedy())
        .contains("let the one that consumes wait for it: the same order, and the host goes on")
        .contains("Add that before the sync goes");
  }

  @Test
  void case_42_a_bound_on_how_far_the_host_runs_ahead_is_info_within_one_step_too() {
    Report report =
        report(
            1,
            platform -> {
              Device device = platform.device();
              Stream s = device.createStream("s0");
              try (Marks.Scope mark = Marks.step("step0")) {
                List<Event> events = new ArrayList<>();
                for (int layer = 0; layer < 8; layer++) {
                  if (layer >= 2) {
                    events.get(layer - 2).synchronize();
                  }
                  spin(s, "layer", MS / 2);
                  Event done = device.createEvent("layer");
                  s.record(done);
                  events.add(done);
                }
              }
              device.synchronize();
            });

    Finding finding = of(report, "rate-limiter").get(0);
    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.summary())
        .startsWith("A sync on an event some records back held the host")
        .endsWith("intended, keeps the host at most some steps ahead.");
    assertThat(warnings(report)).isEmpty();
  }

  @Test
  void case_44_small_read_backs_on_two_streams_hold_the_host_one_after_the_other() {
    Report report =
        report(
            1,
            platform -> {
              Device device = platform.device();
              Buffer value = device.allocate(DataType.INT32, 1);
              HostBuffer host = device.allocatePageable(DataType.INT32, 1);
              List<Stream> streams = List.of(device.createStream("a"), device.createStream("b"));
              steps(
                  step ->
                      streams.forEach(
                          stream -> {
                            spin(stream, "count", MS / 4);
                            stream.copy(host, value);
                          }));
              device.synchronize();
            });

    Finding finding = of(report, "pageable-copy").get(0);
    assertThat(finding.summary())
        .startsWith("6 copies of 4 bytes to host memory that is not pinned held the host");
    assertThat(finding.explanation()).contains("streams a and b");
  }

  @Test
  void case_46_a_free_in_the_loop_drains_all_streams() {
    Report report =
        report(
            1,
            platform -> {
              Device device = platform.device();
              Stream a = device.createStream("a");
              Stream b = device.createStream("b");
              steps(
                  step -> {
                    Buffer scratch = device.allocate(DataType.FLOAT32, 1 << 20);
                    spin(a, "left", MS / 2);
                    spin(b, "right", MS);
                    device.free(scratch);
                    spin(a, "next", MS / 10);
                  });
              device.synchronize();
            });

    Finding finding = of(report, "allocation-sync").get(0);
    assertThat(finding.steps()).isEqualTo(STEPS);
    assertThat(finding.summary())
        .startsWith("cudaFree held the host 3 times")
        .endsWith("it returned when the device had run dry.");
  }

  private static Report throughDefault(boolean blocking) {
    return report(
        1,
        platform -> {
          Device device = platform.device();
          Stream one =
              device.createStream(
                  blocking ? StreamOptions.blocking("s1") : StreamOptions.nonBlocking("s1"));
          Stream two =
              device.createStream(
                  blocking ? StreamOptions.blocking("s2") : StreamOptions.nonBlocking("s2"));
          steps(
              step -> {
                spin(one, "K1", MS / 2);
                spin(device.defaultStream(), "K2", MS / 4);
                spin(two, "K3", MS / 2);
              });
          device.synchronize();
        });
  }

  @Test
  void case_48_the_legacy_default_stream_serialises_blocking_streams_alone() {
    Finding finding = of(throughDefault(true), "legacy-default-stream").get(0);
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.idleNs()).isGreaterThan(STEPS * MS / 2);
    assertThat(finding.steps()).isEqualTo(STEPS);
    assertThat(finding.explanation()).contains("No event and no wait says so:");

    assertThat(of(throughDefault(false), "legacy-default-stream")).isEmpty();
  }

  @Test
  void many_small_kernels_and_polls_that_succeed_are_silent() {
    Report report =
        report(
            1,
            platform -> {
              Device device = platform.device();
              Stream s = device.createStream("s0");
              Event done = device.createEvent("done");
              for (int i = 0; i < 400; i++) {
                spin(s, "reduce", 1_000);
              }
              s.record(done);
              platform.host().work(10 * MS);
              assertThat(done.isDone()).isTrue();
              s.synchronize();
              device.synchronize();
            });

    assertThat(warnings(report)).isEmpty();
    assertThat(report.idleSyncs()).isNotEmpty();
  }
}
