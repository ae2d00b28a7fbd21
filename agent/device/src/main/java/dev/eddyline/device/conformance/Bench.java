package dev.eddyline.device.conformance;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all programs of a suite share: memory, kernels and a communicator of one rank. */
final class Bench {
  static final long HELD_NANOS = 50_000_000;
  static final int SLOTS = 20;
  static final long SLOT = 256 << 10;
  static final long LARGE = 16 << 20;
  private static final long MOST_NANOS = 2_000_000_000;
  private static final Grid ONE = Grid.of(1, 1);

  private static final String CLOCK =
      """
      static __device__ long long now() {
        long long nanos;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanos));
        return nanos;
      }
      """;

  /** Ends when the host writes to its flag; on the simulated device after the same time. */
  private static final Kernel GATE =
      Kernel.named("conformance_gate")
          .source(
              CLOCK
                  + """
                  extern "C" __global__ void conformance_gate(volatile int *open, long long most) {
                    long long start = now();
                    while (*open == 0 && now() - start < most) {}
                  }
                  """)
          .takes(HELD_NANOS)
          .build();

  private static final Kernel WORK =
      Kernel.named("conformance_work")
          .source(
              CLOCK
                  + """
                  extern "C" __global__ void conformance_work(long long nanos) {
                    long long start = now();
                    while (now() - start < nanos) {}
                  }
                  """)
          .takes(20_000)
          .build();

  final Platform platform;
  final List<Buffer> from = new ArrayList<>();
  final List<Buffer> to = new ArrayList<>();
  final HostBuffer pinned;
  final HostBuffer pageable;
  private final HostBuffer flag;
  private @Nullable Communicator alone;

  Bench(Platform platform) {
    this.platform = platform;
    for (Device device : platform.devices()) {
      from.add(device.allocate(DataType.INT8, LARGE));
      to.add(device.allocate(DataType.INT8, LARGE));
    }
    pinned = platform.device().allocatePinned(DataType.INT8, SLOTS * SLOT);
    pageable = platform.device().allocatePageable(DataType.INT8, LARGE);
    flag = platform.device().allocatePinned(DataType.INT32, 1);
  }

  /** The first devices that programs use. */
  Device device(int index) {
    return platform.devices().get(index);
  }

  static void work(Stream stream) {
    stream.launch(WORK, ONE, 20_000L);
  }

  void closeGate() {
    flag.memory().putInt(0, 0);
  }

  void gate(Stream stream) {
    stream.launch(GATE, ONE, flag, MOST_NANOS);
  }

  void openGate() {
    flag.memory().putInt(0, 1);
  }

  /** The communicator, made and warmed up at its first use: making one waits for the device. */
  Communicator alone() {
    Communicator known = alone;
    if (known == null) {
      known =
          platform
              .collectives()
              .join(
                  "conformance",
                  platform.collectives().createId(),
                  1,
                  0,
                  platform.device(),
                  CommunicatorOptions.defaults());
      alone = known;
      Stream stream = platform.device().createStream("warm-up");
      platform.collectives().groupStart();
      known.send(from.get(0).slice(0, SLOT), 0, stream);
      known.receive(to.get(0).slice(0, SLOT), 0, stream);
      platform.collectives().groupEnd();
      stream.synchronize();
      stream.close();
    }
    return known;
  }
}
