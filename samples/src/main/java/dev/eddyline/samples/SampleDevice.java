package dev.eddyline.samples;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Platform;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of device that samples run on, found by {@link java.util.ServiceLoader}. */
public interface SampleDevice {
  /** What a rank does. */
  @FunctionalInterface
  interface Program {
    /** Runs on one rank. */
    Story.Numbers run(Platform platform) throws Exception;
  }

  /**
   * How to run.
   *
   * @param ranks how many ranks
   * @param seed which schedule, where the device has several; 0 for the plain one
   * @param record where to write a trace for each rank, {@code %r} standing for its number; null
   *     for none
   */
  record Run(int ranks, long seed, @Nullable String record) {
    /** The trace of a rank. */
    String traceOf(String pattern, int rank) {
      return pattern.replace("%r", Integer.toString(rank));
    }
  }

  /** What it is called on the command line: "sim", "cuda". */
  String name();

  /** Whether each rank is a process of its own, started by a launcher. */
  default boolean ranksAreProcesses() {
    return false;
  }

  /**
   * How many devices there are for the ranks of this machine.
   *
   * @throws DeviceException if there is none, or it cannot be used
   */
  default int devices() {
    return Integer.MAX_VALUE;
  }

  /** The first rank that runs in this process. */
  default int firstRank() {
    return 0;
  }

  /**
   * Runs a program on all ranks that run in this process.
   *
   * @return the numbers of each rank that runs in this process
   */
  List<Story.Numbers> run(Run run, Program program) throws IOException;
}
