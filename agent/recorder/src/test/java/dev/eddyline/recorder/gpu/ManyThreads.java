package dev.eddyline.recorder.gpu;

import com.sun.management.OperatingSystemMXBean;
import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.Recording;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;

/**
 * Launches from several threads, each on its own stream, for some seconds. Arguments: file, threads,
 * seconds, "normal" or "stall" (the file's folder is a pipe that nobody reads for a while).
 */
public final class ManyThreads {
  private ManyThreads() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    long nanos = Long.parseLong(arguments[2]) * 1_000_000_000L;
    Files.deleteIfExists(file);
    Recording recording =
        Recorder.start(RecorderOptions.into(file), line -> System.out.println("eddyline: " + line));
    Gpu gpu = new Gpu();
    AtomicLong launches = new AtomicLong();
    List<Thread> all = new ArrayList<>();
    long started = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      CUstream_st stream = gpu.stream();
      Thread thread = new Thread(() -> launches.addAndGet(launch(gpu, stream, started + nanos)));
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    System.out.println(recording.info());
    Gpu.check(cudart.cudaDeviceSynchronize());
    recording.detach();
    while (recording.isActive()) {
      Thread.sleep(10);
    }
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.out.printf(
        "THREADS %d launches %d in %.2f s = %.0f per s; process cpu %.1f s%n",
        threads, launches.get(), seconds, launches.get() / seconds, system.getProcessCpuTime() / 1e9);
    System.out.println(recording.info());
  }

  private static long launch(Gpu gpu, CUstream_st stream, long until) {
    Gpu.check(cudart.cudaSetDevice(0));
    long count = 0;
    while (System.nanoTime() < until) {
      for (int i = 0; i < 500; i++) {
        gpu.launch(stream);
      }
      count += 500;
      Gpu.check(cudart.cudaStreamSynchronize(stream));
    }
    return count;
  }
}
