package dev.eddyline.recorder.gpu;

import dev.eddyline.recorder.decode.Kind;
import dev.eddyline.recorder.decode.Layout;
import dev.eddyline.recorder.shim.CuptiPlaces;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.recorder.shim.ShimLibrary;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Made the raw activity buffers among the test resources. Argument: the file. It holds, big endian:
 * version of CUPTI, then per buffer its bytes, its count of records, their offsets, the bytes; -1;
 * then per name id, length and bytes; -1.
 */
public final class RawBuffers {
  private static final int[] KINDS = {
    Kind.DEVICE,
    Kind.CONTEXT,
    Kind.STREAM,
    Kind.RUNTIME,
    Kind.DRIVER,
    Kind.CONCURRENT_KERNEL,
    Kind.MEMCPY,
    Kind.MEMSET,
    Kind.SYNCHRONIZATION,
    Kind.CUDA_EVENT,
    Kind.EXTERNAL_CORRELATION,
    Kind.OVERHEAD,
    Kind.MEMORY2
  };

  private RawBuffers() {}

  public static void main(String[] arguments) throws IOException {
    System.out.println(ShimLibrary.load());
    StringBuilder places = new StringBuilder();
    CuptiPlaces.list(List.of(), System.getenv()).forEach(p -> places.append(p).append('\n'));
    long[] numbers = {
      64 << 10, 64, 0, 0, Long.MAX_VALUE, Layout.KERNEL_NAME, Layout.DEVICE_NAME, 1, 0, 0, 0
    };
    Shim.prepare(numbers, KINDS, places.toString().getBytes(ShimLibrary.encoding()));
    System.out.println("armed " + Shim.arm(ShimLibrary.path()));
    Gpu gpu = new Gpu();
    System.out.println("state " + Shim.state() + " late " + Shim.isLate());
    play(gpu);
    Shim.flush(0);
    try (DataOutputStream out =
        new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(Path.of(arguments[0]))))) {
      write(out);
    }
  }

  private static void play(Gpu gpu) {
    CUstream_st a = gpu.stream();
    CUstream_st b = gpu.stream();
    CUevent_st event = gpu.event();
    CUevent_st never = gpu.event();
    Pointer device = new Pointer();
    Gpu.check(cudart.cudaMalloc(device, 1 << 20));
    BytePointer host = new BytePointer(4096);
    Shim.pushExternal(3, 42);
    gpu.spin(a, 1_000_000);
    Shim.popExternal(3);
    Gpu.check(cudart.cudaEventRecord(event, a));
    Gpu.check(cudart.cudaStreamWaitEvent(b, event, 0));
    Gpu.check(cudart.cudaStreamWaitEvent(b, never, 0));
    gpu.launch(b);
    Gpu.check(cudart.cudaMemcpyAsync(device, host, 4096, cudart.cudaMemcpyHostToDevice, a));
    Gpu.check(cudart.cudaMemsetAsync(device, 0, 8192, a));
    Gpu.check(cudart.cudaStreamSynchronize(b));
    cudart.cudaEventQuery(event);
    Gpu.check(cudart.cudaDeviceSynchronize());
    Gpu.check(cudart.cudaFree(device));
  }

  private static void write(DataOutputStream out) throws IOException {
    ByteBuffer memory = Shim.memory().order(ByteOrder.nativeOrder());
    ByteBuffer offsets = Shim.offsets().order(ByteOrder.nativeOrder());
    int perBuffer = offsets.capacity() / 4 / 64;
    out.writeInt(Shim.version());
    int[] taken = new int[3];
    java.util.TreeSet<Integer> names = new java.util.TreeSet<>();
    while (Shim.take(taken)) {
      out.writeInt(taken[2]);
      out.writeInt(taken[1]);
      for (int i = 0; i < taken[1]; i++) {
        int at = offsets.getInt(4 * (taken[0] * perBuffer + i));
        out.writeInt(at);
        int record = taken[0] * (64 << 10) + at;
        int kind = memory.getInt(record);
        if (kind == Kind.CONCURRENT_KERNEL) {
          names.add((int) memory.getLong(record + Layout.KERNEL_NAME));
        } else if (kind == Kind.DEVICE) {
          names.add((int) memory.getLong(record + Layout.DEVICE_NAME));
        }
      }
      byte[] bytes = new byte[taken[2]];
      memory.get(taken[0] * (64 << 10), bytes);
      out.write(bytes);
      System.out.println("buffer of " + taken[1] + " records, " + taken[2] + " bytes");
    }
    out.writeInt(-1);
    for (int name : names) {
      byte[] bytes = Shim.name(name);
      out.writeInt(name);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
    out.writeInt(-1);
  }
}
