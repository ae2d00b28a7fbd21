package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Cases.findings;
import static dev.eddyline.device.sim.Cases.lines;
import static dev.eddyline.device.sim.Cases.memory;
import static dev.eddyline.device.sim.Cases.plain;
import static dev.eddyline.device.sim.Cases.read;
import static dev.eddyline.device.sim.Cases.write;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the rules about order keep silent about, group, or only guess. */
class OrderingRulesTest {
  private static final SimOptions TWO = SimOptions.defaults().withRanks(2);

  @Test
  void a_wait_recorded_before_the_work_says_that_it_covers_too_little() {
    List<Finding> found =
        findings(
            platform -> {
              Stream a = platform.device().createStream("A");
              Stream b = platform.device().createStream("B");
              Buffer x = memory(platform);
              Event event = platform.device().createEvent("e");
              write(a, "before", memory(platform));
              a.record(event);
              write(a, "producer", x);
              b.waitFor(event);
              read(b, "consumer", x);
            });

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "unordered-access error certain: The kernel consumer on stream B reads 256 KiB, which"
                + " the kernel producer on stream A writes: stream B does wait for an event of"
                + " stream A, but that was recorded before the kernel producer was enqueued and"
                + " does not cover it (read-after-write).");
    assertThat(plain(found.get(0).explanation()))
        .startsWith(
            "The last point that stream B comes after on stream A is the end of the kernel before,"
                + " right before.");
  }

  @Test
  void many_pairs_that_one_edge_would_order_are_one_finding_and_each_step_an_occurrence() {
    List<Finding> found =
        findings(
            platform -> {
              Stream a = platform.device().createStream("A");
              Stream b = platform.device().createStream("B");
              Buffer x = memory(platform);
              Buffer y = memory(platform);
              for (int step = 0; step < 3; step++) {
                write(a, "producer", x, y);
                read(b, "consumer", x);
                read(b, "other", y);
                read(b, "other", x);
                platform.device().synchronize();
              }
            });

    assertThat(found).hasSize(1);
    assertThat(found.get(0).occurrences()).hasSize(3);
  }

  @Test
  void disjoint_parts_of_one_buffer_and_reads_of_the_same_are_no_conflict() {
    assertThat(
            lines(
                platform -> {
                  Stream a = platform.device().createStream("A");
                  Stream b = platform.device().createStream("B");
                  Buffer whole = memory(platform);
                  Buffer weights = memory(platform);
                  write(a, "left", whole.slice(0, Cases.MANY / 2));
                  write(b, "right", whole.slice(Cases.MANY / 2, Cases.MANY / 2));
                  read(a, "ra", weights);
                  read(b, "rb", weights);
                }))
        .isEmpty();
  }

  private static void twoBuckets(Platform platform) {
    Communicator world = world(platform);
    Device device = platform.device();
    Stream compute = device.createStream("compute");
    Stream nccl = device.createStream("nccl");
    Buffer[] buckets = {memory(platform), memory(platform)};
    Event[] works = {device.createEvent("w0"), device.createEvent("w1")};
    for (int i = 0; i < 2; i++) {
      write(compute, "backward", buckets[i]);
      compute.launch(
          Kernel.named("divide").takes(20_000).reads(0).writes(0).build(),
          Programs.SMALL,
          buckets[i]);
      nccl.waitFor(compute);
      world.allReduce(buckets[i], buckets[i], ReduceOp.SUM, nccl);
      nccl.record(works[i]);
    }
    for (int i = 0; i < 2; i++) {
      compute.waitFor(works[i]);
    }
    read(compute, "optimizer", buckets);
    device.synchronize();
  }

  @Test
  void ddp_with_two_equal_buckets_each_divided_before_its_own_all_reduce_is_silent() {
    assertThat(lines(TWO, OrderingRulesTest::twoBuckets)).isEmpty();
  }

  @Test
  void streams_of_one_collective_group_are_ordered_by_it() {
    assertThat(
            lines(
                TWO.withNcclInternal(false),
                platform -> {
                  Communicator world = world(platform);
                  Stream a = platform.device().createStream("A");
                  Stream b = platform.device().createStream("B");
                  Buffer x = memory(platform);
                  Buffer y = memory(platform);
                  write(a, "make_x", x);
                  write(b, "make_y", y);
                  platform.collectives().groupStart();
                  world.allReduce(x, x, ReduceOp.SUM, a);
                  world.allReduce(y, y, ReduceOp.SUM, b);
                  platform.collectives().groupEnd();
                  read(b, "use_x", x);
                  read(a, "use_y", y);
                  platform.device().synchronize();
                }))
        .isEmpty();
  }

  private static void undeclared(Platform platform, boolean declared) {
    Device device = platform.device();
    Stream a = device.createStream("A");
    Stream b = device.createStream("B");
    Buffer whole = memory(platform);
    long half = whole.bytes() / 2;
    Kernel kernel = Kernel.named("anything").takes(100_000).build();
    if (declared) {
      Marks.access(Marks.WRITE, whole.address(), half);
    }
    a.launch(kernel, Programs.SMALL, whole);
    if (declared) {
      Marks.access(Marks.WRITE, whole.address() + half, half);
    }
    b.launch(kernel, Programs.SMALL, whole);
  }

  @Test
  void a_guess_from_launch_arguments_is_no_error_and_gives_way_to_what_is_declared() {
    List<Finding> found = findings(platform -> undeclared(platform, false));

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "unordered-access warning likely: The kernel anything on stream B uses 256 KiB, which"
                + " the kernel anything on stream A writes: no path leads from stream A to stream B"
                + " after it (read-after-write).");
    assertThat(found.get(0).guessed())
        .containsExactly(
            "which part of the block is used, and whether it is written: the arguments of a launch"
                + " tell neither");
    assertThat(lines(platform -> undeclared(platform, true))).isEmpty();
  }
}
