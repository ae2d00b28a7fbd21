package dev.eddyline.device.conformance;

import dev.eddyline.device.Host;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Signal;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A host thread of a program: makes the calls that it is given, one after the other. */
final class Worker {
  private final Signal signal;
  private final ConcurrentLinkedQueue<Runnable> calls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private final HostThread thread;
  private volatile boolean stopping;

  Worker(Host host, String name) {
    signal = host.signal();
    thread = host.start(name, this::work);
  }

  private void work() {
    while (true) {
      signal.await(() -> stopping || !calls.isEmpty(), Signal.FOREVER);
      Runnable call = calls.poll();
      if (call == null) {
        return;
      }
      try {
        call.run();
      } finally {
        open.decrementAndGet();
        signal.wake();
      }
    }
  }

  void give(Runnable call) {
    open.incrementAndGet();
    calls.add(call);
    signal.wake();
  }

  /** Waits until all that was given is done, or the thread died of it. */
  void await() {
    signal.await(() -> open.get() == 0, Signal.FOREVER);
  }

  void stop() {
    stopping = true;
    signal.wake();
    thread.join();
  }
}
