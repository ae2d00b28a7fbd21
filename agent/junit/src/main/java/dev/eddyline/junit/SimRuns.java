package dev.eddyline.junit;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Platform;
import dev.eddyline.device.sim.Sim;
import dev.eddyline.device.sim.SimOptions;
import dev.eddyline.device.sim.SimResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** The runs of a program on one schedule after the other, and what differs between them. */
final class SimRuns {
  /** What a rank does. */
  interface Program {
    void run(Platform platform, Results results) throws Exception;
  }

  /** How one schedule went. */
  private record Run(
      long seed, @Nullable Recording recording, Results results, @Nullable Throwable failure) {}

  private final SimOptions options;
  private final Path folder;
  private final String name;
  private final List<Run> runs = new ArrayList<>();

  SimRuns(SimOptions options, Path folder, String name) {
    this.options = options;
    this.folder = folder;
    this.name = name;
  }

  /**
   * Runs on one schedule. What the program throws is kept, so that the trace is there all the same.
   */
  void run(long seed, Program program) {
    Results results = new Results();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Path file = folder.resolve(name + (runs.isEmpty() ? "" : "-seed" + seed) + ".eddy");
    remove(file);
    Recording recording = null;
    try {
      SimResult result =
          Sim.run(
              options.withSeed(seed),
              platform -> {
                try {
                  program.run(platform, results);
                } catch (Exception | Error e) {
                  if (isOfDevice(e)) {
                    throw e;
                  }
                  failure.compareAndSet(null, e);
                }
              });
      recording = Recording.of(seed, file, result.trace());
    } catch (RuntimeException | Error e) {
      if (!failure.compareAndSet(null, e)) {
        java.util.Objects.requireNonNull(failure.get()).addSuppressed(e);
      }
    }
    Throwable thrown = failure.get();
    if (thrown instanceof TestAbortedException aborted) {
      throw aborted;
    }
    runs.add(new Run(seed, recording, results, thrown));
  }

  /** What the simulation itself says of a run: it knows best what it means. */
  private static boolean isOfDevice(Throwable thrown) {
    return thrown instanceof DeviceException known
        && switch (known.reason()) {
          case KILLED, DEADLOCK, BLOCKED_OUTSIDE -> true;
          default -> false;
        };
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + file + ": " + e.getMessage(), e);
    }
  }

  /** The trace of all schedules; null if none came to its end. */
  @Nullable StreamTrace trace(boolean strict) {
    List<Recording> recordings = recordings();
    if (recordings.isEmpty()) {
      return null;
    }
    recordings.get(0).keep();
    return new StreamTrace(recordings, strict);
  }

  private List<Recording> recordings() {
    List<Recording> recordings = new ArrayList<>();
    for (Run run : runs) {
      Recording recording = run.recording();
      if (recording != null) {
        recordings.add(recording);
      }
    }
    return recordings;
  }

  // ---- what differs ----

  /** Throws what the program threw; of a failure on some schedules alone says so. */
  void throwFailure() {
    List<Run> failed = runs.stream().filter(run -> run.failure() != null).toList();
    if (failed.isEmpty()) {
      return;
    }
    Throwable first = java.util.Objects.requireNonNull(failed.get(0).failure());
    if (failed.size() == runs.size()) {
      throw SimRuns.<RuntimeException>same(first);
    }
    String headline =
        "the program must do the same on every schedule, but failed on "
            + failed.size()
            + " of "
            + runs.size();
    String detail = String.valueOf(first.getMessage()).strip().replace("\n", "\n    ");
    String type = first.getClass().getSimpleName();
    throw new StreamAssertionError(
        message(
            headline, "with seed " + failed.get(0).seed() + ": " + type + ": " + detail, failed),
        first);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // thrown as what it is
  static <T extends Throwable> T same(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Throws if a result differs between schedules. */
  void compareResults() {
    Run plain = runs.get(0);
    List<Run> different = new ArrayList<>();
    String difference = "";
    for (Run run : runs) {
      String found = run.results().differenceTo(plain.results(), plain.seed(), run.seed());
      if (found != null) {
        difference = different.isEmpty() ? found : difference;
        different.add(run);
      }
    }
    if (different.isEmpty()) {
      return;
    }
    String headline =
        "a result must be the same on every schedule, but differs on "
            + different.size()
            + " of "
            + runs.size();
    throw new StreamAssertionError(message(headline, difference, different));
  }

  private String message(String headline, String what, List<Run> different) {
    StringBuilder text = new StringBuilder(headline).append("\n\n  ").append(what).append('\n');
    String seeds = Schedules.seeds(different.stream().map(Run::seed).toList());
    text.append("  different on ").append(seeds).append('\n');
    List<Recording> recordings = recordings();
    List<Recording> others = new ArrayList<>();
    for (Run run : different) {
      Recording recording = run.recording();
      if (recording != null) {
        others.add(recording);
      }
    }
    if (!others.isEmpty() && others.size() < recordings.size()) {
      Schedules.race(recordings, others)
          .forEach(line -> text.append("  ").append(line).append('\n'));
    }
    text.append("  Fix: order the two: record an event behind the first, and let the stream of the")
        .append(" second wait for it.\n");
    text.append("  Again with: ").append(Schedules.again(different.get(0).seed())).append('\n');
    if (others.isEmpty()) {
      return text.append("  Trace: none, the run did not come to its end").toString();
    }
    others.get(0).keep();
    return text.append(Judge.traceLine(others.get(0).file())).toString();
  }
}
