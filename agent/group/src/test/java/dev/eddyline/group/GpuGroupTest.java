package dev.eddyline.group;

import static dev.eddyline.group.Jobs.MS;
import static dev.eddyline.group.Jobs.floats;
import static dev.eddyline.group.Jobs.read;
import static dev.eddyline.group.Jobs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.MarkLayout;
import dev.eddyline.marks.Marks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Two processes, each a rank, on one GPU; the ranks run the same tests in the same order. */
@Tag("gpu")
@Tag("group-ranks")
@Timeout(60)
@TestMethodOrder(MethodName.class)
class GpuGroupTest {
  private static final Kernel SPIN_ADD =
      Kernel.named("spin_add")
          .source(
              """
              extern "C" __global__ void spin_add(float *values, float by, long long nanos, int n) {
                long long start, now;
                asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
                do { asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); } while (now - start < nanos);
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] += by;
              }
              """)
          .build();

  private static GpuRank here;
  private static Device device;
  private static ProcessGroup world;

  private Stream compute;
  private Device.Scope scope;
  private String test = "";

  @BeforeAll
  static void join() {
    here = GpuRank.ofEnvironment();
    device = here.platform().device();
    device.load(SPIN_ADD);
    world = here.join("world");
  }

  @BeforeEach
  void useAStream(TestInfo info) {
    test = info.getDisplayName();
    compute = device.createStream("compute");
    scope = device.use(compute);
    here.meet("begin " + test);
  }

  @AfterEach
  void meetAgain() {
    here.meet("end " + test);
    scope.close();
  }

  private static void addSlowly(Stream on, Buffer values, float by, long nanos) {
    int count = (int) values.count();
    on.launch(SPIN_ADD, Grid.covering(count), values, by, nanos, count);
  }

  @Test
  void numbers_of_every_type_and_operation_equal_those_of_the_cpu() {
    Random random = new Random(GroupNumbersTest.SEED);
    int checked = 0;
    for (DataType type : DataType.values()) {
      for (ReduceOp op : ReduceOp.values()) {
        if (op != ReduceOp.AVG || Elements.isFloat(type)) {
          int count = 2 * (1 + random.nextInt(3000));
          List<byte[]> inputs = GroupNumbersTest.inputs(2, type, count, op, random);
          GroupNumbersTest.reductions(
              new GroupNumbersTest.Round(world, type, inputs), op, random.nextInt(2));
          checked += 4;
        }
      }
      int count = 2 * (1 + random.nextInt(3000));
      List<byte[]> inputs = GroupNumbersTest.inputs(2, type, count, ReduceOp.SUM, random);
      GroupNumbersTest.moves(new GroupNumbersTest.Round(world, type, inputs), random.nextInt(2));
      checked += 4;
    }
    here.say("%d collectives of all types and operations equal the CPU's", checked);
  }

  @Test
  void large_and_odd_shapes_are_exact_too() {
    Random random = new Random(GroupNumbersTest.SEED + 1);
    for (int i = 0; i < 4; i++) {
      int count = 2 * (1 + random.nextInt(1 << 20));
      List<byte[]> inputs = GroupNumbersTest.inputs(2, DataType.INT32, count, ReduceOp.SUM, random);
      GroupNumbersTest.Round round = new GroupNumbersTest.Round(world, DataType.INT32, inputs);
      GroupNumbersTest.reductions(round, ReduceOp.SUM, i % 2);
      GroupNumbersTest.moves(round, i % 2);
    }
  }

  @Test
  void sums_of_any_floats_lie_within_their_rounding() {
    Random random = new Random(GroupNumbersTest.SEED + 2);
    float[][] inputs = new float[2][10_000];
    for (float[] input : inputs) {
      for (int i = 0; i < input.length; i++) {
        input[i] = (float) random.nextGaussian();
      }
    }
    Buffer buffer = floats(device, inputs[here.rank()]);
    world.allReduce(buffer).waitOnStream();
    float[] sums = read(compute, buffer);
    for (int i = 0; i < sums.length; i++) {
      assertThat(sums[i]).isEqualTo(inputs[0][i] + inputs[1][i]);
    }
  }

  @Test
  void one_work_covers_all_of_a_block() {
    Buffer large = device.allocate(DataType.FLOAT32, 1 << 20);
    Buffer small = floats(device, 1, 2, 3);
    Buffer mine = floats(device, here.rank());
    Buffer other = floats(device, -1);
    compute.fill(large, 0);
    addSlowly(compute, large, 1 + here.rank(), 20 * MS);
    Work work =
        world.coalesce(
            block -> {
              block.allReduce(large);
              block.allReduce(small);
              block.send(mine, 1 - here.rank());
              block.receive(other, 1 - here.rank());
            });
    assertThat(work.isDone()).isFalse();
    work.waitOnStream();
    assertThat(read(compute, small)).containsExactly(2, 4, 6);
    assertThat(read(compute, other)).containsExactly(1 - here.rank());
    assertThat(read(compute, large)).containsOnly(3);
    assertThat(work.isDone()).isTrue();
    assertThat(world.coalesce(block -> {}).isDone()).isTrue();
  }

