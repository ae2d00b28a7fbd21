package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import dev.eddyline.device.Signal;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** Runs continuations one after the other on a thread of its own, made when the first one comes. */
final class ContinuationThread implements Executor {
  private final Host host;
  private final String name;
  private final Signal signal;
  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean started;
  private volatile boolean closed;

  ContinuationThread(Host host, String name) {
    this.host = host;
    this.name = name;
    this.signal = host.signal();
  }

  @Override
  public void execute(Runnable task) {
    waiting.add(task);
    boolean first;
    synchronized (waiting) {
      first = !started;
      started = true;
    }
    if (first) {
      host.start(name, this::run);
    } else {
      signal.wake();
    }
  }

  void close() {
    closed = true;
    if (started) {
      signal.wake();
    }
  }

  private void run() {
    try {
      while (!closed) {
        signal.await(() -> closed || !waiting.isEmpty(), Signal.FOREVER);
        Runnable task;
        while ((task = waiting.poll()) != null) {
          task.run();
        }
      }
    } catch (DeviceException e) {
      if (e.reason() != Reason.KILLED && e.reason() != Reason.NOT_PERMITTED) {
        throw e;
      }
    }
  }
}
