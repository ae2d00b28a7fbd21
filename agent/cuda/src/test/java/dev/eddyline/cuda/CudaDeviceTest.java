package dev.eddyline.cuda;

import static dev.eddyline.cuda.Gpu.floats;
import static dev.eddyline.cuda.Gpu.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.CachingAllocator;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class CudaDeviceTest {
  private static final long MS = 1_000_000;
  private static final Grid ONE = Grid.of(1, 1);

  private final Platform platform = Cuda.open();
  private final Device device = platform.device();
  private final Stream stream = device.createStream("test");

  @Test
  void versions_and_names_are_told() {
    Gpu.say(
        "device: "
            + platform.devices().size()
            + " x "
            + device.name()
            + ", "
            + device.multiprocessors()
            + " multiprocessors, "
            + device.memoryBytes()
            + " bytes; driver and runtime "
            + Cuda.versions()
            + "; NCCL "
            + Cuda.ncclVersion());
    assertThat(device.multiprocessors()).isPositive();
    assertThat(device.freeBytes()).isBetween(1L, device.memoryBytes());
  }

  @Test
  void kernels_compute() {
    Buffer values = floats(platform, stream, 1, 2, 3);

    stream.launch(Gpu.ADD, Grid.covering(3), values, 10f, 3);
    stream.launch(Gpu.ADD, Grid.covering(2), values.slice(1, 2), 0.5f, 2);

    assertThat(read(platform, stream, values)).containsExactly(11, 12.5f, 13.5f);
  }

  @Test
  void a_kernel_that_does_not_compile_says_where() {
    Kernel broken =
        Kernel.named("broken")
            .source("extern \"C\" __global__ void broken(int *x) { *x = nothing; }")
            .build();

    assertThatThrownBy(() -> stream.launch(broken, ONE))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("kernel 'broken'")
        .hasMessageContaining("broken.cu(1): error")
        .hasMessageContaining("nothing");
  }

  @Test
  void copies_and_fills_move_bytes() {
    HostBuffer pinned = device.allocatePinned(DataType.FLOAT32, 4);
    assertThat(pinned.getFloats()).containsExactly(0, 0, 0, 0);
    pinned.putFloats(1, 2, 3, 4);
    Buffer a = device.allocate(DataType.FLOAT32, 4);
    Buffer b = device.allocate(DataType.FLOAT32, 4);

    stream.copy(a, pinned);
    stream.copy(b, a);
    stream.fill(b.slice(0, 1), 0);
    stream.copy(pinned, b);
    stream.synchronize();
    assertThat(pinned.getFloats()).containsExactly(0, 2, 3, 4);

    device.copy(b, a);
    device.fill(a, 0);
    HostBuffer pageable = device.allocatePageable(DataType.FLOAT32, 4);
    device.copy(pageable, b);
    assertThat(pageable.getFloats()).containsExactly(1, 2, 3, 4);
    device.copy(pageable, a);
    assertThat(pageable.getFloats()).containsExactly(0, 0, 0, 0);
    device.free(a);
    device.free(pinned);
    assertThatThrownBy(() -> stream.fill(a, 1)).hasMessageContaining("was freed before");
    assertThatThrownBy(() -> stream.fill(pageable, 1)).hasMessageContaining("not pageable");
  }

  @Test
  void more_host_functions_than_javacpp_has_callbacks_run_in_order() {
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 200; i++) {
      int number = i;
      stream.hostFunction("append", () -> seen.add(number));
    }
    stream.synchronize();

    assertThat(seen).hasSize(200).isSorted();
  }

  @Test
  void a_host_function_that_throws_makes_later_calls_say_so() {
    Platform own = Cuda.open();
    Stream on = own.device().createStream("broken");
    on.hostFunction("breaks", () -> own.device().synchronize());

    assertThatThrownBy(on::synchronize)
        .hasMessageContaining("'breaks' failed on device 0")
        .hasMessageContaining("must not call the device");
    assertThatThrownBy(() -> own.device().allocate(DataType.INT8, 1))
        .extracting(e -> ((DeviceException) e).reason())
        .isEqualTo(Reason.LAUNCH_FAILED);
  }

  @Test
  void events_measure_and_queries_tell() {
    Event begin = device.createEvent("begin");
    Event end = device.createEvent("end");
    assertThat(end.isDone()).isTrue();
    stream.launch(Gpu.EMPTY, ONE);
    stream.synchronize();
    stream.record(begin);
    stream.launch(Gpu.SPIN, ONE, 20 * MS);
    stream.record(end);
    assertThat(end.isDone()).isFalse();
    assertThat(stream.isDone()).isFalse();
    assertThatThrownBy(() -> end.nanosSince(begin)).hasMessageContaining("is not done");
    end.synchronize();
    assertThat(end.nanosSince(begin)).isBetween(19 * MS, 60 * MS);
    assertThat(stream.isDone()).isTrue();
  }

  @Test
  void stream_ordered_memory_is_used_and_given_back() {
    Buffer first = stream.allocate(DataType.FLOAT32, 1 << 20);
    stream.fill(first, 0);
    stream.launch(Gpu.ADD, Grid.covering(1 << 20), first, 2f, 1 << 20);
    float[] values = read(platform, stream, first);
    stream.free(first);

    assertThat(values[12_345]).isEqualTo(2);
    assertThatThrownBy(() -> stream.free(first)).hasMessageContaining("freed before");
    Buffer plain = device.allocate(DataType.INT8, 1);
    assertThatThrownBy(() -> stream.free(plain)).hasMessageContaining("freed by Device.free");
  }

  @Test
  void the_caching_allocator_hands_memory_out_again() {
    CachingAllocator allocator = new CachingAllocator(device);
    Stream other = device.createStream("other");
    Buffer a = allocator.allocate(DataType.FLOAT32, 1000, stream);
    long address = a.address();
    allocator.free(a);
    Buffer b = allocator.allocate(DataType.FLOAT32, 1000, stream);
    assertThat(b.address()).isEqualTo(address);
    other.launch(Gpu.SPIN, ONE, 20 * MS);
    allocator.recordStream(b, other);
    allocator.free(b);
    assertThat(allocator.allocate(DataType.FLOAT32, 1000, stream).address()).isNotEqualTo(address);
    other.synchronize();
    assertThat(allocator.allocate(DataType.FLOAT32, 1000, stream).address()).isEqualTo(address);
  }

  @Test
  void too_much_memory_is_an_error_with_figures() {
    assertThatThrownBy(() -> device.allocate(DataType.INT8, 1L << 40))
        .hasMessageContaining("cudaMalloc failed: cudaErrorMemoryAllocation (2) on device 0")
        .hasMessageContaining("1024.000 GiB asked for")
        .extracting(e -> ((DeviceException) e).reason())
        .isEqualTo(Reason.OUT_OF_MEMORY);
  }

  @Test
  void streams_and_events_that_were_destroyed_say_so() {
    Stream gone = device.createStream("gone");
    Event event = device.createEvent("gone too");
    gone.close();
    event.close();
    assertThatThrownBy(gone::synchronize).hasMessageContaining("stream 'gone' was destroyed");
    assertThatThrownBy(event::isDone).hasMessageContaining("event 'gone too' was destroyed");
    assertThatThrownBy(() -> device.defaultStream().close()).hasMessageContaining("stays");
  }

  @Test
  void per_thread_streams_belong_to_their_thread() {
    Stream mine = device.perThreadDefaultStream();
    mine.launch(Gpu.EMPTY, ONE);
    mine.synchronize();
    var thread = platform.host().start("other", () -> mine.launch(Gpu.EMPTY, ONE));

    assertThatThrownBy(thread::join).hasMessageContaining("per-thread default stream of thread");
  }

  @Test
  void one_rank_computes_all_collectives() {
    Communicator alone =
        platform
            .collectives()
            .join(
                "alone",
                platform.collectives().createId(),
                1,
                0,
                device,
                CommunicatorOptions.asynchronous());
    Buffer from = floats(platform, stream, 1, 2);
    for (int i = 0; i < 6; i++) {
      Buffer to = floats(platform, stream, 0, 0);
      switch (i) {
        case 0 -> alone.allReduce(from, to, ReduceOp.SUM, stream);
        case 1 -> alone.allGather(from, to, stream);
        case 2 -> alone.reduceScatter(from, to, ReduceOp.AVG, stream);
        case 3 -> alone.broadcast(from, to, 0, stream);
        case 4 -> alone.reduce(from, to, ReduceOp.MAX, 0, stream);
        default -> alone.allToAll(from, to, stream);
      }
      while (alone.state() == Communicator.State.IN_PROGRESS) {
        Thread.onSpinWait();
      }
      assertThat(read(platform, stream, to)).as("collective " + i).containsExactly(1, 2);
    }
    assertThatThrownBy(() -> alone.send(from, 3, stream)).hasMessageContaining("no rank 3");
    alone.close();
    assertThat(alone.state()).isEqualTo(Communicator.State.FAILED);
    assertThatThrownBy(() -> alone.allReduce(from, from, ReduceOp.SUM, stream))
        .hasMessageContaining("'alone' was closed on rank 0");
  }

  @Test
  void what_launches_records_and_host_functions_cost() {
    int calls = 20_000;
    Event event = device.createEvent();
    double[] launches = new double[5];
    double[] records = new double[5];
    for (int round = 0; round < launches.length; round++) {
      launches[round] = micros(calls, () -> stream.launch(Gpu.EMPTY, ONE));
      records[round] = micros(calls, () -> stream.record(event));
    }
    Gpu.say("us per launch of an empty kernel, 20000 launches, 5 rounds: " + spread(launches));
    Gpu.say("us per event record, 20000 records, 5 rounds: " + spread(records));
    assertThat(launches[4]).isLessThan(50);
  }

  private double micros(int calls, Runnable call) {
    device.synchronize();
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
      // Below the depth of the launch queue, or the queue is what is measured.
      if (i % 500 == 499) {
        start += drain();
      }
    }
    return (System.nanoTime() - start) / 1e3 / calls;
  }

  private long drain() {
    long start = System.nanoTime();
    stream.synchronize();
    return System.nanoTime() - start;
  }

  static String spread(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format(
        "median %.2f, from %.2f to %.2f",
        sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
  }
}
