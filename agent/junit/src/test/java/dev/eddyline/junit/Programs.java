package dev.eddyline.junit;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;

final class Programs {
  static final Grid SMALL = Grid.of(8, 128);
  static final Kernel ADD = elementwise("add", (value, by) -> value + by);
  static final Kernel MULTIPLY = elementwise("multiply", (value, by) -> value * by);

  private interface Function {
    float apply(float value, float by);
  }

  private Programs() {}

  private static Kernel elementwise(String name, Function function) {
    return Kernel.named(name)
        .body(
            arguments -> {
              var values = arguments.floats(0);
              float by = arguments.number(1).floatValue();
              for (int i = 0; i < values.limit(); i++) {
                values.put(i, function.apply(values.get(i), by));
              }
            })
        .takes(50_000)
        .build();
  }

  static Kernel busy(String name, long micros) {
    return Kernel.named(name).takes(micros * 1000).build();
  }

  static Buffer floats(Platform platform, Stream stream, float... values) {
    Buffer buffer = platform.device().allocate(DataType.FLOAT32, values.length);
    HostBuffer host = platform.device().allocatePageable(DataType.FLOAT32, values.length);
    host.putFloats(values);
    stream.copy(buffer, host);
    return buffer;
  }

  static float[] read(Platform platform, Stream stream, Buffer buffer) {
    HostBuffer host = platform.device().allocatePageable(DataType.FLOAT32, buffer.count());
    stream.copy(host, buffer);
    return host.getFloats();
  }

  static Communicator world(Platform platform) {
    byte[] id;
    if (platform.rank() == 0) {
      id = platform.collectives().createId();
      platform.store().set("id", id);
    } else {
      id = platform.store().get("id", 60_000_000_000L);
    }
    return platform
        .collectives()
        .join(
            "world",
            id,
            platform.worldSize(),
            platform.rank(),
            platform.device(),
            CommunicatorOptions.defaults());
  }

  static void allReduce(Communicator world, Buffer buffer, Stream stream) {
    world.allReduce(buffer, buffer, ReduceOp.SUM, stream);
  }
}
