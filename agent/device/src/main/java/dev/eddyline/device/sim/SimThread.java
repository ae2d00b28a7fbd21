package dev.eddyline.device.sim;

import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Stream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A host thread with a clock of its own. Its fields belong to whoever holds the baton. */
final class SimThread implements Comparable<SimThread>, HostThread {
  /** What a thread is at. */
  enum State {
    RUNNABLE,
    RUNNING,
    BLOCKED,
    DONE
  }

  private static final ThreadLocal<@Nullable SimThread> CURRENT = new ThreadLocal<>();

  final SimProcess process;
  final String name;
  final boolean daemon;
  final int number;
  final int recorded;
  State state = State.RUNNABLE;

  /** Virtual nanoseconds. */
  long now;

  boolean hasDeadline;
  @Nullable DeviceException pending;
  @Nullable Throwable failure;

  /** Depth of groups of collectives, when each was started, and what was called in them. */
  int groupDepth;

  final ArrayDeque<OpenGroup> openGroups = new ArrayDeque<>();

  /**
   * A group that was started.
   *
   * @param start when
   * @param callsBefore collectives called in the outermost group before
   */
  record OpenGroup(long start, int callsBefore) {}

  final List<CollectiveCall> group = new ArrayList<>();

  private final ArrayDeque<SimDevice.Use> uses = new ArrayDeque<>();
  private final Map<SimDevice, SimStream> perThreadStreams = new HashMap<>();
  private final List<SimThread> joining = new ArrayList<>();
  private Thread java = Thread.currentThread();
  private String waitsFor = "";
  private @Nullable DeviceException sentHome;
  private boolean told;

  SimThread(SimProcess process, String name, boolean daemon, long now) {
    this.process = process;
    this.name = name;
    this.daemon = daemon;
    this.now = now;
    this.number = process.world.threads.size();
    this.recorded = process.recorder.thread(process, process.threads++, name);
    process.living++;
  }

  /** The thread that calls, which must be registered. */
  static SimThread current() {
    SimThread thread = CURRENT.get();
    if (thread == null) {
      throw new DeviceException(
          Reason.NOT_PERMITTED,
          "thread '"
              + Thread.currentThread().getName()
              + "' is not known to the simulated host: start it with Host.start");
    }
    return thread;
  }

  static @Nullable SimThread currentOrNull() {
    return CURRENT.get();
  }

  Thread java() {
    return java;
  }

  /** The Java thread that carries it; before it starts. */
  void carriedBy(Thread thread) {
    java = thread;
  }

  /** Binds it to the calling Java thread, or unbinds that. */
  static void bind(@Nullable SimThread thread) {
    if (thread == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(thread);
    }
  }

  // ---- calls ----

  /**
   * Begins a call of the API: lets others come first where they could be seen. Returns when the
   * call begins.
   */
  long enter() {
    World world = process.world;
    world.tick();
    if (world.insideBody) {
      throw new DeviceException(
          Reason.NOT_PERMITTED, "a kernel's body and a host function must not call the device");
    }
    if (process.living > 1) {
      world.see(this);
    } else {
      world.check(this);
    }
    if (now >= process.killAt) {
      process.kill();
      world.check(this);
    }
    now = Math.max(now, process.lastCallEnd) + 1;
    return now;
  }

  /** The call's own work on the host is done; whether it then blocks is another matter. */
  void spend(long nanos) {
    now += process.world.schedule.hostCost(nanos);
    process.lastCallEnd = now;
  }

  /** Blocks until an item is done; whether it was not done already. */
  boolean awaitDone(@Nullable Item item, String what) {
    process.world.see(this);
    if (item == null || item.done) {
      return false;
    }
    waitsFor = what;
    while (!item.done) {
      state = State.BLOCKED;
      item.addWaiter(this);
      process.world.block(this);
    }
    waitsFor = "";
    return true;
  }

  /**
   * Blocks until items are done, in a call that keeps other threads of the process from the driver;
   * whether one was not done already.
   */
  boolean awaitHolding(List<Item> items, String what, DriverLock lock, boolean frees) {
    process.world.see(this);
    boolean done = true;
    for (Item item : items) {
      done &= item.done;
    }
    if (done) {
      return false;
    }
    lock.take(frees);
    try {
      for (Item item : items) {
        awaitDone(item, what);
      }
    } finally {
      lock.release(frees, this);
    }
    return true;
  }

  /** Blocks until it is woken, or until a time. */
  void sleepUntil(long time, String what) {
    World world = process.world;
    waitsFor = what;
    state = State.BLOCKED;
    if (time == Long.MAX_VALUE) {
      world.block(this);
    } else {
      Alarm alarm = new Alarm(this);
      hasDeadline = true;
      world.at(time, alarm);
      try {
        world.block(this);
      } finally {
        hasDeadline = false;
        alarm.cancelled = true;
      }
    }
    waitsFor = "";
  }

  /** Wakes a thread at a time. */
  private static final class Alarm extends Due {
    private final SimThread thread;

    Alarm(SimThread thread) {
      this.thread = thread;
    }

    @Override
    void fire() {
      thread.process.world.wake(thread, time);
    }
  }

  // ---- streams ----

  Stream currentStream(SimDevice device) {
    for (SimDevice.Use use : uses) {
      if (use.stream().device() == device) {
        return use.stream();
      }
    }
    return device.defaultStream();
  }

  Device.Scope use(SimDevice.Use use) {
    uses.push(use);
    return () -> {
      if (uses.peek() != use) {
        throw new DeviceException(
            Reason.INVALID_ARGUMENT, "scopes of current streams are closed innermost first");
      }
      uses.pop();
    };
  }

  SimStream perThreadStream(SimDevice device) {
    return perThreadStreams.computeIfAbsent(device, d -> d.makePerThreadStream(this));
  }

  // ---- as others see it ----

  String describe() {
    return "rank " + process.rank + ", thread '" + name + "'";
  }

  /** What it waits for, in words that follow its name. */
  String waitsFor() {
    return waitsFor.isEmpty() ? "waits" : waitsFor;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isDone() {
    SimThread caller = current();
    process.world.see(caller);
    return state == State.DONE;
  }

  @Override
  public void join() {
    SimThread caller = current();
    process.world.see(caller);
    while (state != State.DONE) {
      joining.add(caller);
      caller.sleepUntil(Long.MAX_VALUE, "waits for thread '" + name + "' to end");
    }
    Throwable thrown = failure;
    if (thrown != null) {
      told = true;
      Reason reason =
          thrown instanceof DeviceException known ? known.reason() : Reason.LAUNCH_FAILED;
      throw new DeviceException(reason, describe() + " failed: " + thrown, thrown);
    }
  }

  /**
   * What its body threw, if nobody was told yet: not that its rank was killed or the simulation was
   * over, and not what came out of a join.
   */
  @Nullable Throwable ownFailure() {
    boolean sentHome =
        failure instanceof DeviceException known
            && (known.reason() == Reason.KILLED && process.isDead() || known == sentHome());
    return sentHome || told ? null : failure;
  }

  /** What it is told when all ranks have ended. */
  DeviceException sentHome() {
    DeviceException known = sentHome;
    if (known == null) {
      known = new DeviceException(Reason.NOT_PERMITTED, "the simulation is over");
      sentHome = known;
    }
    return known;
  }

  /** Its body has ended. */
  void ended() {
    process.living--;
    joining.forEach(thread -> process.world.wake(thread, now));
    joining.clear();
  }

  @Override
  public int compareTo(SimThread other) {
    return now != other.now ? Long.compare(now, other.now) : Integer.compare(number, other.number);
  }
}
