package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a collective returns: a handle of work that is enqueued and may not be done yet.
 *
 * <p><b>Who waits.</b> {@link #waitOnStream()} makes the current <em>stream</em> wait and returns
 * at once; it is the one to use. {@link #waitBlocking()} and {@link #waitBlocking(long)} hold the
 * <em>host</em>. ({@code wait()} itself is a final method of Java's objects and has nothing to do
 * with this.)
 *
 * <p><b>Where to put the wait.</b> Directly before the work that needs the result, on the stream
 * that does that work: all that is enqueued between the call and the wait overlaps with the
 * collective.
 *
 * <p>For any number of threads.
 */
public final class Work {
  /** What a work came to; null as long as it is not known to be done. */
  private record Outcome(@Nullable GroupException error) {}

  private static final Outcome DONE = new Outcome(null);

  private final GroupContext context;
  private final String description;
  private final @Nullable Membership membership;
  private final @Nullable Issued issued;
  private final @Nullable Event event;
  private final long startedAt;
  private final long timeoutNanos;
  private final List<Buffer> results;
  private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
  private final List<Runnable> listeners = new ArrayList<>();
  private volatile boolean retired;

  private Work(
      GroupContext context,
      String description,
      @Nullable Membership membership,
      @Nullable Issued issued,
      @Nullable Event event,
      long startedAt,
      long timeoutNanos,
      List<Buffer> results) {
    this.context = context;
    this.description = description;
    this.membership = membership;
    this.issued = issued;
    this.event = event;
    this.startedAt = startedAt;
    this.timeoutNanos = timeoutNanos;
    this.results = results;
  }

  /** Nothing to wait for. */
  static Work completed(GroupContext context, String description, List<Buffer> results) {
    Work work = new Work(context, description, null, null, null, 0, 0, results);
    work.outcome.set(DONE);
    return work;
  }

  /** A launch; its event is recorded behind it already. */
  static Work of(
      GroupContext context,
      Membership membership,
      Issued issued,
      Event event,
      long startedAt,
      long timeoutNanos) {
    List<Buffer> results = new ArrayList<>();
    for (Call call : issued.calls()) {
      if (call.receive() != null) {
        results.add(call.receive());
      }
    }
    return new Work(
        context,
        issued.describe() + " of " + membership.describe(),
        membership,
        issued,
        event,
        startedAt,
        timeoutNanos,
        List.copyOf(results));
  }

  /** What a continuation of this work enqueued on a stream; fails when this work's group does. */
  Work followedBy(Stream stream) {
    Event behind = context.events().take();
    stream.record(behind);
    Work next =
        new Work(
            context,
            "the continuation of " + description,
            membership,
            issued,
            behind,
            startedAt,
            timeoutNanos,
            List.of());
    context.track(next);
    return next;
  }

  // ---- streams wait ----

  /**
   * Later work of the current stream waits for this work. The host does not: the call enqueues and
   * returns.
   *
   * @throws GroupException if it is known already that the work failed
   */
  public void waitOnStream() {
    waitOnStream(context.device().currentStream());
  }

  /** Later work of a stream waits for this work; the host does not. */
  public void waitOnStream(Stream stream) {
    throwIfFailed();
    Event behind = event;
    if (behind != null && !retired) {
      stream.waitFor(behind);
    }
  }

  // ---- the host waits ----

  /**
   * <b>Blocks the host</b> until the work is done; at most until its timeout, when the group is
   * aborted.
   *
   * @throws GroupException if the work failed; after an abort also if its event completed
   */
  public void waitBlocking() {
    Event behind = event;
    if (outcome.get() == null && behind != null && !retired) {
      behind.synchronize();
      complete();
    }
    throwIfFailed();
  }

  /**
   * <b>Blocks the host</b> until the work is done, or until a time has passed, by asking for its
   * event again and again. If the time passes nothing is aborted.
   *
   * @param nanos at most so long
   * @throws GroupException {@link Reason#TIMEOUT} if it is not done by then; any other if it failed
   */
  public void waitBlocking(long nanos) {
    long deadline = Times.after(context.host().nanoTime(), nanos);
    long pause = FIRST_PAUSE;
    while (!isDone()) {
      long left = deadline - context.host().nanoTime();
      if (left <= 0) {
        throw stillRunning(nanos);
      }
      context.host().sleep(Math.min(left, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
    throwIfFailed();
  }

  private static final long FIRST_PAUSE = 10_000;
  private static final long LONGEST_PAUSE = 500_000;

  private GroupException stillRunning(long nanos) {
    return new GroupException(
        Reason.TIMEOUT,
        membership == null ? "" : membership.name(),
        membership == null ? 0 : membership.rank(),
        issued == null ? "" : issued.word(),
        issued == null ? -1 : issued.sequence(),
        description
            + ": not done after "
            + Times.ms(nanos)
            + ". It goes on, nothing was aborted: wait again, or abort() the group.",
        null);
  }

  // ---- what it is at ----

  /** Whether it is done or has failed; never blocks. */
  public boolean isDone() {
    if (outcome.get() != null) {
      return true;
    }
    if (membership != null && membership.failure() != null) {
      complete();
      return true;
    }
    Event behind = event;
    if (behind == null || behind.isDone()) {
      complete();
      return true;
    }
    return false;
  }

  /** Why it failed; null if it did not, or is not known to have. Never blocks. */
  public @Nullable GroupException error() {
    Outcome known = outcome.get();
    if (known != null) {
      return known.error();
    }
    return membership == null ? null : membership.failure();
  }

  /** The buffers that hold the results, in the order of the calls. */
  public List<Buffer> results() {
    return results;
  }

  /** Its results, and what to do with them when they are there. */
  public WorkFuture<List<Buffer>> future() {
    return WorkFuture.of(context, this, results);
  }

  /** "all-reduce #3 (1024 × f32) of group 'world', rank 1 of 4". */
  @Override
  public String toString() {
    return description;
  }

  // ---- for the group ----

  private void throwIfFailed() {
    GroupException known = error();
    if (known != null) {
      throw membership == null ? known : membership.again(known, description);
    }
  }

  /** Its event has completed, or its group has failed. */
  private void complete() {
    GroupException failure = membership == null ? null : membership.failure();
    if (outcome.compareAndSet(null, failure == null ? DONE : new Outcome(failure))) {
      List<Runnable> told;
      synchronized (listeners) {
        told = List.copyOf(listeners);
        listeners.clear();
      }
      told.forEach(Runnable::run);
    }
  }

  /** Calls when it is done; at once if it is. The listener only hands over to an executor. */
  void whenDone(Runnable listener) {
    synchronized (listeners) {
      if (outcome.get() == null) {
        listeners.add(listener);
        context.hurry();
        return;
      }
    }
    listener.run();
  }

  boolean isAwaited() {
    synchronized (listeners) {
      return !listeners.isEmpty();
    }
  }

  /** Its event may serve another work now; only what is known to be done retires. */
  @Nullable Event retire() {
    if (outcome.get() == null) {
      return null;
    }
    retired = true;
    return event;
  }

  /**
   * What the watcher does with a work that is not done.
   *
   * @return when to look again at the latest
   */
  long watch(long now) {
    Membership of = membership;
    Issued what = issued;
    if (of == null || what == null) {
      return Long.MAX_VALUE;
    }
    long deadline = Times.after(startedAt, timeoutNanos);
    if (now >= deadline) {
      of.fail(
          Reason.TIMEOUT,
          what,
          "not done " + Times.ms(timeoutNanos) + " after its call",
          now,
          null);
      return now;
    }
    long warning = deadline - timeoutNanos / 4;
    if (now >= warning) {
      of.announce(what.describe());
      return deadline;
    }
    return warning;
  }

  @Nullable Membership membership() {
    return membership;
  }

  @Nullable Issued issued() {
    return issued;
  }

  long deadline() {
    return Times.after(startedAt, timeoutNanos);
  }
}