  @Test
  void the_stream_waits_for_a_late_rank_and_the_host_does_not() {
    Buffer buffer = floats(device, 1);
    world.allReduce(buffer).waitBlocking();
    here.meet("late");
    long start = System.nanoTime();
    if (here.rank() == 1) {
      here.platform().host().sleep(300 * MS);
    }
    Work work = world.allReduce(buffer);
    work.waitOnStream();
    addSlowly(compute, buffer, 10, MS);
    long called = System.nanoTime() - start;
    assertThat(read(compute, buffer)).containsExactly(14);
    long done = System.nanoTime() - start;
    if (here.rank() == 0) {
      here.say("the other comes 300 ms late: calls %d us, done %d us", called / 1000, done / 1000);
      assertThat(called).isLessThan(100 * MS);
      assertThat(done).isGreaterThan(250 * MS);
    }
  }

  @Test
  void what_the_first_collective_of_each_kind_holds_the_host_for() {
    ProcessGroup fresh = here.join("fresh");
    Buffer small = floats(device, 1, 1);
    Buffer half = floats(device, 1);
    Buffer large = device.allocate(DataType.FLOAT32, 1 << 22);
    firstCall("a small all-reduce", () -> fresh.allReduce(small));
    firstCall("a large all-reduce", () -> fresh.allReduce(large));
    firstCall("a reduce-scatter", () -> fresh.reduceScatter(small, half));
    firstCall("an all-to-all", () -> fresh.allToAll(small, large.slice(0, 2)));
    firstCall("a small all-reduce again", () -> fresh.allReduce(small));
    fresh.close();
  }

  private void firstCall(String what, java.util.function.Supplier<Work> call) {
    here.meet(what);
    if (here.rank() == 1) {
      here.platform().host().sleep(200 * MS);
    }
    long start = System.nanoTime();
    Work work = call.get();
    long took = System.nanoTime() - start;
    work.waitBlocking();
    if (here.rank() == 0) {
      here.say("first call of %s, the other 200 ms late: %d us", what, took / 1000);
    }
  }

  @Test
  void async_false_runs_in_the_order_of_the_current_stream() {
    Buffer buffer = floats(device, 0, 0);
    addSlowly(compute, buffer, 1 + here.rank(), 5 * MS);
    Work work = world.allReduce(buffer, CollectiveOptions.onCurrentStream());
    assertThat(work.isDone()).isTrue();
    addSlowly(compute, buffer, 10, MS);
    assertThat(read(compute, buffer)).containsExactly(13, 13);
  }

  @Test
  void another_stream_than_the_group_s_carries_it_out_when_asked() {
    Stream own = device.createStream("own");
    Buffer buffer = floats(device, 2);
    Work work = world.allReduce(buffer, CollectiveOptions.defaults().withStream(own));
    own.synchronize();
    assertThat(work.isDone()).isTrue();
    assertThat(read(compute, buffer)).containsExactly(4);
  }

  @Test
  void continuations_run_on_the_stream_that_they_state() {
    Stream divided = device.createStream("divided");
    Stream later = device.createStream("later");
    Buffer buffer = floats(device, 3);
    Work work = world.allReduce(buffer);
    WorkFuture<Buffer> inline =
        work.future()
            .then(
                divided,
                results -> {
                  addSlowly(device.currentStream(), results.get(0), 1, 5 * MS);
                  return results.get(0);
                });
    inline.waitOnStream(compute);
    assertThat(read(compute, buffer)).containsExactly(7);
    WorkFuture<Thread> whenDone =
        world
            .allReduce(buffer)
            .future()
            .thenWhenDone(
                later,
                results -> {
                  addSlowly(device.currentStream(), results.get(0), 1, MS);
                  return Thread.currentThread();
                });
    assertThat(whenDone.waitBlocking()).isNotEqualTo(Thread.currentThread());
    assertThat(read(compute, buffer)).containsExactly(15);
  }

  @Test
  void a_barrier_holds_the_host_until_all_came() {
    world.barrier();
    long start = System.nanoTime();
    if (here.rank() == 1) {
      here.platform().host().sleep(200 * MS);
    }
    world.barrier();
    if (here.rank() == 0) {
      assertThat(System.nanoTime() - start).isGreaterThan(150 * MS);
    }
  }

