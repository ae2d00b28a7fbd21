package dev.eddyline.junit;

import dev.eddyline.device.Device;
import dev.eddyline.device.Platform;
import dev.eddyline.device.sim.SimOptions;
import dev.eddyline.group.ProcessGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program, on the simulated device if nothing else is said, records it, and gives the trace
 * to assert on. The program runs once for each rank, and all of that once for each schedule:
 *
 * <pre>{@code
 * StreamTrace trace = streams.record(() -> {
 *   Stream compute = streams.device().createStream("compute");
 *   ...
 * });
 * assertThat(trace).hostNeverWaitsForCollectives();
 * }</pre>
 *
 * <p>The trace of the first schedule is written to {@code target/eddyline/<name>.eddy}; that of
 * another one only if something is told about it. One object for one test: it is changed before the
 * first {@link #record}, and used by one thread beside those of the program.
 */
public final class Streams {
  /** What a rank does; {@link Streams#platform} is its own. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  /** What a rank does, with its own platform. */
  @FunctionalInterface
  public interface RankBody {
    void run(Platform platform) throws Exception;
  }

  /** What a rank does, with its own platform and the group of all ranks. */
  @FunctionalInterface
  public interface GroupBody {
    void run(Platform platform, ProcessGroup group) throws Exception;
  }

  private static final String NOT_RECORDED =
      "the program ran on a real device, and nothing of it was recorded: record a program with the"
          + " agent, and assert on its file with StreamTrace.open(...)";

  private static final Path FOLDER = Path.of("target", "eddyline");

  private final DeviceKind kind;
  private final String name;

  @SuppressWarnings("ThreadLocalUsage") // a test's own, so that tests in parallel share nothing
  private final InheritableThreadLocal<@Nullable Rank> current = new InheritableThreadLocal<>();

  private final List<StreamTrace> recorded = new ArrayList<>();
  private Path folder = FOLDER;
  private int ranks = 1;
  private int schedules = 1;
  private long seed;
  private boolean strict;
  private UnaryOperator<SimOptions> change = options -> options;

  /** A rank and what it has; for all its threads. */
  private static final class Rank {
    private final Platform platform;
    private final Results results;
    private @Nullable ProcessGroup group;

    Rank(Platform platform, Results results) {
      this.platform = platform;
      this.results = results;
    }

    ProcessGroup group() {
      ProcessGroup known = group;
      if (known == null) {
        known = ProcessGroup.join(platform, "world");
        group = known;
      }
      return known;
    }

    /**
     * Leaves the group. The device is done by then, by a sync at the end of the trace, so that no
     * assertion takes the leaving for a wait of the program.
     */
    void close() {
      ProcessGroup known = group;
      if (known != null) {
        platform.device().synchronize();
        known.close();
      }
    }

    /** Lets the others know that this rank will not come any more. */
    void abort() {
      ProcessGroup known = group;
      if (known != null) {
        known.abort();
      }
    }
  }

  private Streams(DeviceKind kind, String name) {
    this.kind = kind;
    this.name = name.replaceAll("[^\\w.-]+", "_");
  }

  /**
   * A simulated device.
   *
   * @param name what the file of the trace is called, "DilocoTest.hostNeverWaits"
   */
  public static Streams simulated(String name) {
    return of(DeviceKind.SIM, name);
  }

  /**
   * Real GPUs, one for each rank. The program runs once, and nothing is recorded yet: assertions on
   * the trace cannot be answered.
   */
  public static Streams real(String name) {
    return of(DeviceKind.CUDA, name);
  }

  static Streams of(DeviceKind kind, String name) {
    return new Streams(kind, name);
  }

  // ---- options ----

  /** How many ranks run the program. */
  public Streams withRanks(int count) {
    ranks = atLeastOne(count, "ranks");
    return this;
  }

  /** On how many schedules it runs: the seed, and the numbers after it. */
  public Streams withSchedules(int count) {
    schedules = atLeastOne(count, "schedules");
    return this;
  }

  /** The first schedule; 0 is the plain one. */
  public Streams withSeed(long first) {
    seed = first;
    return this;
  }

  /** Where traces go. */
  public Streams inFolder(Path target) {
    folder = target;
    return this;
  }

  /** Whether assertions that a trace cannot answer fail. */
  public Streams withStrict(boolean failing) {
    strict = failing;
    return this;
  }

  /** Changes the device: its size, its launch queue; ranks and seed are set afterwards. */
  public Streams withOptions(UnaryOperator<SimOptions> changed) {
    change = changed;
    return this;
  }

  private static int atLeastOne(int count, String what) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one of " + what + ", not " + count);
    }
    return count;
  }

  /** The first schedule's seed. */
  public long seed() {
    return seed;
  }

  // ---- in the program ----

  /**
   * The platform of the rank that calls.
   *
   * @throws IllegalStateException outside of {@link #record}
   */
  public Platform platform() {
    return rank().platform;
  }

  /** The first device of the rank that calls. */
  public Device device() {
    return platform().device();
  }

  /**
   * The group of all ranks, "world". The first call of a rank joins it, and blocks until all ranks
   * have called; it is closed at the end of the program.
   */
  public ProcessGroup group() {
    return rank().group();
  }

  /**
   * A result of the rank that calls, which must be the same on every schedule: a number, a text, an
   * array, a list; it is copied.
   *
   * @param what what to call it
   */
  public void result(String what, Object value) {
    Rank rank = rank();
    rank.results.put(rank.platform.rank(), what, value);
  }

  private Rank rank() {
    Rank rank = current.get();
    if (rank == null) {
      throw new IllegalStateException(
          "the devices of a job are there only inside of streams.record(...)");
    }
    return rank;
  }

  // ---- recording ----

  /** Runs and records a program; see the class. */
  public StreamTrace record(Body body) {
    return record(platform -> body.run());
  }

  /** Runs and records a program of a group that all ranks have joined. */
  public StreamTrace record(GroupBody body) {
    return record(platform -> body.run(platform, group()));
  }

  /**
   * Runs and records a program.
   *
   * @throws StreamAssertionError if it fails on some schedules but not on all, or a {@link #result}
   *     differs; if it fails on all, what it threw is thrown
   */
  public StreamTrace record(RankBody body) {
    if (kind == DeviceKind.CUDA) {
      return runForReal(body);
    }
    SimOptions options = change.apply(SimOptions.defaults().withAllStacks(true)).withRanks(ranks);
    String file = recorded.isEmpty() ? name : name + "-" + (recorded.size() + 1);
    SimRuns runs = new SimRuns(options, folder, file);
    for (int i = 0; i < schedules; i++) {
      runs.run(seed + i, program(body));
    }
    StreamTrace trace = runs.trace(strict);
    if (trace != null) {
      recorded.add(trace);
    }
    runs.throwFailure();
    runs.compareResults();
    if (trace == null) {
      throw new IllegalStateException("nothing was recorded");
    }
    return trace;
  }

  private StreamTrace runForReal(RankBody body) {
    Throwable failure = new RealRun(ranks).run(program(body), new Results());
    if (failure != null) {
      throw SimRuns.<RuntimeException>same(failure);
    }
    return StreamTrace.ofNothing(NOT_RECORDED, strict);
  }

  private SimRuns.Program program(RankBody body) {
    return (platform, results) -> {
      Rank rank = new Rank(platform, results);
      current.set(rank);
      try {
        body.run(platform);
        rank.close();
      } catch (Exception | Error e) {
        rank.abort();
        throw e;
      } finally {
        current.remove();
      }
    };
  }

  /** The files of what was recorded and kept so far. */
  public List<Path> files() {
    return recorded.stream()
        .flatMap(trace -> trace.recordings().stream())
        .map(Recording::file)
        .filter(Files::exists)
        .toList();
  }
}
