package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing on a stream: an op, a record, a wait. It goes on when the item before it on its stream
 * is done, all others that it waits for are, and the time of its launch has come.
 */
final class Item extends Due {
  /** What an item is. */
  enum Kind {
    RECORD(true),
    WAIT(true),
    ALLOC(true),
    FREE(true),
    KERNEL(false),
    FILL(false),
    COPY(false),
    HOST_FUNCTION(false),
    COLLECTIVE(false);

    private final boolean instant;

    Kind(boolean instant) {
      this.instant = instant;
    }
  }

  final SimStream stream;
  final Kind kind;

  /** Earliest time, from its launch and from what it waits for. */
  private long earliest;

  /** Things that it still waits for; one is taken off when it is submitted. */
  private int waiting = 1;

  boolean done;
  long doneAt;

  // Ops only.
  boolean started;
  long startAt;
  long cost;
  int demand;
  int held;
  long order;
  int name;
  long correlation;
  OpFacts facts = OpFacts.NONE;
  @Nullable Runnable body;
  @Nullable Launch launch;

  private @Nullable Item dependent;
  private @Nullable List<Item> moreDependents;
  private @Nullable SimThread waiter;
  private @Nullable List<SimThread> moreWaiters;

  Item(SimStream stream, Kind kind, long earliest) {
    this.stream = stream;
    this.kind = kind;
    this.earliest = earliest;
  }

  /** Whether it takes no time. */
  boolean isInstant() {
    return kind.instant;
  }

  /** It must come after another item; a null or finished one is none. */
  void after(@Nullable Item other) {
    if (other == null) {
      return;
    }
    if (other.done) {
      earliest = Math.max(earliest, other.doneAt + gap());
      return;
    }
    waiting++;
    if (other.dependent == null) {
      other.dependent = this;
    } else {
      if (other.moreDependents == null) {
        other.moreDependents = new ArrayList<>(4);
      }
      other.moreDependents.add(this);
    }
  }

  private long gap() {
    return isInstant() ? 0 : Costs.START_GAP;
  }

  void submit() {
    if (--waiting == 0) {
      stream.world.ready(this, earliest);
    }
  }

  void addWaiter(SimThread thread) {
    if (waiter == null) {
      waiter = thread;
    } else {
      if (moreWaiters == null) {
        moreWaiters = new ArrayList<>(2);
      }
      moreWaiters.add(thread);
    }
  }

  @Override
  void fire() {
    if (stream.device.process.isDead()) {
      return;
    }
    long now = stream.world.now;
    switch (kind) {
      case RECORD, WAIT, ALLOC, FREE -> complete(now);
      case KERNEL, FILL, COLLECTIVE -> {
        if (started) {
          stream.device.processors.end(this, now);
        } else {
          stream.device.processors.request(this, now);
        }
      }
      case COPY -> {
        if (started) {
          stream.device.copyEngines.end(this, now);
        } else {
          stream.device.copyEngines.request(this, now);
        }
      }
      case HOST_FUNCTION -> fireHostFunction(now);
    }
  }

  private void fireHostFunction(long now) {
    if (!started) {
      long start = stream.device.process.takeCallbackThread(now, cost);
      started = true;
      startAt = start;
      stream.world.at(start, this);
    } else if (now == startAt && body != null) {
      runBody();
      stream.world.at(startAt + cost, this);
    } else {
      complete(now);
    }
  }

  /** Runs what it computes, once. */
  void runBody() {
    Runnable computes = body;
    body = null;
    if (computes == null) {
      return;
    }
    stream.world.insideBody = true;
    try {
      computes.run();
    } catch (RuntimeException | Error e) {
      stream.device.fail(stream.device.process.recorder.text(name), e);
    } finally {
      stream.world.insideBody = false;
    }
  }

  /** It is done: what waits for it goes on. */
  void complete(long at) {
    done = true;
    doneAt = at;
    World world = stream.world;
    world.operations++;
    if (!isInstant()) {
      world.lastProgress = at;
      stream.device.process.recorder.op(this);
    }
    launch = null;
    stream.completed(this);
    Item next = dependent;
    dependent = null;
    if (next != null) {
      next.dependencyDone(at);
    }
    List<Item> others = moreDependents;
    moreDependents = null;
    if (others != null) {
      others.forEach(other -> other.dependencyDone(at));
    }
    wakeWaiters(at);
  }

  private void dependencyDone(long at) {
    earliest = Math.max(earliest, at + gap());
    if (--waiting == 0) {
      stream.world.ready(this, earliest);
    }
  }

  private void wakeWaiters(long at) {
    World world = stream.world;
    SimThread first = waiter;
    waiter = null;
    if (first != null) {
      world.wake(first, at + Costs.RETURN);
    }
    List<SimThread> rest = moreWaiters;
    moreWaiters = null;
    if (rest != null) {
      rest.forEach(thread -> world.wake(thread, at + Costs.RETURN));
    }
  }
}
