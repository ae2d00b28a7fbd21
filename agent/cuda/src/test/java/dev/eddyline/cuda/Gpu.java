package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What tests on a GPU share. */
final class Gpu {
  static final Kernel ADD =
      Kernel.named("add")
          .source(
              """
              extern "C" __global__ void add(float *values, float by, int count) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < count) values[i] += by;
              }
              """)
          .build();
  static final Kernel SPIN =
      Kernel.named("spin")
          .source(
              """
              extern "C" __global__ void spin(long long nanos) {
                long long start, now;
                asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
                do { asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); } while (now - start < nanos);
              }
              """)
          .build();
  static final Kernel EMPTY =
      Kernel.named("empty").source("extern \"C\" __global__ void empty() {}").build();

  private Gpu() {}

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

  /** Prints a figure, and keeps it beside the logs if there is a place for them. */
  static void say(String line) {
    System.out.println(line);
    String out = System.getProperty("eddyline.out", "");
    if (!out.isEmpty()) {
      try {
        Files.writeString(
            Path.of(out, "figures.txt"),
            line + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
