package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.Communicator.State;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues collectives: orders the stream behind the callers', calls the library within one group,
 * waits until the launch has happened, and only then records the work's event.
 *
 * <pre>
 *   current  ──K──●ready            (goes on)
 *   nccl          └─wait──all-reduce──●work event
 * </pre>
 */
final class Issuer {
  /** NCCL takes some 100 µs for a non-blocking launch; a sleep would add half of that again. */
  private static final int SPINS = 4096;

  private static final long PAUSE = 20_000;

  private final Platform platform;
  private final GroupContext context;
  private final Stream own;
  private final Event ready;
  private final long timeoutNanos;
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

  Issuer(Platform platform, GroupContext context, Stream own, long timeoutNanos) {
    this.platform = platform;
    this.context = context;
    this.own = own;
    this.ready = context.device().createEvent("ready");
    this.timeoutNanos = timeoutNanos;
  }

  /** Enqueues calls as one launch; nothing if there are none. */
  Work issue(Membership membership, List<Call> calls, CollectiveOptions options) {
    if (calls.isEmpty()) {
      return Work.completed(context, "an empty block of " + membership.describe(), List.of());
    }
    membership.check(calls.get(0).kind().words());
    Thread self = Thread.currentThread();
    Thread other = user.compareAndExchange(null, self);
    if (other != null) {
      throw new IllegalStateException(
          membership.describe()
              + " is in use by thread '"
              + other.getName()
              + "': one thread at a time calls collectives of a group");
    }
    try {
      return membership.isAlone()
          ? issueAlone(membership, calls)
          : issueToAll(membership, calls, options);
    } finally {
      user.set(null);
    }
  }

  /** Alone there is nobody to talk to: no event, at most a copy in the current stream's order. */
  private Work issueAlone(Membership membership, List<Call> calls) {
    Stream current = context.device().currentStream();
    calls.forEach(call -> call.runAlone(current));
    String what = Issued.of(membership, calls).describe() + " of " + membership.describe();
    return Work.completed(context, what, results(calls));
  }

  private static List<Buffer> results(List<Call> calls) {
    List<Buffer> results = new ArrayList<>();
    for (Call call : calls) {
      if (call.receive() != null) {
        results.add(call.receive());
      }
    }
    return List.copyOf(results);
  }

  private Work issueToAll(Membership membership, List<Call> calls, CollectiveOptions options) {
    long timeout = options.timeoutNanos() > 0 ? options.timeoutNanos() : timeoutNanos;
    Stream stream = streamOf(options);
    // Without async it serves the watcher alone: a rank that is gone must be noticed there too.
    Event behind = context.events().take();
    if (options.async()) {
      orderBehind(stream, calls);
    }
    Issued issued = Issued.of(membership, calls);
    long startedAt = context.host().nanoTime();
    long workEvent = options.async() ? behind.handle() : Marks.UNKNOWN;
    DeviceException failure = call(membership, issued, stream, workEvent);
    Work work;
    Marks.beginLaunch();
    try {
      endGroup(membership, issued, failure);
      // Made while the library launches on a thread of its own.
      work = Work.of(context, membership, issued, behind, startedAt, timeout);
      awaitLaunch(membership, issued, Times.after(startedAt, timeout), timeout);
    } finally {
      Marks.endLaunch();
    }
    stream.record(behind);
    context.track(work);
    return options.async() ? work : Work.completed(context, work.toString(), work.results());
  }

  private Stream streamOf(CollectiveOptions options) {
    if (!options.async()) {
      return context.device().currentStream();
    }
    return options.stream() == null ? own : options.stream();
  }

  private void orderBehind(Stream stream, List<Call> calls) {
    Set<Stream> before = new LinkedHashSet<>();
    calls.forEach(call -> before.add(call.from()));
    before.remove(stream);
    for (Stream each : before) {
      each.record(ready);
      stream.waitFor(ready);
    }
  }

  /** Opens the group and calls all; the first failure of a call, or null. */
  private @Nullable DeviceException call(
      Membership membership, Issued issued, Stream stream, long workEvent) {
    Communicator communicator = membership.communicator();
    platform.collectives().groupStart();
    DeviceException failure = null;
    for (int i = 0; i < issued.calls().size() && failure == null; i++) {
      Call call = issued.calls().get(i);
      mark(membership, call, issued.sequences()[i], stream, workEvent);
      try {
        call.run(communicator, stream);
      } catch (DeviceException e) {
        failure = e;
      }
    }
    return failure;
  }

  /** Closes the group, also after a failure: the calling thread would stay in it. */
  private void endGroup(Membership membership, Issued issued, @Nullable DeviceException before) {
    DeviceException failure = before;
    try {
      platform.collectives().groupEnd();
    } catch (DeviceException e) {
      failure = before == null ? e : before;
    }
    if (failure != null) {
      throw failed(membership, issued, failure);
    }
  }

  private static void mark(
      Membership membership, Call call, long sequence, Stream stream, long workEvent) {
    if (!Marks.isOn()) {
      return;
    }
    Marks.collective(
        membership.name(),
        sequence,
        call.kind().word(),
        call.type().shortName(),
        call.countIn(),
        call.countOut(),
        membership.size(),
        call.send() == null ? 0 : call.send().address(),
        call.receive() == null ? 0 : call.receive().address(),
        stream.device().ordinal(),
        stream.handle(),
        workEvent);
  }

  /** An event that is recorded before the launch has happened would cover none of it. */
  private void awaitLaunch(
      Membership membership, Issued issued, long deadline, long timeoutOfCall) {
    Communicator communicator = membership.communicator();
    for (int turn = 0; ; turn++) {
      State state = communicator.state();
      if (state == State.READY) {
        return;
      }
      if (state == State.FAILED) {
        DeviceException error = communicator.error();
        throw failed(
            membership,
            issued,
            error != null
                ? error
                : new DeviceException(Reason.COMMUNICATOR, "the communicator failed"));
      }
      if (context.host().nanoTime() >= deadline) {
        String why = "not launched " + Times.ms(timeoutOfCall) + " after its call";
        throw membership.again(membership.fail(Reason.TIMEOUT, issued, why, deadline, null), "");
      }
      if (turn < SPINS) {
        Thread.onSpinWait();
      } else {
        context.host().sleep(PAUSE);
      }
    }
  }

  private RuntimeException failed(Membership membership, Issued issued, DeviceException cause) {
    if (cause.reason() == Reason.KILLED) {
      return cause;
    }
    long until = Times.after(context.host().nanoTime(), timeoutNanos);
    String why = String.valueOf(cause.getMessage());
    return membership.again(membership.fail(cause.reason(), issued, why, until, cause), "");
  }
}
