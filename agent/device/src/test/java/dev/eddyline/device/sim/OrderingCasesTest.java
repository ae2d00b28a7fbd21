package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Cases.convert;
import static dev.eddyline.device.sim.Cases.findings;
import static dev.eddyline.device.sim.Cases.lines;
import static dev.eddyline.device.sim.Cases.memory;
import static dev.eddyline.device.sim.Cases.read;
import static dev.eddyline.device.sim.Cases.write;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import dev.eddyline.marks.Marks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases 5 to 23 of real faults: waits that are missing, empty or wrong, and unordered buffers. */
class OrderingCasesTest {
  private static final SimOptions TWO = SimOptions.defaults().withRanks(2);

  private static HostBuffer pinned(Platform platform) {
    return platform.device().allocatePinned(DataType.FLOAT32, Cases.MANY);
  }

  @Test
  void case_5_a_stream_waits_for_the_default_stream_but_the_gradient_was_made_elsewhere() {
    List<Finding> found =
        findings(
            platform -> {
              Device device = platform.device();
              Stream s0 = device.createStream("S0");
              Stream s1 = device.createStream("S1");
              Stream r = device.createStream("R");
              Buffer gradient = memory(platform);
              Buffer bucket = memory(platform);
              write(s1, "bwd", gradient);
              r.waitFor(s0);
              r.copy(bucket, gradient);
              read(r, "reduce_scatter", bucket);
            });

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "wrong-stream-wait error certain: Stream R waits for stream S0 before a copy (Memcpy"
                + " DtoD (Device -> Device)), but 256 KiB, which that op reads, was last used on"
                + " stream S1, by the kernel bwd: the wait does not cover stream S1"
                + " (read-after-write).");
    assertThat(found.get(0).remedy())
        .isEqualTo(
            "Record an event on stream S1 right after the kernel bwd, and let stream R wait for it"
                + " before a copy (Memcpy DtoD (Device -> Device)).");
  }

  @Test
  void case_7_one_event_recorded_on_many_streams_before_one_wait() {
    assertThat(
            lines(
                platform -> {
                  Device device = platform.device();
                  Buffer[] parts = {memory(platform), memory(platform), memory(platform)};
                  Event event = device.createEvent("e");
                  for (int i = 0; i < 3; i++) {
                    Stream stream = device.createStream("S" + (i + 1));
                    write(stream, "part" + (i + 1), parts[i]);
                    stream.record(event);
                  }
                  Stream s0 = device.createStream("S0");
                  s0.waitFor(event);
                  read(s0, "sum", parts);
                }))
        .containsExactly(
            "overwritten-event error certain: The records of an event on stream S1 and stream S2"
                + " were overwritten before any wait: the wait of stream S0 covers stream S3 only,"
                + " and the kernel sum uses the results of the kernel part1 and the kernel part2"
                + " unordered.");
  }

  /** An allocator that waits for events of free lists, one of which was never recorded. */
  private static void stealsFromMergedList(Platform platform, boolean recorded) {
    Device device = platform.device();
    Stream s1 = device.createStream("S1");
    Stream s2 = device.createStream("S2");
    Stream s3 = device.createStream("S3");
    Event e1 = device.createEvent("e1");
    Event e2 = device.createEvent("e2");
    Buffer block = memory(platform);
    Marks.allocated(0, s1.handle(), Marks.DEVICE, block.address(), block.bytes(), "");
    write(s1, "first", block);
    Marks.freed(0, s1.handle(), block.address());
    s1.record(e1);
    s2.waitFor(e1);
    if (recorded) {
      s2.record(e2);
    }
    s3.waitFor(e2);
    Marks.allocated(0, s3.handle(), Marks.DEVICE, block.address(), block.bytes(), "");
    write(s3, "second", block);
  }

  @Test
  void case_9_a_wait_for_an_event_that_was_never_recorded() {
    assertThat(lines(platform -> stealsFromMergedList(platform, false)))
        .containsExactly(
            "empty-wait error certain: The wait of stream S3 before the kernel second waits for"
                + " nothing: the event was never recorded. The kernel second overwrites 256 KiB"
                + " while the kernel first on stream S1 may still be pending.");
    assertThat(lines(platform -> stealsFromMergedList(platform, true))).isEmpty();
  }

  @Test
  void a_wait_for_nothing_is_told_of_without_any_reader_unless_the_event_is_recorded_later() {
    assertThat(
            lines(
                platform -> {
                  Stream s = platform.device().createStream("S");
                  s.waitFor(platform.device().createEvent("e"));
                  Programs.spin(s, "K", 1000);
                }))
        .containsExactly(
            "empty-wait warning certain: 1 wait of stream S waits for nothing: the event was never"
                + " recorded.");
    assertThat(
            lines(
                platform -> {
                  Stream s = platform.device().createStream("S");
                  Stream t = platform.device().createStream("T");
                  Event done = platform.device().createEvent("e");
                  for (int round = 0; round < 3; round++) {
                    s.waitFor(done);
                    Programs.spin(s, "K", 1000);
                    t.waitFor(s);
                    t.record(done);
                  }
                }))
        .isEmpty();
  }

  @Test
  void case_11_a_stream_captured_in_a_closure_is_not_the_one_that_the_event_covers() {
    assertThat(
            lines(
                platform -> {
                  Device device = platform.device();
                  Stream s0 = device.createStream("S0");
                  Stream w = device.createStream("W");
                  Stream r = device.createStream("R");
                  Buffer input = memory(platform);
                  Buffer other = memory(platform);
                  Buffer wgrad = memory(platform);
                  Event event = device.createEvent("e");
                  write(w, "prepare", other);
                  convert(s0, "gemm", input, wgrad);
                  w.record(event);
                  r.waitFor(event);
                  read(r, "reduce", wgrad);
                }))
        .containsExactly(
            "wrong-stream-wait error certain: Stream R waits for stream W before the kernel reduce,"
                + " but 256 KiB, which that op reads, was last used on stream S0, by the kernel"
                + " gemm: the wait does not cover stream S0 (read-after-write).");
  }

  private static void doubleBuffer(Platform platform, boolean waits) {
    Communicator world = world(platform);
    Device device = platform.device();
    Stream s0 = device.createStream("S0");
    Stream r = device.createStream("R");
    Buffer[] buckets = {memory(platform), memory(platform)};
    Event[] reduced = {device.createEvent("r0"), device.createEvent("r1")};
    for (int i = 0; i < 3; i++) {
      Buffer bucket = buckets[i % 2];
      if (waits) {
        s0.waitFor(reduced[i % 2]);
      }
      write(s0, "grad", bucket);
      r.waitFor(s0);
      world.allReduce(bucket, bucket, ReduceOp.SUM, r);
      r.record(reduced[i % 2]);
    }
    device.synchronize();
  }

  @Test
  void case_14_a_double_buffer_is_overwritten_while_it_is_reduced() {
    List<Finding> found = findings(TWO, platform -> doubleBuffer(platform, false));

    assertThat(found).hasSize(1);
    assertThat(Cases.line(found.get(0)))
        .isEqualTo(
            "unordered-access error certain: The kernel grad on stream S0 overwrites 256 KiB, which"
                + " all-reduce #0 of world on stream R writes: no path leads from stream R to"
                + " stream S0 after it (write-after-write). Twice in this trace; the first time is"
                + " told.");
    assertThat(found.get(0).explanation())
        .startsWith("Stream S0 comes after nothing of stream R up to there.");
    assertThat(found.get(0).occurrences())
        .extracting(o -> o.rank())
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void cases_14_and_15_a_double_buffer_that_waits_for_its_all_reduce_is_silent() {
    assertThat(lines(TWO, platform -> doubleBuffer(platform, true))).isEmpty();
  }

  @Test
  void case_16_a_cast_and_an_engine_on_a_private_stream() {
    List<Finding> found =
        findings(
            platform -> {
              Stream s0 = platform.device().createStream("S0");
              Stream t = platform.device().createStream("T");
              Buffer from = memory(platform);
              Buffer to = memory(platform);
              convert(s0, "cast", from, to);
              read(t, "engine", to);
              t.synchronize();
            });

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "unordered-access error certain: The kernel engine on stream T reads 256 KiB, which the"
                + " kernel cast on stream S0 writes: no path leads from stream S0 to stream T after"
                + " it (read-after-write).");
    assertThat(found.get(0).explanation())
        .isEqualTo(
            "Stream T comes after nothing of stream S0 up to there. In this run the two overlapped."
                + " The sync of stream T right afterwards protects only what it computes, not what"
                + " it reads.");
  }

  @Test
  void case_18_a_copy_is_not_ordered_after_the_producer_or_before_the_consumer() {
    assertThat(
            lines(
                platform -> {
                  Stream s0 = platform.device().createStream("S0");
                  Stream c = platform.device().createStream("C");
                  Buffer result = memory(platform);
                  write(s0, "fusion", result);
                  c.copy(pinned(platform), result);
                  platform.device().synchronize();
                }))
        .containsExactly(
            "unordered-access error certain: A copy (Memcpy DtoH (Device -> Pinned)) on stream C"
                + " reads 256 KiB, which the kernel fusion on stream S0 writes: no path leads from"
                + " stream S0 to stream C after it (read-after-write).");
    assertThat(
            lines(
                SimOptions.defaults().withDevicesPerRank(2),
                platform -> {
                  Device peer = platform.devices().get(1);
                  Stream c = platform.device().createStream("C");
                  Stream s0 = peer.createStream("peer S0");
                  Buffer target = peer.allocate(DataType.FLOAT32, Cases.MANY);
                  c.copy(target, memory(platform));
                  read(s0, "consumer", target);
                  platform.device().synchronize();
                  peer.synchronize();
                }))
        .containsExactly(
            "unordered-access error certain: The kernel consumer on stream peer S0 reads 256 KiB,"
                + " which a copy (Memcpy DtoD (Device -> Device)) on stream C writes: no path leads"
                + " from stream C to stream peer S0 after it (read-after-write).");
  }

  private static void reduceAndReadBack(Platform platform, boolean right) {
    Communicator world = world(platform);
    Stream n = platform.device().createStream("N");
    Stream s0 = platform.device().createStream("S0");
    Buffer gradient = memory(platform);
    world.allReduce(gradient, gradient, ReduceOp.SUM, n);
    (right ? n : s0).synchronize();
    s0.copy(pinned(platform), gradient);
    platform.device().synchronize();
  }

  @Test
  void case_20_the_host_synchronises_the_wrong_stream() {
    List<String> found = lines(TWO, platform -> reduceAndReadBack(platform, false));
    assertThat(found)
        .containsExactly(
            "wrong-stream-wait error certain: The host waited for stream S0 before a copy (Memcpy"
                + " DtoH (Device -> Pinned)), but 256 KiB, which that op reads, was last used on"
                + " stream N, by all-reduce #0 of world: the sync does not cover stream N"
                + " (read-after-write). Twice in this trace; the first time is told.");
    assertThat(lines(TWO, platform -> reduceAndReadBack(platform, true))).isEmpty();
  }

  private static void copyOnTheLegacyStream(Platform platform, StreamOptions options) {
    Stream s1 = platform.device().createStream(options);
    Buffer result = memory(platform);
    write(s1, "producer", result);
    HostBuffer host = pinned(platform);
    platform.device().copy(host, result);
    host.getFloats();
  }

  @Test
  void case_21_a_copy_on_the_legacy_stream_does_not_order_non_blocking_streams() {
    List<Finding> found =
        findings(platform -> copyOnTheLegacyStream(platform, StreamOptions.nonBlocking("S1")));
    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "unordered-access error certain: A copy (Memcpy DtoH (Device -> Pinned)) on the legacy"
                + " default stream 7 reads 256 KiB, which the kernel producer on stream S1 writes:"
                + " no path leads from stream S1 to the legacy default stream 7 after it"
                + " (read-after-write).");
    assertThat(found.get(0).explanation())
        .endsWith(
            "Stream S1 is non-blocking: the rules of the legacy default stream do not apply to"
                + " it.");
    assertThat(
            lines(
                platform -> {
                  Stream t = platform.device().createStream("T");
                  Buffer keys = memory(platform);
                  write(platform.device().defaultStream(), "fill_keys", keys);
                  read(t, "sort", keys);
                }))
        .containsExactly(
            "unordered-access error certain: The kernel sort on stream T reads 256 KiB, which the"
                + " kernel fill_keys on the legacy default stream 7 writes: no path leads from the"
                + " legacy default stream 7 to stream T after it (read-after-write).");
  }

  @Test
  void case_21_a_blocking_stream_is_ordered_by_the_legacy_stream_and_silent() {
    assertThat(lines(platform -> copyOnTheLegacyStream(platform, StreamOptions.blocking("S1"))))
        .isEmpty();
  }

  @Test
  void case_23_one_argument_buffer_for_launches_on_two_streams() {
    assertThat(
            lines(
                platform -> {
                  Stream a = platform.device().createStream("A");
                  Stream b = platform.device().createStream("B");
                  Buffer arguments = memory(platform);
                  a.copy(arguments, pinned(platform));
                  read(a, "kernel_a", arguments);
                  b.copy(arguments, pinned(platform));
                  read(b, "kernel_b", arguments);
                }))
        .containsExactly(
            "unordered-access error certain: A copy (Memcpy HtoD (Pinned -> Device)) on stream B"
                + " overwrites 256 KiB, which the kernel kernel_a on stream A reads: no path leads"
                + " from stream A to stream B after it (write-after-read).");
  }
}
