package dev.eddyline.group;

import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Signal;
import dev.eddyline.device.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that GPU work belongs to: the results of a collective, or what a continuation returned.
 *
 * <p>A continuation always says on which stream it enqueues. The form to use is the inline one,
 * {@link #then(Stream, Function)}: the stream waits for the work, and the continuation is called in
 * place, at once, on the calling thread, with that stream as the current one. The GPU orders the
 * work, and the host goes on. It is the same as {@code work.waitOnStream(stream)} and going on
 * there.
 *
 * <p>{@link #thenWhenDone} is for what the host must do when the GPU <em>is</em> done: the group's
 * watcher finds that out by event queries and hands the continuation to a thread or an executor. No
 * stream ever waits for Java: until the continuation has run, its future has nothing that a stream
 * could wait for, and says so.
 *
 * <p>For any number of threads.
 *
 * @param <T> type of the value
 */
public final class WorkFuture<T> {
  /** What a continuation came to. */
  private record Ran<T>(@Nullable T value, @Nullable Work work, @Nullable RuntimeException error) {}

  private final GroupContext context;
  private final List<Runnable> listeners = new ArrayList<>();
  private volatile @Nullable Ran<T> ran;

  private WorkFuture(GroupContext context) {
    this.context = context;
  }

  static <T> WorkFuture<T> of(GroupContext context, Work work, @Nullable T value) {
    WorkFuture<T> future = new WorkFuture<>(context);
    future.ran = new Ran<>(value, work, null);
    return future;
  }

  /**
   * The inline form: a stream waits for the work, and the continuation is called in place with that
   * stream as the current one. The host does not wait, so the value is there when this returns.
   *
   * @param stream where the continuation enqueues; a stream from a pool may be one that something
   *     else uses too
   * @param continuation gets the value; what it enqueues elsewhere than on the current stream is
   *     not ordered after the work
   * @return what it returned, with the work that it enqueued on the stream
   * @throws GroupException if the work is known to have failed; the continuation is not called
   * @throws IllegalStateException if this is the future of {@link #thenWhenDone} and has not run
   */
  public <R extends @Nullable Object> WorkFuture<R> then(
      Stream stream, Function<? super T, ? extends R> continuation) {
    Ran<T> before = hasRun();
    return next(stream, before, continuation);
  }

  private <R extends @Nullable Object> WorkFuture<R> next(
      Stream stream, Ran<T> before, Function<? super T, ? extends R> continuation) {
    Work work = before.work();
    if (before.error() != null || work == null) {
      throw error(before);
    }
    work.waitOnStream(stream);
    R value;
    try (Device.Scope current = stream.device().use(stream)) {
      value = call(continuation, before.value());
    }
    return of(context, work.followedBy(stream), value);
  }

  @SuppressWarnings({"NullAway", "DataFlowIssue"})
  private static <T, R extends @Nullable Object> R call(
      Function<? super T, ? extends R> continuation, @Nullable T value) {
    // A value is null only where a continuation of that type returned null.
    return continuation.apply(value);
  }

  /** {@link #thenWhenDone(Stream, Executor, Function)} on a thread of the group. */
  public <R extends @Nullable Object> WorkFuture<R> thenWhenDone(
      Stream stream, Function<? super T, ? extends R> continuation) {
    return thenWhenDone(stream, context.continuations(), continuation);
  }

  /**
   * Calls a continuation when the GPU has done the work, with a stream as the current one. The host
   * goes on meanwhile; so does every stream.
   *
   * @param executor runs it; on the simulated device one whose threads the host knows
   * @return fails if the work or the continuation does
   */
  public <R extends @Nullable Object> WorkFuture<R> thenWhenDone(
      Stream stream, Executor executor, Function<? super T, ? extends R> continuation) {
    WorkFuture<R> next = new WorkFuture<>(context);
    whenRun(
        () -> {
          Ran<T> before = hasRun();
          Work work = before.work();
          Runnable task = () -> next.run(stream, this, continuation);
          if (work == null) {
            executor.execute(task);
          } else {
            work.whenDone(() -> executor.execute(task));
          }
        });
    return next;
  }

  private <S> void run(
      Stream stream, WorkFuture<S> source, Function<? super S, ? extends T> continuation) {
    Ran<T> result;
    try {
      WorkFuture<T> made = source.next(stream, source.hasRun(), continuation);
      result = made.hasRun();
    } catch (RuntimeException e) {
      if (e instanceof DeviceException known && known.reason() == Reason.KILLED) {
        throw e;
      }
      result = new Ran<>(null, null, e);
    }
    List<Runnable> told;
    synchronized (listeners) {
      ran = result;
      told = List.copyOf(listeners);
      listeners.clear();
    }
    context.changed().wake();
    told.forEach(Runnable::run);
  }

  private void whenRun(Runnable listener) {
    synchronized (listeners) {
      if (ran == null) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }

  private Ran<T> hasRun() {
    Ran<T> known = ran;
    if (known == null) {
      throw new IllegalStateException(
          "this continuation has not run yet, and no stream waits for Java: call waitBlocking()"
              + " first, or use the inline form then(stream, …), which runs in place");
    }
    return known;
  }

  private static RuntimeException error(Ran<?> ran) {
    RuntimeException error = ran.error();
    if (error instanceof GroupException known) {
      return known;
    }
    return new IllegalStateException("the continuation before this one failed: " + error, error);
  }

  /**
   * Later work of the current stream waits for what the continuation enqueued; the host does not.
   *
   * @throws IllegalStateException if the continuation has not run yet
   */
  public void waitOnStream() {
    waitOnStream(context.device().currentStream());
  }

  /** Later work of a stream waits for what the continuation enqueued; the host does not. */
  public void waitOnStream(Stream stream) {
    Ran<T> known = hasRun();
    Work work = known.work();
    if (work == null) {
      throw error(known);
    }
    work.waitOnStream(stream);
  }

  /**
   * <b>Blocks the host</b> until the continuation has run and what it enqueued is done.
   *
   * @return the value
   * @throws GroupException if the work failed
   * @throws IllegalStateException if the continuation failed; its cause says with what
   */
  public @Nullable T waitBlocking() {
    context.changed().await(this::isRun, Signal.FOREVER);
    Ran<T> known = hasRun();
    Work work = known.work();
    if (work == null) {
      throw error(known);
    }
    work.waitBlocking();
    return known.value();
  }

  /** Whether the continuation has run on the host; its GPU work may not be done. Never blocks. */
  public boolean isRun() {
    return ran != null;
  }

  /**
   * The value; what the GPU puts into it may not be there yet.
   *
   * @throws IllegalStateException if the continuation has not run yet, or failed
   */
  public @Nullable T value() {
    Ran<T> known = hasRun();
    if (known.work() == null) {
      throw error(known);
    }
    return known.value();
  }
}
