package dev.eddyline.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.Communicator.State;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Two processes, each a rank, both on the first GPU; started by agent/gpu-tests.sh. */
@Tag("gpu")
@Tag("ranks")
@Timeout(100)
@TestMethodOrder(OrderAnnotation.class)
class TwoRanksTest {
  private static final long MS = 1_000_000;
  private static final long LONG = 60_000 * MS;
  private static final FileStore STORE =
      new FileStore(Path.of(System.getProperty("eddyline.store", "")));
  private static final Platform PLATFORM =
      Cuda.open(CudaOptions.of(System.getenv(), STORE).withDevices(0));
  private static final int RANK = PLATFORM.rank();
  private static final Device DEVICE = PLATFORM.device();

  private final Stream stream = DEVICE.createStream("n");

  private static Communicator join(String name, CommunicatorOptions options) {
    byte[] id;
    if (RANK == 0) {
      id = PLATFORM.collectives().createId();
      STORE.set("id-" + name, id);
    } else {
      id = STORE.get("id-" + name, LONG);
    }
    return PLATFORM.collectives().join(name, id, 2, RANK, DEVICE, options);
  }

  private static void meet(String where) {
    STORE.set(where + RANK, new byte[] {1});
    STORE.get(where + (1 - RANK), LONG);
  }

  private static void put(HostBuffer host, int index, double value) {
    ByteBuffer memory = host.memory();
    switch (host.type()) {
      case INT8, UINT8 -> memory.put(index, (byte) value);
      case INT32, UINT32 -> memory.putInt(index * 4, (int) value);
      case INT64, UINT64 -> memory.putLong(index * 8, (long) value);
      case FLOAT32 -> memory.putFloat(index * 4, (float) value);
      case FLOAT64 -> memory.putDouble(index * 8, value);
      case BFLOAT16 ->
          memory.putShort(index * 2, (short) (Float.floatToRawIntBits((float) value) >>> 16));
      case FLOAT16 -> memory.putShort(index * 2, half((int) value));
    }
  }

  private static double get(HostBuffer host, int index) {
    ByteBuffer memory = host.memory();
    return switch (host.type()) {
      case INT8, UINT8 -> memory.get(index);
      case INT32, UINT32 -> memory.getInt(index * 4);
      case INT64, UINT64 -> memory.getLong(index * 8);
      case FLOAT32 -> memory.getFloat(index * 4);
      case FLOAT64 -> memory.getDouble(index * 8);
      case BFLOAT16 -> Float.intBitsToFloat(memory.getShort(index * 2) << 16);
      case FLOAT16 -> whole(memory.getShort(index * 2));
    };
  }

  /** Small whole numbers above 0 in half precision. */
  private static short half(int value) {
    int exponent = 31 - Integer.numberOfLeadingZeros(value);
    return (short) (exponent + 15 << 10 | (value << 10 - exponent & 0x3ff));
  }

  private static double whole(short bits) {
    return (1 + (bits & 0x3ff) / 1024.0) * Math.pow(2, (bits >> 10 & 31) - 15);
  }

