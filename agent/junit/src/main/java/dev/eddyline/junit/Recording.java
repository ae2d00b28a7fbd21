package dev.eddyline.junit;

import dev.eddyline.device.sim.SimTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of a trace: a file, or a schedule of the simulated device; analysed when it is asked. */
final class Recording {
  static final long NO_SEED = Long.MIN_VALUE;

  private final long seed;
  private final List<Path> files;
  private final @Nullable SimTrace trace;
  private @Nullable TraceView view;

  private Recording(long seed, List<Path> files, @Nullable SimTrace trace) {
    this.seed = seed;
    this.files = files;
    this.trace = trace;
  }

  /** Files as they lie on the disk; read at once. */
  static Recording of(List<Path> files) {
    Recording recording = new Recording(NO_SEED, files, null);
    recording.view();
    return recording;
  }

  /** A simulated run; on the disk only once it is kept. */
  static Recording of(long seed, Path file, SimTrace trace) {
    return new Recording(seed, List.of(file), trace);
  }

  /** The schedule that it ran on, {@link #NO_SEED} for a file. */
  long seed() {
    return seed;
  }

  Path file() {
    return files.get(0);
  }

  /** Writes the file if it is not there. */
  synchronized void keep() {
    if (trace == null || Files.exists(file())) {
      return;
    }
    try {
      Path folder = file().toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      trace.write(file());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the trace: " + e.getMessage(), e);
    }
  }

  synchronized TraceView view() {
    TraceView known = view;
    if (known != null) {
      return known;
    }
    boolean there = trace == null || Files.exists(file());
    keep();
    TraceView made = new TraceView(StreamTrace.analyze(files));
    view = made;
    if (!there) {
      drop();
    }
    return made;
  }

  private void drop() {
    try {
      Files.deleteIfExists(file());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove the trace: " + e.getMessage(), e);
    }
  }
}
