package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * What a thread that is blocked in a call of the driver keeps other threads of its process from, on
 * one device: driver 580 lets none launch while one waits in {@code cudaMemcpy}, and lets none
 * allocate either while one waits in {@code cudaFree}. Waits in syncs hold nobody.
 */
final class DriverLock {
  /** What a call does, as far as the lock matters. */
  enum Use {
    /** A launch, copy, fill, host function or record: puts something on a stream. */
    ENQUEUE,
    /** {@code cudaMalloc}, or a new stream. */
    ALLOCATE
  }

  private final World world;
  private int copying;
  private int freeing;
  private final List<SimThread> waiting = new ArrayList<>(2);
  private final List<Due> deferred = new ArrayList<>(1);

  DriverLock(World world) {
    this.world = world;
  }

  private boolean holds(Use use) {
    return freeing > 0 || copying > 0 && use == Use.ENQUEUE;
  }

  /** Begins to hold others up, until {@link #release}. */
  void take(boolean frees) {
    if (frees) {
      freeing++;
    } else {
      copying++;
    }
  }

  /** The blocked call of a thread returns: others go on. */
  void release(boolean frees, SimThread holder) {
    if (frees) {
      freeing--;
    } else {
      copying--;
    }
    if (freeing + copying > 0 || waiting.isEmpty() && deferred.isEmpty()) {
      return;
    }
    for (SimThread thread : List.copyOf(waiting)) {
      world.wake(thread, holder.now);
    }
    List<Due> late = List.copyOf(deferred);
    deferred.clear();
    late.forEach(due -> world.at(holder.now, due));
  }

  /**
   * Waits until a thread may do what it wants to.
   *
   * @return whether it was held up
   */
  boolean pass(SimThread thread, Use use, Api api) {
    if (!holds(use)) {
      return false;
    }
    while (holds(use)) {
      waiting.add(thread);
      try {
        thread.sleepUntil(
            Long.MAX_VALUE,
            "is kept from " + api.call() + " by a thread that is blocked in the driver");
      } finally {
        waiting.remove(thread);
      }
    }
    return true;
  }

  /** Puts off what launches without a thread of the program; whether that was necessary. */
  boolean defers(Due launch) {
    if (!holds(Use.ENQUEUE)) {
      return false;
    }
    deferred.add(launch);
    return true;
  }
}
