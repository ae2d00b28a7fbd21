package dev.eddyline.recorder.gpu;

import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.Recording;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * Attaches and detaches again and again while threads launch kernels that count, and compares the
 * count, the memory and the threads at the end. Arguments: folder, seconds, milliseconds per cycle.
 */
public final class Soak {
  private static final int THREADS = 4;

  private Soak() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    long until = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000_000L;
    long cycle = Long.parseLong(arguments[2]);
    Gpu gpu = new Gpu();
    Pointer counter = new Pointer();
    Gpu.check(cudart.cudaMalloc(counter, 4));
    Gpu.check(cudart.cudaMemset(counter, 0, 4));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong launches = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> launch(gpu, counter, stop, launches));
      thread.start();
      threads.add(thread);
    }
    long records = 0;
    int cycles = 0;
    long slowestDetach = 0;
    long slowestStart = 0;
    while (System.nanoTime() < until) {
      Path file = folder.resolve("soak.eddy");
      Files.deleteIfExists(file);
      long from = System.nanoTime();
      Recording recording = Recorder.start(RecorderOptions.into(file), line -> {});
      while (!recording.info().startsWith("recording")) {
        Thread.sleep(1);
      }
      slowestStart = Math.max(slowestStart, System.nanoTime() - from);
      Thread.sleep(cycle / 2);
      from = System.nanoTime();
      recording.detach();
      slowestDetach = Math.max(slowestDetach, System.nanoTime() - from);
      while (recording.isActive()) {
        Thread.sleep(1);
      }
      records += Files.size(file);
      Thread.sleep(cycle / 2);
      if (++cycles % 5 == 1) {
        System.gc();
        System.out.println(
            "cycle " + cycles + ": " + memory() + recording.info().lines().findFirst().orElse(""));
      }
    }
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    Gpu.check(cudart.cudaDeviceSynchronize());
    IntPointer result = new IntPointer(1);
    Gpu.check(cudart.cudaMemcpy(result, counter, 4, cudart.cudaMemcpyDeviceToHost));
    System.out.printf(
        "SOAK cycles %d launches %d counted %d bytes %d slowest start %.1f ms detach %.1f ms; %s%n",
        cycles,
        launches.get(),
        result.get(),
        records,
        slowestStart / 1e6,
        slowestDetach / 1e6,
        memory());
    if (result.get() != (int) launches.get()) {
      throw new IllegalStateException("results have changed");
    }
  }

  private static String memory() throws java.io.IOException {
    Runtime runtime = Runtime.getRuntime();
    String resident =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS") || line.startsWith("Threads"))
            .map(line -> line.replaceAll("\\s+", " "))
            .toList()
            .toString();
    return resident + " heap " + ((runtime.totalMemory() - runtime.freeMemory()) >> 20) + " MiB; ";
  }

  private static void launch(Gpu gpu, Pointer counter, AtomicBoolean stop, AtomicLong launches) {
    Gpu.check(cudart.cudaSetDevice(0));
    CUstream_st stream = gpu.stream();
    LongPointer address = new LongPointer(1);
    address.put(0, counter.address());
    PointerPointer<Pointer> parameters = new PointerPointer<>(1);
    parameters.put(0, address);
    while (!stop.get()) {
      for (int i = 0; i < 200; i++) {
        gpu.add(stream, parameters);
      }
      launches.addAndGet(200);
      Gpu.check(cudart.cudaStreamSynchronize(stream));
    }
    // JavaCPP gives memory back with its object.
    Reference.reachabilityFence(address);
  }
}
