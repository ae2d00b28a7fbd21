package dev.eddyline.group;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.device.sim.Sim;
import dev.eddyline.device.sim.SimOptions;
import dev.eddyline.device.sim.SimResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class Jobs {
  static final long MS = 1_000_000;
  static final Grid SMALL = Grid.of(8, 128);

  /** Adds a number to all elements, slowly. */
  static final Kernel ADD =
      Kernel.named("add")
          .body(
              arguments -> {
                var values = arguments.floats(0);
                float by = arguments.number(1).floatValue();
                for (int i = 0; i < values.limit(); i++) {
                  values.put(i, values.get(i) + by);
                }
              })
          .takes(2 * MS)
          .build();

  /** What a rank does with the group of all. */
  interface Body {
    void run(Platform platform, ProcessGroup world) throws Exception;
  }

  private Jobs() {}

  static SimOptions ranks(int count) {
    return SimOptions.defaults().withRanks(count);
  }

  static SimResult run(int ranks, Body body) {
    return run(ranks(ranks), GroupOptions.defaults(), body);
  }

  static SimResult run(SimOptions options, GroupOptions how, Body body) {
    return Sim.run(
        options, platform -> body.run(platform, ProcessGroup.join(platform, "world", how)));
  }

  static Buffer floats(Device device, float... values) {
    Buffer buffer = device.allocate(DataType.FLOAT32, values.length);
    write(device.currentStream(), buffer, values);
    return buffer;
  }

  static void write(Stream stream, Buffer buffer, float... values) {
    HostBuffer host = buffer.device().allocatePageable(DataType.FLOAT32, values.length);
    host.putFloats(values);
    stream.copy(buffer, host);
  }

  /** Reads in the order of a stream; blocks. */
  static float[] read(Stream stream, Buffer buffer) {
    HostBuffer host = buffer.device().allocatePageable(DataType.FLOAT32, buffer.count());
    stream.copy(host, buffer);
    return host.getFloats();
  }

  static Timeline open(SimResult result) {
    try {
      Path file = Files.createTempFile("group", ".eddy");
      try {
        return Traces.open(List.of(result.trace().write(file)), ReadOptions.defaults());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
