package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.spin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The simulated device blocks where a real one with driver 580 was seen to block. */
class BlockMatrixTest {
  private static final String MEASURED = "block-matrix-driver-580.txt";
  private static final long KERNEL = 50 * MS;
  private static final long BLOCKED = 40 * MS;
  private static final long MB = 1 << 20;

  private static final class Bench {
    final Platform platform;
    final Device device;
    final Stream a;
    final Stream b;
    final Stream idle;
    final Event pending;
    final Buffer small;
    final Buffer large;
    final Buffer other;
    final Buffer pooled;
    final HostBuffer pinned;
    final HostBuffer pageable;

    Bench(Platform platform, boolean blocking) {
      this.platform = platform;
      device = platform.device();
      StreamOptions options =
          blocking ? StreamOptions.blocking("A") : StreamOptions.nonBlocking("A");
      a = device.createStream(options);
      b = device.createStream("B");
      idle = device.createStream("idle");
      pending = device.createEvent("pending");
      small = device.allocate(DataType.INT8, 4);
      large = device.allocate(DataType.INT8, 32 * MB);
      other = device.allocate(DataType.INT8, 32 * MB);
      pooled = b.allocate(DataType.INT8, MB);
      pinned = device.allocatePinned(DataType.INT8, MB);
      pageable = device.allocatePageable(DataType.INT8, 32 * MB);
      device.synchronize();
      spin(a, "spin", KERNEL);
      a.record(pending);
    }

    Buffer mb(Buffer buffer) {
      return buffer.slice(0, MB);
    }
  }

  private interface Call {
    void run(Bench bench);
  }

  private static final Map<String, Call> CALLS = new HashMap<>();

  static {
    CALLS.put("cudaFree of cudaMalloc memory, 1 MB", t -> t.device.free(t.other));
    CALLS.put("cudaFreeHost", t -> t.device.free(t.pinned));
    CALLS.put("cudaDeviceSynchronize", t -> t.device.synchronize());
    CALLS.put("cudaEventSynchronize of an event pending on A", t -> t.pending.synchronize());
    CALLS.put(
        "cudaMemcpyAsync D2H to pageable memory on A, 4 B",
        t -> t.a.copy(t.pageable.slice(0, 4), t.small));
    CALLS.put(
        "cudaMemcpyAsync D2H to pageable memory on A, 1 MB",
        t -> t.a.copy(t.pageable.slice(0, MB), t.large));
    CALLS.put("the 1023rd launch queued on A", BlockMatrixTest::fillQueue);
    CALLS.put(
        "cudaStreamSynchronize of the legacy stream", t -> t.device.defaultStream().synchronize());
    CALLS.put(
        "cudaMemcpy H2D pageable, 4 KB",
        t -> t.device.copy(t.large.slice(0, 4096), t.pageable.slice(0, 4096)));
    CALLS.put("cudaMemcpy H2D pageable, 1 MB", t -> t.device.copy(t.mb(t.large), t.pageable));
    CALLS.put("cudaMemcpy H2D pinned", t -> t.device.copy(t.mb(t.large), t.pinned));
    CALLS.put("cudaMemcpy D2H pageable", t -> t.device.copy(t.pageable.slice(0, MB), t.large));
    CALLS.put("cudaMemcpy D2H pinned", t -> t.device.copy(t.pinned, t.large));
    CALLS.put("cudaMemset of pinned host memory", t -> t.device.fill(t.pinned, 1));
    CALLS.put("cudaMalloc, 1 MB", t -> t.device.allocate(DataType.INT8, MB));
    CALLS.put("cudaMalloc, 1 GB", t -> t.device.allocate(DataType.INT8, 1024 * MB));
    CALLS.put(
        "cudaMallocAsync and cudaFreeAsync on B", t -> t.b.free(t.b.allocate(DataType.INT8, MB)));
    CALLS.put("cudaFree of pool memory", t -> t.device.free(t.pooled));
    CALLS.put("cudaHostAlloc", t -> t.device.allocatePinned(DataType.INT8, MB));
    CALLS.put("stream create", t -> t.device.createStream("new"));
    CALLS.put("stream destroy, idle", t -> t.idle.close());
    CALLS.put("stream destroy, with work waiting on A", BlockMatrixTest::destroyWaiting);
    CALLS.put("event destroy while pending", t -> t.pending.close());
    CALLS.put("record on A and wait on B", t -> t.b.waitFor(t.a));
    CALLS.put("stream query of A", t -> t.a.isDone());
    CALLS.put("event query of an event pending on A", t -> t.pending.isDone());
    CALLS.put(
        "cudaEventSynchronize of a never-recorded event",
        t -> t.device.createEvent().synchronize());
    CALLS.put("stream sync of B", t -> t.b.synchronize());
    CALLS.put(
        "stream sync of the per-thread default stream",
        t -> t.device.perThreadDefaultStream().synchronize());
    CALLS.put(
        "cudaMemcpyAsync H2D pageable on A, 4 KB",
        t -> t.a.copy(t.large.slice(0, 4096), t.pageable));
    CALLS.put("cudaMemcpyAsync H2D pageable on A, 1 MB", t -> t.a.copy(t.mb(t.large), t.pageable));
    CALLS.put("cudaMemcpyAsync H2D pageable on B, 32 MB", t -> t.b.copy(t.large, t.pageable));
    CALLS.put("cudaMemcpyAsync D2H to pageable memory on B", t -> t.b.copy(t.pageable, t.large));
    CALLS.put("cudaMemcpyAsync H2D pinned on A", t -> t.a.copy(t.mb(t.large), t.pinned));
    CALLS.put("cudaMemcpyAsync D2H pinned on A", t -> t.a.copy(t.pinned, t.large));
    CALLS.put("cudaMemcpyAsync D2D on A", t -> t.a.copy(t.large, t.other));
    CALLS.put("cudaMemcpy D2D", t -> t.device.copy(t.large, t.other));
    CALLS.put("cudaMemset of device memory", t -> t.device.fill(t.large, 1));
    CALLS.put("cudaMemsetAsync on A", t -> t.a.fill(t.large, 1));
    CALLS.put("launch on the legacy stream", t -> spin(t.device.defaultStream(), "L", 1000));
    CALLS.put("launch on B", t -> spin(t.b, "B", 1000));
    CALLS.put("cudaLaunchHostFunc on A", t -> t.a.hostFunction("nothing", () -> {}));
    CALLS.put("cudaMemGetInfo", t -> t.device.freeBytes());
  }

