package dev.eddyline.device.sim;

import dev.eddyline.device.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Threads that wait for one another, in virtual time. */
final class SimSignal implements Signal {
  private static final long WAKE = 5_000;
  private final List<SimThread> waiting = new ArrayList<>();

  @Override
  public boolean await(BooleanSupplier condition, long timeoutNanos) {
    SimThread thread = SimThread.current();
    World world = thread.process.world;
    long deadline =
        timeoutNanos >= Long.MAX_VALUE - thread.now
            ? Long.MAX_VALUE
            : thread.now + Math.max(0, timeoutNanos);
    world.see(thread);
    while (!condition.getAsBoolean()) {
      if (thread.now >= deadline) {
        return false;
      }
      waiting.add(thread);
      try {
        thread.sleepUntil(deadline, "waits for a signal");
      } finally {
        waiting.remove(thread);
      }
    }
    return true;
  }

  @Override
  public void wake() {
    SimThread thread = SimThread.currentOrNull();
    if (thread == null) {
      throw new IllegalStateException("a signal is woken by a thread that the host knows");
    }
    World world = thread.process.world;
    if (!world.insideBody) {
      world.see(thread);
    }
    long time = (world.insideBody ? world.now : thread.now) + WAKE;
    for (SimThread other : List.copyOf(waiting)) {
      world.wake(other, time);
    }
  }
}
