package dev.eddyline.device.sim;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: what is due on the devices, and the host threads, of which one runs at a time.
 *
 * <p>Whoever runs holds the baton. It goes on through enqueues, ahead of the others; where it could
 * see what others did it calls {@link #see}: first everything due up to its own time happens, and
 * threads that are behind it run. So no device event happens while a runnable thread could still
 * enqueue something before it, and everything is in the order of virtual time, whatever the real
 * one. The thread that holds the baton also carries out what is due; there is no other.
 */
final class World {
  /** Virtual time at the beginning: so that no time of a trace is 0, which stands for unknown. */
  static final long START = 1_000_000_000L;

  final SimOptions options;
  final Schedule schedule;
  final List<SimThread> threads = new ArrayList<>();
  final List<SimProcess> processes = new ArrayList<>();

  /** Virtual time of the devices: of what happened last. */
  long now = START;

  /** When a device last finished something. */
  long lastProgress = START;

  /** Whether a body of a kernel or a host function runs now. */
  boolean insideBody;

  /** Ops, records and waits that were carried out. */
  long operations;

  private final DueQueue due = new DueQueue();
  private final ArrayDeque<Item> immediate = new ArrayDeque<>();
  private final PriorityQueue<SimThread> runnable = new PriorityQueue<>();
  private final AtomicLong ticks = new AtomicLong();
  private long ticked;
  private boolean firing;
  private volatile @Nullable SimThread running;
  private volatile @Nullable DeviceException failure;
  private final CountDownLatch quiet = new CountDownLatch(1);
  private volatile int living;
  private int ended;
  private int mainsLeft;
  private boolean over;

  World(SimOptions options) {
    this.options = options;
    this.schedule = new Schedule(options.seed());
  }

  // ---- what is due ----

  void at(long time, Due what) {
    due.add(what, Math.max(time, now));
  }

  /** An item whose dependencies are done; at its time it goes on. */
  void ready(Item item, long time) {
    if (firing && time <= now && item.isInstant()) {
      immediate.add(item);
    } else {
      due.add(item, Math.max(time, now));
    }
  }

  private void fireNext() {
    Due next = due.remove();
    now = next.time;
    firing = true;
    next.fire();
    Item item;
    while ((item = immediate.poll()) != null) {
      item.fire();
    }
    firing = false;
  }

  // ---- threads ----

  void register(SimThread thread) {
    threads.add(thread);
    living = threads.size() - ended;
    if (!thread.daemon) {
      mainsLeft++;
    }
    runnable.add(thread);
  }

  /** Gives the baton to the first thread. */
  void begin() {
    SimThread first = runnable.poll();
    if (first != null) {
      first.state = SimThread.State.RUNNING;
      running = first;
      LockSupport.unpark(first.java());
    }
  }

  /** The calling thread waits for its first turn. */
  void enter(SimThread self) {
    awaitBaton(self);
  }

  /**
   * Lets everything happen that lies before the running thread, device events and other threads.
   */
  void see(SimThread self) {
    for (; ; ) {
      tick();
      SimThread other = runnable.peek();
      Due next = due.peek();
      if (next != null && next.time <= self.now && (other == null || next.time <= other.now)) {
        fireNext();
      } else if (other != null && other.compareTo(self) < 0) {
        runnable.poll();
        self.state = SimThread.State.RUNNABLE;
        runnable.add(self);
        handOver(self, other);
      } else {
        check(self);
        return;
      }
    }
  }

  /** Blocks the running thread until {@link #wake}; its state must be BLOCKED already. */
  void block(SimThread self) {
    for (; ; ) {
      tick();
      SimThread other = runnable.peek();
      Due next = due.peek();
      if (next != null && (other == null || next.time <= other.now)) {
        if (isStalled(next)) {
          deadlock();
        } else {
          fireNext();
        }
      } else if (other == null) {
        deadlock();
      } else {
        runnable.poll();
        if (other == self) {
          self.state = SimThread.State.RUNNING;
        } else {
          handOver(self, other);
        }
        check(self);
        return;
      }
    }
  }

  /** Lets a blocked thread go on at a time, or later if it is later already. */
  void wake(SimThread thread, long time) {
    if (thread.state == SimThread.State.BLOCKED) {
      thread.now = Math.max(thread.now, time);
      thread.state = SimThread.State.RUNNABLE;
      runnable.add(thread);
    }
  }

  /** The running thread ends and gives the baton away for good. */
  void leave(SimThread self) {
    if (self.state == SimThread.State.DONE) {
      return;
    }
    self.state = SimThread.State.DONE;
    living = threads.size() - ++ended;
    self.ended();
    if (!self.daemon && --mainsLeft == 0) {
      finish();
    }
    if (failure != null) {
      return;
    }
    for (; ; ) {
      SimThread other = runnable.peek();
      Due next = due.peek();
      if (next != null && (other == null || next.time <= other.now)) {
        if (isStalled(next)) {
          deadlock();
        } else {
          fireNext();
        }
      } else if (other != null) {
        runnable.poll();
        other.state = SimThread.State.RUNNING;
        running = other;
        LockSupport.unpark(other.java());
        return;
      } else if (threads.stream().anyMatch(t -> t.state == SimThread.State.BLOCKED)) {
        deadlock();
      } else {
        running = null;
        quiet.countDown();
        return;
      }
    }
  }

  /** Waits in real time until no thread runs any more, for at most so long; whether that is so. */
  boolean awaitQuiet(long millis) throws InterruptedException {
    return quiet.await(millis, TimeUnit.MILLISECONDS);
  }

  /** All ranks have ended: what is enqueued still runs, and threads that are left are sent home. */
  private void finish() {
    over = true;
    for (SimThread thread : threads) {
      if (thread.state == SimThread.State.BLOCKED) {
        wake(thread, now);
      }
    }
  }

  /** Virtual time from the beginning until the last thread, or device, had done its last. */
  long elapsed() {
    long last = lastProgress;
    for (SimThread thread : threads) {
      last = Math.max(last, thread.now);
    }
    return last - START;
  }

  private void handOver(SimThread self, SimThread other) {
    other.state = SimThread.State.RUNNING;
    running = other;
    LockSupport.unpark(other.java());
    awaitBaton(self);
  }

  private void awaitBaton(SimThread self) {
    while (running != self) {
      if (failure != null) {
        throw failed();
      }
      LockSupport.park(this);
    }
    if (failure != null) {
      throw failed();
    }
  }

  /** Throws what the running thread must be told. */
  void check(SimThread self) {
    if (failure != null) {
      throw failed();
    }
    DeviceException pending = self.pending;
    if (pending != null) {
      self.pending = null;
      throw pending;
    }
    if (self.process.isDead()) {
      throw new DeviceException(
          Reason.KILLED, "rank " + self.process.rank + " was killed, as the options say");
    }
    if (over && self.daemon) {
      throw self.sentHome();
    }
  }

  // ---- faults ----

  private boolean isStalled(Due next) {
    return next.time - lastProgress > options.stallNanos()
        && threads.stream()
            .filter(thread -> !thread.daemon)
            .allMatch(
                thread ->
                    thread.state == SimThread.State.DONE
                        || thread.state == SimThread.State.BLOCKED && !thread.hasDeadline)
        && threads.stream()
            .anyMatch(thread -> !thread.daemon && thread.state == SimThread.State.BLOCKED);
  }

  /** Nothing can happen any more: every rank that waits is told why. */
  private void deadlock() {
    String why = Diagnosis.deadlock(this);
    lastProgress = now;
    boolean mainsWait = threads.stream().anyMatch(thread -> isWaiting(thread, false));
    for (SimThread thread : threads) {
      if (isWaiting(thread, !mainsWait)) {
        thread.pending =
            new DeviceException(Reason.DEADLOCK, thread.describe() + " " + thread.waitsFor() + why);
        wake(thread, now);
      }
    }
  }

  private static boolean isWaiting(SimThread thread, boolean daemons) {
    return thread.state == SimThread.State.BLOCKED && (daemons || !thread.daemon);
  }

  /** Ends the simulation: every thread is thrown out at its next call. */
  void fail(DeviceException why) {
    synchronized (ticks) {
      if (failure == null) {
        failure = why;
      }
    }
    quiet.countDown();
    for (SimThread thread : threads) {
      LockSupport.unpark(thread.java());
    }
  }

  private DeviceException failed() {
    DeviceException why = failure;
    return why == null
        ? new DeviceException(Reason.NOT_PERMITTED, "the simulation is over")
        : new DeviceException(why.reason(), String.valueOf(why.getMessage()), why);
  }

  @Nullable DeviceException failure() {
    return failure;
  }

  /** Who holds the baton; for the watch. */
  @Nullable SimThread running() {
    return running;
  }

  /** How many threads have not ended; for the watch. */
  int living() {
    return living;
  }

  /** Changes whenever the running thread comes by; for the watch. */
  long ticks() {
    return ticks.get();
  }

  void tick() {
    ticks.lazySet(++ticked);
  }
}
