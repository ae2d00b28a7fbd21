package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import dev.eddyline.device.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Looks after works that are under way: finds out by event queries which are done, and fails the
 * group when one takes too long or the collective library reports an error.
 *
 * <p>Its thread asks and never enqueues, so that nobody takes its queries for a host that waits;
 * continuations run on a thread of their own. It looks ten times a second, and every 50 µs while
 * somebody waits for a continuation.
 */
final class Watcher {
  private static final long ROUND = 100_000_000;
  private static final long SOON = 50_000;

  private final Host host;
  private final String name;
  private final Signal signal;
  private final ConcurrentLinkedQueue<Work> arriving = new ConcurrentLinkedQueue<>();
  private final List<Work> pending = new ArrayList<>();
  private volatile boolean started;
  private volatile boolean idle;
  private volatile boolean hurried;
  private volatile boolean closed;

  Watcher(Host host, String name) {
    this.host = host;
    this.name = name;
    this.signal = host.signal();
  }

  void add(Work work) {
    arriving.add(work);
    if (startIfNeeded()) {
      return;
    }
    // A look now and then is enough, unless the work must be done before the next one.
    if (idle || work.deadline() - host.nanoTime() < 2 * ROUND) {
      hurry();
    }
  }

  private boolean startIfNeeded() {
    synchronized (arriving) {
      if (started) {
        return false;
      }
      started = true;
    }
    host.start(name, this::run);
    return true;
  }

  void hurry() {
    hurried = true;
    signal.wake();
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
        long pause = look();
        idle = pending.isEmpty() && arriving.isEmpty();
        signal.await(() -> closed || hurried, idle ? Signal.FOREVER : pause);
        idle = false;
        hurried = false;
      }
    } catch (DeviceException e) {
      if (e.reason() != Reason.KILLED && e.reason() != Reason.NOT_PERMITTED) {
        failAll(e);
      }
    }
  }

  private void takeArrivals() {
    Work work;
    while ((work = arriving.poll()) != null) {
      pending.add(work);
    }
  }

  /** Looks at all; how long to pause at most until the next time. */
  private long look() {
    takeArrivals();
    long now = host.nanoTime();
    long next = Times.after(now, ROUND);
    boolean awaited = false;
    List<Work> left = new ArrayList<>();
    for (Work work : pending) {
      if (!work.isDone()) {
        next = Math.min(next, work.watch(now));
        awaited |= work.isAwaited();
        left.add(work);
      }
    }
    pending.clear();
    pending.addAll(left);
    if (!left.isEmpty()) {
      checkCommunicator(left.get(0), now);
    }
    long latest = awaited ? Math.min(next, now + SOON) : next;
    return Math.max(1, latest - host.nanoTime());
  }

  private static void checkCommunicator(Work oldest, long now) {
    Membership of = oldest.membership();
    Issued what = oldest.issued();
    if (of == null || what == null || of.failure() != null || !of.isBroken()) {
      return;
    }
    DeviceException error = of.communicator().error();
    String why = error == null ? "the communicator failed" : String.valueOf(error.getMessage());
    of.fail(Reason.COMMUNICATOR, what, why, Math.max(now, oldest.deadline()), error);
  }

  /** The device is at fault: nothing that is under way will be done. */
  private void failAll(DeviceException e) {
    takeArrivals();
    for (Work work : pending) {
      Membership of = work.membership();
      Issued what = work.issued();
      if (of != null && what != null) {
        of.fail(e.reason(), what, String.valueOf(e.getMessage()), host.nanoTime(), e);
      }
    }
  }
}
