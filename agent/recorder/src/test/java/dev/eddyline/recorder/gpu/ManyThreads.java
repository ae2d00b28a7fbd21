package dev.eddyline.recorder.gpu;

import com.sun.management.OperatingSystemMXBean;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.TimelineBuilder;
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
 * Launches from several threads, each on its own stream, for some seconds. Arguments: file,
 * threads, seconds, milliseconds that the thread that drains is held in the middle.
 */
public final class ManyThreads {
  private static volatile long heldFrom = Long.MAX_VALUE;

  private static final long MOST_TO_COUNT = 6_000_000;

  private ManyThreads() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    long nanos = Long.parseLong(arguments[2]) * 1_000_000_000L;
    Files.deleteIfExists(file);
    AtomicLong stall = new AtomicLong(Long.parseLong(arguments[3]));
    Recording recording =
        Recorder.start(
            RecorderOptions.into(file)
                .change()
                .stacks(0, stall.get() > 0 ? 50_000 : 500_000, false)
                .onBlocked(call -> hold(System.nanoTime() > heldFrom ? stall.getAndSet(0) : 0))
                .build(),
            line -> System.out.println("eddyline: " + line));
    Gpu gpu = new Gpu();
    heldFrom = System.nanoTime() + nanos / 2;
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
    Thread.sleep(500);
    System.out.println("own threads, cpu ticks of 10 ms: " + ownTicks());
    recording.detach();
    while (recording.isActive()) {
      Thread.sleep(10);
    }
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.out.printf(
        "THREADS %d launches %d in %.2f s = %.0f per s; process cpu %.1f s%n",
        threads,
        launches.get(),
        seconds,
        launches.get() / seconds,
        system.getProcessCpuTime() / 1e9);
    System.out.println(recording.info());
    if (launches.get() < MOST_TO_COUNT && arguments[3].equals("0")) {
      count(file, launches.get());
    }
  }

  private static void count(Path file, long launches) throws java.io.IOException {
    TimelineBuilder timeline = new TimelineBuilder();
    new EddyReader().read(file, timeline, ReadOptions.defaults());
    int kernels = timeline.build().ops().size();
    System.out.printf("KERNELS %d of %d launches%n", kernels, launches);
    if (kernels != launches) {
      throw new IllegalStateException("launches are missing");
    }
  }

  private static String ownTicks() throws java.io.IOException {
    StringBuilder found = new StringBuilder();
    try (var tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        String[] stat = Files.readString(task.resolve("stat")).split("\\) ")[1].split(" ");
        String name = Files.readString(task.resolve("comm")).strip();
        long ticks = Long.parseLong(stat[11]) + Long.parseLong(stat[12]);
        if (name.startsWith("eddyline") || ticks > 100) {
          found.append(name).append(' ').append(ticks).append("; ");
        }
      }
    }
    return found.toString();
  }

  private static void hold(long millis) {
    if (millis > 0) {
      System.out.println("the draining thread is held for " + millis + " ms");
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
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
