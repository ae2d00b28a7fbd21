package dev.eddyline.junit;

import static dev.eddyline.junit.StreamAssertions.assertThat;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.opentest4j.TestAbortedException;

@Tag("gpu")
class GpuStreamTest {
  private static final Kernel ADD =
      Kernel.named("add")
          .source(
              """
              extern "C" __global__ void add(float *values, float by, int count) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < count) values[i] += by;
              }
              """)
          .body(
              arguments -> {
                var values = arguments.floats(0);
                for (int i = 0; i < values.limit(); i++) {
                  values.put(i, values.get(i) + arguments.number(1).floatValue());
                }
              })
          .build();

  private static Buffer zeroes(Device device, Stream stream, int count) {
    Buffer buffer = device.allocate(DataType.FLOAT32, count);
    stream.fill(buffer, 0);
    return buffer;
  }

  private static float[] read(Device device, Stream stream, Buffer buffer) {
    HostBuffer host = device.allocatePageable(DataType.FLOAT32, buffer.count());
    stream.copy(host, buffer);
    return host.getFloats();
  }

  @StreamTest(device = {DeviceKind.SIM, DeviceKind.CUDA})
  void one_program_computes_the_same_on_both(Streams streams, Platform platform) {
    streams.record(
        () -> {
          Device device = platform.device();
          Stream a = device.createStream("a");
          Stream b = device.createStream("b");
          Buffer values = zeroes(device, a, 300);
          a.launch(ADD, Grid.covering(300), values, 2f, 300);
          b.waitFor(a);
          b.launch(ADD, Grid.covering(300), values, 3f, 300);
          Assertions.assertThat(read(device, b, values)).containsOnly(5f);
        });
  }

  @StreamTest(
      device = {DeviceKind.SIM, DeviceKind.CUDA},
      ranks = 2)
  void ranks_are_threads_with_a_gpu_each(Streams streams) {
    streams.record(
        (platform, world) -> {
          Device device = platform.device();
          Stream compute = device.createStream("compute");
          try (Device.Scope scope = device.use(compute)) {
            Buffer values = zeroes(device, compute, 8);
            compute.launch(ADD, Grid.covering(8), values, 1f + world.rank(), 8);
            world.allReduce(values).waitOnStream();
            Assertions.assertThat(read(device, compute, values)).containsOnly(3f);
          }
        });
  }

  @StreamTest(device = DeviceKind.CUDA)
  void a_question_about_what_nobody_recorded_aborts_the_test(Streams streams) {
    StreamTrace trace = streams.record(() -> streams.device().synchronize());
    Assertions.assertThatThrownBy(() -> assertThat(trace).hostNeverWaitsForCollectives())
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("nothing of it was recorded");
    Assertions.assertThatThrownBy(() -> assertThat(trace).strict().hasAtMostHostSyncs(0))
        .isInstanceOf(StreamAssertionError.class)
        .hasMessageStartingWith("cannot answer, and strict: the program ran on a real device");
  }

  @StreamTest(device = DeviceKind.CUDA)
  void what_the_program_throws_is_thrown(Streams streams) {
    Assertions.assertThatThrownBy(
            () ->
                streams.record(
                    platform -> {
                      throw new IllegalArgumentException("wrong");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("wrong");
  }
}
