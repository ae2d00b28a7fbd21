package dev.eddyline.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Times a command as a whole process, start and exit included, and watches its memory: the peak
 * resident set of it and of the process that it becomes or starts, on Linux.
 *
 * <pre>
 * WholeProcess RUNS COMMAND ARGUMENT…
 * </pre>
 */
public final class WholeProcess {
  private static final long LOOK_EVERY_MS = 20;
  private static final double NS_PER_S = 1e9;
  private static final double KB_PER_MIB = 1024;

  private WholeProcess() {}

  /** Runs the command and prints least, median and most of seconds and MiB. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int runs = Integer.parseInt(arguments[0]);
    List<String> command = Arrays.asList(arguments).subList(1, arguments.length);
    List<Double> seconds = new ArrayList<>();
    List<Double> mebibytes = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      long begin = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      long peak = 0;
      while (process.isAlive()) {
        peak = Math.max(peak, peakKb(process.toHandle()));
        Thread.sleep(LOOK_EVERY_MS);
      }
      seconds.add((System.nanoTime() - begin) / NS_PER_S);
      mebibytes.add(peak / KB_PER_MIB);
      if (process.exitValue() != 0) {
        throw new IOException("exit code " + process.exitValue() + " of " + command);
      }
    }
    print("seconds", "%.2f", seconds);
    print("MiB resident", "%.0f", mebibytes);
  }

  private static long peakKb(ProcessHandle handle) {
    long peak = ownPeakKb(handle.pid());
    for (ProcessHandle child : handle.descendants().toList()) {
      peak = Math.max(peak, ownPeakKb(child.pid()));
    }
    return peak;
  }

  private static long ownPeakKb(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException ended) {
      return 0;
    }
    return 0;
  }

  private static void print(String what, String format, List<Double> values) {
    Collections.sort(values);
    System.out.printf(
        Locale.ROOT,
        "%-14s least " + format + "  median " + format + "  most " + format + "  (%d runs)%n",
        what,
        values.get(0),
        values.get(values.size() / 2),
        values.get(values.size() - 1),
        values.size());
  }
}