  private static void fillQueue(Bench bench) {
    for (int launched = 1; launched < 1023; launched++) {
      spin(bench.a, "queued", 1000);
    }
  }

  private static void destroyWaiting(Bench bench) {
    bench.idle.waitFor(bench.a);
    spin(bench.idle, "waiting", 1000);
    bench.idle.close();
  }

  private static long nanosOf(Call call, boolean blocking) {
    AtomicLong nanos = new AtomicLong();
    Sim.run(
        platform -> {
          Bench bench = new Bench(platform, blocking);
          long before = platform.host().nanoTime();
          call.run(bench);
          nanos.set(platform.host().nanoTime() - before);
        });
    return nanos.get();
  }

  private static List<String[]> measured() throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                BlockMatrixTest.class.getResourceAsStream(MEASURED), StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> rows.add(line.split(" \\| ")));
    }
    return rows;
  }

  @TestFactory
  List<DynamicTest> blocks_where_driver_580_blocks() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String[] row : measured()) {
      for (int column = 1; column < row.length; column++) {
        boolean blocking = column == 2;
        String expected = row[column];
        String name = row[0] + (blocking ? ", A blocking" : ", A non-blocking");
        tests.add(
            DynamicTest.dynamicTest(
                name,
                () -> {
                  long nanos = nanosOf(CALLS.get(row[0]), blocking);
                  assertThat(nanos >= BLOCKED ? "blocks" : "-").as(name).isEqualTo(expected);
                }));
      }
    }
    return tests;
  }

  @Test
  void the_table_and_the_calls_are_the_same() throws IOException {
    assertThat(measured().stream().map(row -> row[0]))
        .containsExactlyInAnyOrderElementsOf(CALLS.keySet());
  }

  @Test
  void one_launch_less_finds_room_in_the_queue() {
    long nanos =
        nanosOf(
            bench -> {
              for (int launched = 1; launched < 1022; launched++) {
                spin(bench.a, "queued", 1000);
              }
            },
            false);

    assertThat(nanos).isLessThan(BLOCKED);
  }
}