  private static double reduced(ReduceOp op, double a, double b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case AVG -> (a + b) / 2;
    };
  }

  private static double value(int rank, int index) {
    return rank == 0 ? 2 + 2 * (index % 3) : 4 + 2 * (index % 2);
  }

  @Test
  @Order(1)
  void reductions_of_all_types_and_ops_are_exact() {
    Communicator world = join("numbers", CommunicatorOptions.defaults());
    int count = 6;
    for (DataType type : DataType.values()) {
      HostBuffer host = DEVICE.allocatePinned(type, count);
      Buffer send = DEVICE.allocate(type, count);
      Buffer receive = DEVICE.allocate(type, count);
      for (ReduceOp op : ReduceOp.values()) {
        for (int i = 0; i < count; i++) {
          put(host, i, value(RANK, i));
        }
        stream.copy(send, host);
        world.allReduce(send, receive, op, stream);
        stream.copy(host, receive);
        stream.synchronize();
        for (int i = 0; i < count; i++) {
          assertThat(get(host, i))
              .as("all-reduce " + op + " " + type + " " + i)
              .isEqualTo(reduced(op, value(0, i), value(1, i)));
        }
        world.reduceScatter(send, receive.slice(0, count / 2), op, stream);
        stream.copy(host, receive);
        stream.synchronize();
        for (int i = 0; i < count / 2; i++) {
          int at = RANK * count / 2 + i;
          assertThat(get(host, i))
              .as("reduce-scatter " + op + " " + type + " " + i)
              .isEqualTo(reduced(op, value(0, at), value(1, at)));
        }
      }
    }
    world.close();
  }

  @Test
  @Order(2)
  void moves_are_exact() {
    Communicator world = join("moves", CommunicatorOptions.defaults());
    Buffer mine = Gpu.floats(PLATFORM, stream, 10 * RANK + 1, 10 * RANK + 2);
    Buffer four = Gpu.floats(PLATFORM, stream, 0, 0, 0, 0);
    Buffer two = Gpu.floats(PLATFORM, stream, 0, 0);

    world.allGather(mine, four, stream);
    assertThat(Gpu.read(PLATFORM, stream, four)).containsExactly(1, 2, 11, 12);
    world.broadcast(mine, two, 1, stream);
    assertThat(Gpu.read(PLATFORM, stream, two)).containsExactly(11, 12);
    world.allToAll(mine, two, stream);
    assertThat(Gpu.read(PLATFORM, stream, two)).containsExactly(RANK + 1, RANK + 11);
    world.reduce(mine, two, ReduceOp.SUM, 0, stream);
    if (RANK == 0) {
      assertThat(Gpu.read(PLATFORM, stream, two)).containsExactly(12, 14);
    }
    PLATFORM.collectives().groupStart();
    world.send(mine, 1 - RANK, stream);
    world.receive(two, 1 - RANK, stream);
    PLATFORM.collectives().groupEnd();
    assertThat(Gpu.read(PLATFORM, stream, two)).containsExactly(11 - 10 * RANK, 12 - 10 * RANK);
    world.close();
  }

  @Test
  @Order(3)
  void an_event_recorded_inside_a_group_is_early_and_one_after_it_is_not() {
    Communicator world = join("early", CommunicatorOptions.asynchronous());
    Buffer large = DEVICE.allocate(DataType.FLOAT32, 1 << 22);
    world.allReduce(large, large, ReduceOp.SUM, stream);
    await(world);
    stream.synchronize();
    Event inside = DEVICE.createEvent("inside");
    Event after = DEVICE.createEvent("after");
    meet("early");
    PLATFORM.collectives().groupStart();
    world.allReduce(large, large, ReduceOp.SUM, stream);
    stream.record(inside);
    PLATFORM.collectives().groupEnd();
    int polls = await(world);
    stream.record(after);
    inside.synchronize();
    boolean done = after.isDone();
    after.synchronize();
    Gpu.say("rank " + RANK + ": polls until the group was launched: " + polls);
    assertThat(done).isFalse();
    world.close();
  }

  private static int await(Communicator world) {
    int polls = 0;
    while (world.state() == State.IN_PROGRESS) {
      polls++;
      Thread.onSpinWait();
    }
    assertThat(world.state()).isEqualTo(State.READY);
    return polls;
  }

  @Test
  @Order(4)
  void nobody_is_done_before_the_last_has_come() {
    Communicator world = join("late", CommunicatorOptions.defaults());
    Buffer one = Gpu.floats(PLATFORM, stream, 1);
    world.allReduce(one, one, ReduceOp.SUM, stream);
    stream.synchronize();
    meet("late");
    long start = System.nanoTime();
    if (RANK == 1) {
      PLATFORM.host().sleep(200 * MS);
    }
    world.allReduce(one, one, ReduceOp.SUM, stream);
    long called = System.nanoTime() - start;
    stream.synchronize();
    long done = System.nanoTime() - start;
    if (RANK == 0) {
      Gpu.say(
          "the other rank comes 200 ms late: call "
              + called / 1000
              + " us, done after "
              + done / 1000
              + " us");
      assertThat(called).isLessThan(50 * MS);
      assertThat(done).isGreaterThan(150 * MS);
    }
    assertThat(Gpu.read(PLATFORM, stream, one)).containsExactly(4);
    world.close();
  }

  @Test
  @Order(5)
  void calls_cost_little_more_than_nccl_s_own() {
    Communicator world = join("cost", CommunicatorOptions.asynchronous());
    ncclComm blocking = rawCommunicator("raw", true);
    ncclComm nonBlocking = rawCommunicator("raw-non-blocking", false);
    Buffer one = Gpu.floats(PLATFORM, stream, 1);
    Pointer memory = CudaBuffer.of(one).raw();
    CUstream_st on = CudaStream.of(stream).pointer();
    double[][] micros = new double[3][7];
    for (int round = -1; round < micros[0].length; round++) {
      int at = Math.max(round, 0);
      meet("cost-a" + round);
      micros[0][at] = micros(() -> nccl.ncclAllReduce(memory, memory, 1, 7, 0, blocking, on));
      meet("cost-b" + round);
      micros[1][at] =
          micros(
              () -> {
                nccl.ncclAllReduce(memory, memory, 1, 7, 0, nonBlocking, on);
                awaitRaw(nonBlocking);
              });
      meet("cost-c" + round);
      micros[2][at] =
          micros(
              () -> {
                world.allReduce(one, one, ReduceOp.SUM, stream);
                while (world.state() == State.IN_PROGRESS) {
                  Thread.onSpinWait();
                }
              });
    }
    say("us per all-reduce of 4 B, 7 rounds of 100, raw blocking", micros[0]);
    say("us per all-reduce of 4 B, raw non-blocking until launched", micros[1]);
    say("us per all-reduce of 4 B, this device until launched", micros[2]);
    world.close();
  }

  private static void say(String what, double[] micros) {
    Gpu.say("rank " + RANK + ": " + what + ": " + CudaDeviceTest.spread(micros));
  }

  private static void awaitRaw(ncclComm communicator) {
    int[] state = {NcclFaults.IN_PROGRESS};
    while (state[0] == NcclFaults.IN_PROGRESS) {
      nccl.ncclCommGetAsyncError(communicator, state);
    }
    NcclFaults.check(state[0], "ncclCommGetAsyncError");
  }

  private static ncclComm rawCommunicator(String name, boolean blocking) {
    byte[] id;
    if (RANK == 0) {
      id = PLATFORM.collectives().createId();
      STORE.set("id-" + name, id);
    } else {
      id = STORE.get("id-" + name, LONG);
    }
    ncclComm made = new ncclComm();
    try (ncclUniqueId unique = new ncclUniqueId();
        ncclConfig_t config = CudaCollectives.config()) {
      unique.internal().put(id);
      config.blocking(blocking ? 1 : 0);
      NcclFaults.check(
          nccl.ncclCommInitRankConfig(made, 2, unique, RANK, config), "ncclCommInitRankConfig");
    }
    awaitRaw(made);
    return made;
  }

  /** Host time of a call, with few calls waiting so that none waits for the other rank. */
  private double micros(Runnable call) {
    long nanos = 0;
    for (int batch = 0; batch < 10; batch++) {
      long start = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        call.run();
      }
      nanos += System.nanoTime() - start;
      stream.synchronize();
    }
    return nanos / 1e3 / 100;
  }

  @Test
  @Order(6)
  void memory_that_is_collected_as_garbage_does_not_disturb_collectives() {
    Communicator world = join("garbage", CommunicatorOptions.defaults());
    Buffer one = Gpu.floats(PLATFORM, stream, 1);
    for (int i = 0; i < 100; i++) {
      DEVICE.allocatePageable(DataType.INT8, 1 << 16);
      world.broadcast(one, one, i % 2, stream);
      if (i % 20 == 0) {
        System.gc();
      }
    }
    stream.synchronize();
    assertThat(Gpu.read(PLATFORM, stream, one)).containsExactly(1);
    world.close();
  }

  @Test
  @Order(7)
  void an_abort_from_another_thread_lets_the_stream_go_on() {
    Communicator world = join("abort", CommunicatorOptions.defaults());
    Buffer one = Gpu.floats(PLATFORM, stream, 1);
    world.allReduce(one, one, ReduceOp.SUM, stream);
    stream.synchronize();
    meet("abort");
    if (RANK == 0) {
      world.allReduce(one, one, ReduceOp.SUM, stream);
      PLATFORM.host().sleep(100 * MS);
      assertThat(stream.isDone()).isFalse();
      long start = System.nanoTime();
      PLATFORM.host().start("watchdog", world::abort).join();
      stream.synchronize();
      Gpu.say(
          "abort with a collective on the device: " + (System.nanoTime() - start) / 1000 + " us");
      assertThat(world.state()).isEqualTo(State.FAILED);
      assertThatThrownBy(() -> world.allReduce(one, one, ReduceOp.SUM, stream))
          .hasMessageContaining("'abort' was aborted on rank 0");
    } else {
      PLATFORM.host().sleep(200 * MS);
      world.abort();
    }
    meet("aborted");
  }

  @Test
  @Order(8)
  void joining_names_the_ranks_that_did_not_come() {
    if (RANK == 0) {
      byte[] id = PLATFORM.collectives().createId();
      assertThatThrownBy(
              () ->
                  PLATFORM
                      .collectives()
                      .join("alone", id, 2, 0, DEVICE, new CommunicatorOptions(true, 500 * MS)))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("waited 500 ms for communicator 'alone'")
          .hasMessageContaining("the ranks [1] did not come");
    }
    meet("joined");
  }

  @Test
  @Order(9)
  void a_rank_that_dies_is_noticed() {
    Communicator world = join("death", CommunicatorOptions.defaults());
    Buffer one = Gpu.floats(PLATFORM, stream, 1);
    world.allReduce(one, one, ReduceOp.SUM, stream);
    stream.synchronize();
    meet("death");
    if (RANK == 1) {
      Gpu.say("rank 1 dies now, on purpose");
      Runtime.getRuntime().halt(77);
    }
    PLATFORM.host().sleep(300 * MS);
    long start = System.nanoTime();
    String seen = "nothing";
    try {
      world.allReduce(one, one, ReduceOp.SUM, stream);
      while (world.state() != State.FAILED && System.nanoTime() - start < 5_000 * MS) {
        PLATFORM.host().sleep(MS);
      }
      seen = String.valueOf(world.error());
    } catch (DeviceException e) {
      seen = e.getMessage();
    }
    Gpu.say("a dead rank after " + (System.nanoTime() - start) / 1000 + " us: " + seen);
    world.abort();
    stream.synchronize();
    assertThat(world.state()).isEqualTo(State.FAILED);
  }
}
