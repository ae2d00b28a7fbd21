package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;

/** What the samples have in common: streams with names, buffers, and numbers to read. */
final class Lab {
  /** How many numbers a model has. */
  static final int SIZE = 1024;

  static final Grid GRID = Grid.covering(SIZE);

  private static final long US = 1_000;
  private static final long ONE_MINUTE = 60_000_000_000L;

  final Platform platform;
  final Device device;
  final Stream compute;

  Lab(Platform platform) {
    this.platform = platform;
    this.device = platform.device();
    device.load(Kernels.ALL);
    this.compute = stream("compute", "compute");
  }

  Stream stream(String name, String role) {
    Stream stream = device.createStream(name);
    Marks.nameStream(device.ordinal(), stream.handle(), name);
    Marks.role(device.ordinal(), stream.handle(), role);
    return stream;
  }

  /** Zeroes. */
  Buffer zeroes(long count) {
    Buffer buffer = device.allocate(DataType.FLOAT32, count);
    compute.fill(buffer, 0);
    return buffer;
  }

  Buffer zeroes() {
    return zeroes(SIZE);
  }

  /** Writes a gradient; the higher its rank, the longer a rank takes, so that others wait. */
  void backward(Buffer gradient, float value) {
    long nanos = (300 + 500L * platform.rank()) * US;
    compute.launch(Kernels.BACKWARD, GRID, gradient, value, nanos, gradient.count());
  }

  void descend(Stream stream, Buffer parameters, Buffer gradient, float rate) {
    stream.launch(Kernels.DESCEND, GRID, parameters, gradient, rate, parameters.count());
  }

  void divide(Stream stream, Buffer values, float by) {
    stream.launch(Kernels.DIVIDE, GRID, values, by, values.count());
  }

  /** The gradient of a rank in a step; whole numbers, so that sums are exact. */
  static float gradient(int rank, int step) {
    return 1 + (rank * 3 + step) % 5;
  }

  static float sumOfGradients(int ranks, int step) {
    float sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += gradient(rank, step);
    }
    return sum;
  }

  /** Reads numbers in the order of a stream and waits for the whole device: the program's end. */
  float[] readAtEnd(Stream stream, Buffer buffer) {
    HostBuffer host = device.allocatePinned(DataType.FLOAT32, buffer.count());
    stream.copy(host, buffer);
    device.synchronize();
    return host.getFloats();
  }

  /** The collective library itself, without a process group: for the broken forms. */
  Communicator rawWorld() {
    byte[] id;
    if (platform.rank() == 0) {
      id = platform.collectives().createId();
      platform.store().set("raw-world", id);
    } else {
      id = platform.store().get("raw-world", ONE_MINUTE);
    }
    return platform
        .collectives()
        .join(
            "world",
            id,
            platform.worldSize(),
            platform.rank(),
            device,
            CommunicatorOptions.defaults());
  }

  /** A stream waits for what is on another one now. */
  void order(Stream later, Stream earlier) {
    try (Event event = device.createEvent()) {
      earlier.record(event);
      later.waitFor(event);
    }
  }
}
