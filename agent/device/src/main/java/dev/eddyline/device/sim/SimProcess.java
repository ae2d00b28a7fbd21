package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rank: a process with its own devices, ids and driver lock. */
final class SimProcess {
  final World world;
  final int rank;
  final Recorder recorder;
  final int recorded;
  final List<SimDevice> devices = new ArrayList<>();
  final List<SimCommunicator> communicators = new ArrayList<>();

  /** Threads so far, and those that still run; a launch that NCCL does later counts as one. */
  int threads;

  int living;

  /** End of the last call: the driver's lock is held by one call at a time. */
  long lastCallEnd;

  /** When it is killed. */
  final long killAt;

  private @Nullable SimThread libraryThread;
  private boolean dead;
  private long diedAt;
  private long lastCorrelation;
  private long lastSyncId;
  private long callbackFreeAt;

  SimProcess(World world, int rank, Recorder recorder) {
    this.world = world;
    this.rank = rank;
    this.recorder = recorder;
    this.recorded = recorder.process(rank, world.options.ranks());
    this.killAt =
        world.options.kills().getOrDefault(rank, Long.MAX_VALUE - World.START) + World.START;
  }

  long nextCorrelation() {
    return ++lastCorrelation;
  }

  long lastCorrelation() {
    return lastCorrelation;
  }

  /** The thread on which the collective library launches what came to it earlier. */
  SimThread libraryThread() {
    SimThread thread = libraryThread;
    if (thread == null) {
      thread = new SimThread(this, "collectives", true, world.now);
      thread.state = SimThread.State.DONE;
      living--;
      libraryThread = thread;
    }
    return thread;
  }

  long nextSyncId() {
    return ++lastSyncId;
  }

  /** When a host function can start, that is ready at a time: one thread runs them all. */
  long takeCallbackThread(long from, long nanos) {
    long start = Math.max(from, callbackFreeAt);
    callbackFreeAt = start + nanos;
    return start;
  }

  boolean isDead() {
    return dead;
  }

  long diedAt() {
    return diedAt - World.START;
  }

  /** The process is gone: nothing of it starts any more. */
  void kill() {
    if (dead) {
      return;
    }
    dead = true;
    diedAt = Math.min(killAt, Math.max(world.now, World.START));
    for (SimThread thread : world.threads) {
      if (thread.process == this) {
        world.wake(thread, diedAt);
      }
    }
    communicators.forEach(communicator -> communicator.core.rankDied(this));
  }
}