  @Test
  void every_launch_is_told_to_the_recorder() {
    List<ByteBuffer> records = new ArrayList<>();
    Buffer buffer = floats(device, 1, 2, 3, 4);
    Buffer all = floats(device, 0, 0, 0, 0, 0, 0, 0, 0);
    world.allReduce(buffer).waitBlocking();
    Marks.setSink(
        record -> {
          ByteBuffer copy = ByteBuffer.allocate(record.remaining()).order(record.order());
          records.add(copy.put(record.duplicate()).flip());
        });
    try {
      world.coalesce(
          block -> {
            block.allReduce(buffer);
            block.allGather(buffer, all);
          });
      world.allReduce(buffer);
      world.allReduce(buffer, CollectiveOptions.onCurrentStream());
    } finally {
      Marks.setSink(null);
    }
    compute.synchronize();
    world.stream().synchronize();
    assertThat(records.stream().map(MarkLayout::kind))
        .containsExactly(
            MarkLayout.COLLECTIVE,
            MarkLayout.COLLECTIVE,
            MarkLayout.LAUNCH_BEGIN,
            MarkLayout.LAUNCH_END,
            MarkLayout.COLLECTIVE,
            MarkLayout.LAUNCH_BEGIN,
            MarkLayout.LAUNCH_END,
            MarkLayout.COLLECTIVE,
            MarkLayout.LAUNCH_BEGIN,
            MarkLayout.LAUNCH_END);
  }

  @Test
  void zz_a_rank_that_is_late_is_named_and_both_go_on_in_another_world() {
    ProcessGroup group = here.join("late", GroupOptions.defaults().withTimeout(1_500 * MS));
    Buffer buffer = floats(device, 1);
    group.allReduce(buffer).waitBlocking();
    here.meet("late group");
    if (here.rank() == 0) {
      long start = System.nanoTime();
      Work work = group.allReduce(buffer);
      GroupException error = catchThrowableOfType(GroupException.class, () -> work.waitBlocking());
      long took = System.nanoTime() - start;
      here.say("a timeout of 1500 ms throws after %d ms: %s", took / MS, error.getMessage());
      assertThat(error.reason()).isEqualTo(Reason.TIMEOUT);
      assertThat(error.sequence()).isEqualTo(1);
      assertThat(error)
          .hasMessageContaining("all-reduce #1 (1 × f32) of group 'late', rank 0 of 2")
          .hasMessageContaining("Rank 1 gives no sign of waiting too: gone, or late");
      assertThat(took).isBetween(1_400 * MS, 4_000 * MS);
      assertThatThrownBy(work::waitOnStream).isInstanceOf(GroupException.class);
    }
    here.meet("after the timeout");
    long start = System.nanoTime();
    group.reconfigure("2", here.rank(), 2);
    write(compute, buffer, 5);
    group.allReduce(buffer).waitOnStream();
    assertThat(read(compute, buffer)).containsExactly(10);
    here.say("reconfigured, and the first sum, after %d ms", (System.nanoTime() - start) / MS);
    group.close();
  }

  @Test
  void zz_after_an_abort_a_work_fails_although_its_event_completes() {
    ProcessGroup group = here.join("abort");
    Buffer buffer = floats(device, 1);
    group.allReduce(buffer).waitBlocking();
    here.meet("abort group");
    if (here.rank() == 0) {
      Work work = group.allReduce(buffer);
      Event behind = device.createEvent("behind");
      group.stream().record(behind);
      here.platform().host().sleep(100 * MS);
      assertThat(behind.isDone()).isFalse();
      group.abort();
      group.stream().synchronize();
      assertThat(behind.isDone()).isTrue();
      assertThat(work.isDone()).isTrue();
      assertThat(work.error()).isNotNull();
      assertThatThrownBy(work::waitBlocking)
          .hasMessageStartingWith("all-reduce #1 (1 × f32) of group 'abort', rank 0 of 2")
          .hasMessageContaining("was aborted by abort() on this rank");
      assertThatThrownBy(() -> group.allReduce(buffer)).isInstanceOf(GroupException.class);
    } else {
      here.platform().host().sleep(300 * MS);
      group.abort();
    }
  }

  @Test
  void zz_a_collective_on_pageable_memory_is_refused_and_the_group_lives_on() {
    HostBuffer pageable = device.allocatePageable(DataType.FLOAT32, 1);
    assertThatThrownBy(() -> world.allReduce(pageable))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pageable");
    Buffer buffer = floats(device, 1);
    world.allReduce(buffer).waitOnStream();
    assertThat(read(compute, buffer)).containsExactly(2);
  }
}
