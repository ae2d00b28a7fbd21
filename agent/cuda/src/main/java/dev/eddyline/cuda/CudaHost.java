package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Signal;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The host as it is: its own clock and threads. */
final class CudaHost implements Host {
  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void work(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void sleep(long nanos) {
    long start = System.nanoTime();
    for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        throw new DeviceException(Reason.KILLED, "the thread was interrupted while it slept");
      }
    }
  }

  @Override
  public HostThread start(String name, Runnable body) {
    StartedThread thread = new StartedThread(name, body);
    thread.java.start();
    return thread;
  }

  @Override
  public Signal signal() {
    return new MonitorSignal();
  }

  /** A Java thread with what its body threw. */
  private static final class StartedThread implements HostThread {
    private final String name;
    private final Thread java;
    private volatile @Nullable Throwable failure;

    StartedThread(String name, Runnable body) {
      this.name = name;
      this.java =
          new Thread(
              () -> {
                try {
                  body.run();
                } catch (RuntimeException | Error e) {
                  failure = e;
                }
              },
              name);
      java.setDaemon(true);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isDone() {
      return !java.isAlive();
    }

    @Override
    public void join() {
      try {
        java.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DeviceException(
            Reason.KILLED, "interrupted while waiting for thread '" + name + "'", e);
      }
      Throwable thrown = failure;
      if (thrown != null) {
        Reason reason =
            thrown instanceof DeviceException known ? known.reason() : Reason.LAUNCH_FAILED;
        throw new DeviceException(reason, "thread '" + name + "' failed: " + thrown, thrown);
      }
    }
  }

  /** Counts the wakes, so that none is lost between a look at the condition and the wait. */
  private static final class MonitorSignal implements Signal {
    private final Object monitor = new Object();
    private long wakes;

    @Override
    public boolean await(BooleanSupplier condition, long timeoutNanos) {
      long start = System.nanoTime();
      while (true) {
        long seen;
        synchronized (monitor) {
          seen = wakes;
        }
        if (condition.getAsBoolean()) {
          return true;
        }
        if (!sleepUntilWoken(seen, start, timeoutNanos)) {
          return condition.getAsBoolean();
        }
      }
    }

    private boolean sleepUntilWoken(long seen, long start, long timeoutNanos) {
      synchronized (monitor) {
        while (wakes == seen) {
          long left =
              timeoutNanos == FOREVER ? Long.MAX_VALUE : timeoutNanos - (System.nanoTime() - start);
          if (left <= 0) {
            return false;
          }
          try {
            monitor.wait(Math.max(1, Math.min(left / 1_000_000, 1_000_000)));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException(Reason.KILLED, "interrupted while waiting for a signal", e);
          }
        }
        return true;
      }
    }

    @Override
    public void wake() {
      synchronized (monitor) {
        wakes++;
        monitor.notifyAll();
      }
    }
  }
}
