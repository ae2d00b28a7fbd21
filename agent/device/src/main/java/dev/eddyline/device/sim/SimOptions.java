package dev.eddyline.device.sim;

import java.util.HashMap;
import java.util.Map;

/**
 * What is simulated. Immutable; the {@code with…} methods give changed copies.
 *
 * @param ranks how many ranks the job has; each is a process of its own with its own devices
 * @param devicesPerRank devices that a rank has
 * @param seed 0 for the plain schedule, any other number for a variation of it
 * @param multiprocessors multiprocessors of a device
 * @param memoryBytes memory of a device
 * @param launchQueue with so many launches on a stream the host waits, as the driver does at 1023
 * @param ncclInternal whether traces show the events that NCCL records and waits for by itself
 * @param collectiveBlocks multiprocessors that a collective holds while it runs
 * @param stacks whether blocked calls carry the Java frames that made them
 * @param allStacks whether launches, records, waits and syncs carry them too, blocked or not
 * @param onePerRank whether each rank gets a trace of its own
 * @param recorded whether a trace is made at all
 * @param kills when ranks die, in nanoseconds after the beginning, by rank
 * @param noticeNanos how long after a death the communicators of the others say so
 * @param stallNanos when for so long no device finished anything, and all ranks wait without an
 *     end, that is a deadlock even if other threads still poll
 * @param standstillMillis real time after which a thread that stands still outside the simulated
 *     host, while others wait for it, is an error
 */
public record SimOptions(
    int ranks,
    int devicesPerRank,
    long seed,
    int multiprocessors,
    long memoryBytes,
    int launchQueue,
    boolean ncclInternal,
    int collectiveBlocks,
    boolean stacks,
    boolean allStacks,
    boolean onePerRank,
    boolean recorded,
    Map<Integer, Long> kills,
    long noticeNanos,
    long stallNanos,
    long standstillMillis) {
  public SimOptions {
    if (ranks < 1 || devicesPerRank < 1 || multiprocessors < 1 || launchQueue < 2) {
      throw new IllegalArgumentException(
          "at least one rank, device and multiprocessor, and a launch queue of two");
    }
    kills = Map.copyOf(kills);
  }

  /** One rank with one device like an H200; the plain schedule. */
  public static SimOptions defaults() {
    return new SimOptions(
        1,
        1,
        0,
        132,
        140L << 30,
        1023,
        true,
        16,
        true,
        false,
        false,
        true,
        Map.of(),
        1_000_000_000L,
        1_200_000_000_000L,
        1_000);
  }

  /** With so many ranks. */
  public SimOptions withRanks(int count) {
    return new Copy(this).ranks(count).make();
  }

  /** With so many devices for each rank. */
  public SimOptions withDevicesPerRank(int count) {
    return new Copy(this).devices(count).make();
  }

  /** With another schedule; 0 is the plain one. */
  public SimOptions withSeed(long value) {
    return new Copy(this).seed(value).make();
  }

  /** With devices of so many multiprocessors. */
  public SimOptions withMultiprocessors(int count) {
    return new Copy(this).multiprocessors(count).make();
  }

  /** With devices of so much memory, in bytes. */
  public SimOptions withMemoryBytes(long bytes) {
    return new Copy(this).memory(bytes).make();
  }

  /** With another length of the launch queue. */
  public SimOptions withLaunchQueue(int length) {
    return new Copy(this).queue(length).make();
  }

  /** With or without NCCL's own events in the trace; the order they make is kept. */
  public SimOptions withNcclInternal(boolean shown) {
    return new Copy(this).internal(shown).make();
  }

  /** With or without the Java frames of blocked calls. */
  public SimOptions withStacks(boolean taken) {
    return new Copy(this).stacks(taken).make();
  }

  public SimOptions withAllStacks(boolean taken) {
    return new Copy(this).allStacks(taken).make();
  }

  /** A trace for each rank, as processes of their own would write, in place of one for all. */
  public SimOptions withTracePerRank(boolean each) {
    return new Copy(this).perRank(each).make();
  }

  /** With or without a trace. */
  public SimOptions withRecorded(boolean trace) {
    return new Copy(this).recorded(trace).make();
  }

  /** Kills a rank, so many nanoseconds after the beginning. */
  public SimOptions withKill(int rank, long nanos) {
    return new Copy(this).kill(rank, nanos).make();
  }

  /** With another patience, in real milliseconds, for threads that block outside. */
  public SimOptions withStandstillMillis(long millis) {
    return new Copy(this).standstill(millis).make();
  }

  /** With another virtual time without progress that counts as a deadlock. */
  public SimOptions withStallNanos(long nanos) {
    return new Copy(this).stall(nanos).make();
  }

  /** A changeable copy. */
  private static final class Copy {
    private final SimOptions from;
    private int ranks;
    private int devices;
    private long seed;
    private int multiprocessors;
    private long memory;
    private int queue;
    private boolean internal;
    private boolean stacks;
    private boolean allStacks;
    private boolean perRank;
    private boolean recorded;
    private final Map<Integer, Long> kills;
    private long stall;
    private long standstill;

    Copy(SimOptions from) {
      this.from = from;
      ranks = from.ranks;
      devices = from.devicesPerRank;
      seed = from.seed;
      multiprocessors = from.multiprocessors;
      memory = from.memoryBytes;
      queue = from.launchQueue;
      internal = from.ncclInternal;
      stacks = from.stacks;
      allStacks = from.allStacks;
      perRank = from.onePerRank;
      recorded = from.recorded;
      kills = new HashMap<>(from.kills);
      stall = from.stallNanos;
      standstill = from.standstillMillis;
    }

    Copy ranks(int value) {
      ranks = value;
      return this;
    }

    Copy devices(int value) {
      devices = value;
      return this;
    }

    Copy seed(long value) {
      seed = value;
      return this;
    }

    Copy multiprocessors(int value) {
      multiprocessors = value;
      return this;
    }

    Copy memory(long value) {
      memory = value;
      return this;
    }

    Copy queue(int value) {
      queue = value;
      return this;
    }

    Copy internal(boolean value) {
      internal = value;
      return this;
    }

    Copy stacks(boolean value) {
      stacks = value;
      return this;
    }

    Copy allStacks(boolean value) {
      allStacks = value;
      return this;
    }

    Copy perRank(boolean value) {
      perRank = value;
      return this;
    }

    Copy recorded(boolean value) {
      recorded = value;
      return this;
    }

    Copy kill(int rank, long nanos) {
      kills.put(rank, nanos);
      return this;
    }

    Copy stall(long value) {
      stall = value;
      return this;
    }

    Copy standstill(long value) {
      standstill = value;
      return this;
    }

    SimOptions make() {
      return new SimOptions(
          ranks,
          devices,
          seed,
          multiprocessors,
          memory,
          queue,
          internal,
          from.collectiveBlocks,
          stacks,
          allStacks,
          perRank,
          recorded,
          kills,
          from.noticeNanos,
          stall,
          standstill);
    }
  }
}
