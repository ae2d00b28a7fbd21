package dev.eddyline.device.sim;

import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class Programs {
  static final long MS = 1_000_000;
  static final Grid SMALL = Grid.of(8, 128);

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
          .takes(50_000)
          .build();

  static final Kernel MULTIPLY =
      Kernel.named("multiply")
          .body(
              arguments -> {
                var values = arguments.floats(0);
                float by = arguments.number(1).floatValue();
                for (int i = 0; i < values.limit(); i++) {
                  values.put(i, values.get(i) * by);
                }
              })
          .takes(50_000)
          .build();

  private Programs() {}

  static Kernel busy(String name, long nanos) {
    return Kernel.named(name).takes(nanos).build();
  }

  static void spin(Stream stream, String name, long nanos) {
    stream.launch(busy(name, nanos), SMALL);
  }

  static Buffer floats(Platform platform, Stream stream, float... values) {
    Buffer buffer = platform.device().allocate(DataType.FLOAT32, values.length);
    var host = platform.device().allocatePageable(DataType.FLOAT32, values.length);
    host.putFloats(values);
    stream.copy(buffer, host);
    return buffer;
  }

  static float[] read(Platform platform, Stream stream, Buffer buffer) {
    var host = platform.device().allocatePageable(DataType.FLOAT32, buffer.count());
    stream.copy(host, buffer);
    return host.getFloats();
  }

  static Communicator world(Platform platform) {
    return world(platform, CommunicatorOptions.defaults());
  }

  static Communicator world(Platform platform, CommunicatorOptions options) {
    byte[] id;
    if (platform.rank() == 0) {
      id = platform.collectives().createId();
      platform.store().set("id", id);
    } else {
      id = platform.store().get("id", 60_000 * MS);
    }
    return platform
        .collectives()
        .join("world", id, platform.worldSize(), platform.rank(), platform.device(), options);
  }

  static Timeline open(SimResult result) {
    try {
      Path file = Files.createTempFile("sim", ".eddy");
      try {
        return Traces.open(List.of(result.trace().write(file)), ReadOptions.defaults());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static final class Graph {
    final Timeline timeline;
    final StreamGraph graph;
    private final Reachability reachability;

    Graph(SimResult result) {
      timeline = open(result);
      graph = StreamGraph.of(timeline);
      reachability = new Reachability(graph);
    }

    int op(String name) {
      OpView op = timeline.ops();
      for (int i = 0; i < op.size(); i++) {
        if (op.at(i).process() == 0 && op.name().equals(name)) {
          return i;
        }
      }
      throw new AssertionError("no op " + name);
    }

    boolean reaches(String before, String after) {
      return reachability.reaches(op(before), op(after));
    }

    long start(String name) {
      return timeline.ops().at(op(name)).start();
    }

    long end(String name) {
      return timeline.ops().at(op(name)).end();
    }
  }
}
