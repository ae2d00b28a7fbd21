package dev.eddyline.device.sim;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Platform;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated job. Each rank is a thread with its own devices; of all threads one runs at a time,
 * the one whose virtual time is least, so that the same program with the same seed does the same,
 * byte for byte of its trace.
 *
 * <p>A program must take time and threads from its {@link Platform#host()}, wait for other threads
 * through it, and draw random numbers from seeds of its own. Simulations share nothing: any number
 * of them may run at once.
 */
public final class Sim {
  /** What a rank does. */
  @FunctionalInterface
  public interface Program {
    /** Runs on the rank's own thread. */
    void run(Platform platform) throws Exception;
  }

  private static final long LOOK_MILLIS = 100;
  private static final long GRACE_MILLIS = 2_000;
  private static final long HOME_MILLIS = 30_000;
  private static final int BLOCK_ROWS = 1 << 14;
  private static final long NEVER = Long.MAX_VALUE;
  private static final int MOST_STRINGS = 1_000_000;

  private final SimOptions options;
  private final World world;
  private final List<SimTrace> traces = new ArrayList<>();
  private final List<EddyWriter> writers = new ArrayList<>();
  private final List<SimPlatform> platforms = new ArrayList<>();

  private Sim(SimOptions options) {
    this.options = options;
    this.world = new World(options);
    SimCollectives collectives = new SimCollectives(world);
    SimStore store = new SimStore();
    Recorder recorder = newRecorder();
    for (int rank = 0; rank < options.ranks(); rank++) {
      if (rank > 0 && options.onePerRank()) {
        recorder = newRecorder();
      }
      SimProcess process = new SimProcess(world, rank, recorder);
      world.processes.add(process);
      for (int ordinal = 0; ordinal < options.devicesPerRank(); ordinal++) {
        process.devices.add(new SimDevice(process, ordinal));
      }
      platforms.add(new SimPlatform(process, collectives, store));
    }
  }

  private Recorder newRecorder() {
    SimTrace trace = new SimTrace();
    traces.add(trace);
    TraceHeader header =
        new TraceHeader(
            "Eddyline simulated device",
            -1,
            "",
            null,
            // Sorted: the order of Map.of differs from one JVM to the next.
            new TreeMap<>(Map.of("device", "simulated", "seed", Long.toString(options.seed()))),
            List.of("calls", "ops", "records", "waits", "syncs", "collectives", "marks"),
            List.of());
    WriterOptions defaults = WriterOptions.defaults();
    // No frame may end because of the real clock: the same seed gives the same bytes.
    WriterOptions timeless =
        new WriterOptions(
            defaults.level(),
            BLOCK_ROWS,
            NEVER,
            defaults.repeatBytes(),
            MOST_STRINGS,
            defaults.maxCharacters(),
            failure -> {});
    EddyWriter writer = new EddyWriter(trace.sink(), header, timeless);
    writers.add(writer);
    return new Recorder(writer, options);
  }

  /**
   * Runs a program on all ranks and waits for the last. The calling thread takes no part.
   *
   * @return how it went
   * @throws DeviceException what the device itself found: a deadlock, a thread that stands still
   *     outside of the simulated host
   * @throws RuntimeException what the program of the lowest rank that failed threw; checked
   *     exceptions come as the cause of a {@link DeviceException}. That a rank was killed because
   *     the options say so is no failure.
   */
  public static SimResult run(SimOptions options, Program program) {
    return new Sim(options).execute(program);
  }

  /** Runs a program on one rank, on the plain schedule. */
  public static SimResult run(Program program) {
    return run(SimOptions.defaults(), program);
  }

  private SimResult execute(Program program) {
    List<Thread> carriers = new ArrayList<>();
    for (SimPlatform platform : platforms) {
      SimProcess process = world.processes.get(platform.rank());
      long begin = World.START + world.schedule.lateness();
      SimThread thread = new SimThread(process, "main", false, begin);
      world.register(thread);
      carriers.add(SimHost.ThreadBody.make(thread, () -> program.run(platform)));
      if (process.killAt != Long.MAX_VALUE) {
        world.at(process.killAt, new Death(process));
      }
    }
    carriers.forEach(Thread::start);
    Watch watch = new Watch(world, options.standstillMillis());
    watch.start();
    world.begin();
    awaitEnd(carriers);
    watch.stop();
    world.processes.forEach(process -> process.recorder.memory.flush());
    writers.forEach(EddyWriter::close);
    throwFailure();
    return new SimResult(traces, world.elapsed(), world.operations);
  }

  /** The end of a rank at its time. */
  private static final class Death extends Due {
    private final SimProcess process;

    Death(SimProcess process) {
      this.process = process;
    }

    @Override
    void fire() {
      process.kill();
    }
  }

  private void awaitEnd(List<Thread> carriers) {
    try {
      for (Thread carrier : carriers) {
        while (carrier.isAlive() && world.failure() == null) {
          carrier.join(LOOK_MILLIS);
        }
      }
      if (!world.awaitQuiet(world.failure() == null ? HOME_MILLIS : 0)) {
        SimThread last = world.running();
        world.fail(
            new DeviceException(
                Reason.NOT_PERMITTED,
                (last == null ? "a thread" : last.describe())
                    + " goes on although all ranks have ended: let it end when a call throws"));
      }
      for (Thread carrier : carriers) {
        if (carrier.isAlive()) {
          carrier.interrupt();
          carrier.join(GRACE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      world.fail(new DeviceException(Reason.NOT_PERMITTED, "the simulation was interrupted", e));
      Thread.currentThread().interrupt();
    }
  }

  private void throwFailure() {
    DeviceException ofWorld = world.failure();
    if (ofWorld != null) {
      throw ofWorld;
    }
    @Nullable Throwable first = null;
    for (boolean daemons : new boolean[] {false, true}) {
      for (SimThread thread : world.threads) {
        Throwable failure = thread.daemon == daemons ? thread.ownFailure() : null;
        if (first == null) {
          first = failure;
        } else if (failure != null && failure != first) {
          first.addSuppressed(failure);
        }
      }
    }
    if (first instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (first instanceof Error error) {
      throw error;
    }
    if (first != null) {
      throw new DeviceException(Reason.DRIVER, "the program failed: " + first, first);
    }
  }
}
