package dev.eddyline.group;

import dev.eddyline.device.Communicator;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A rank's place in one communicator, until that fails or is replaced. The first failure stays: it
 * is set before the communicator is aborted, so that work which an abort ends never counts as done.
 */
final class Membership {
  /** How long a rank that fails waits for the others to say that they wait too. */
  static final long GRACE = 1_000_000_000L;

  private final String name;
  private final int rank;
  private final int size;
  private final @Nullable Communicator communicator;
  private final Host host;
  private final Peers peers;
  private final Map<String, Long> sequences = new HashMap<>();
  private final AtomicReference<@Nullable GroupException> failure = new AtomicReference<>();

  /**
   * @param communicator null in a group of one, which needs none
   */
  Membership(
      String name,
      int rank,
      int size,
      @Nullable Communicator communicator,
      Host host,
      Peers peers) {
    this.name = name;
    this.rank = rank;
    this.size = size;
    this.communicator = communicator;
    this.host = host;
    this.peers = peers;
  }

  String name() {
    return name;
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  boolean isAlone() {
    return size == 1;
  }

  Communicator communicator() {
    if (communicator == null) {
      throw new IllegalStateException(describe() + " has no communicator");
    }
    return communicator;
  }

  /** "group 'world', rank 1 of 4". */
  String describe() {
    return "group '" + name + "', rank " + rank + " of " + size;
  }

  /** Number of a call among those of its kind; of its pair for send and receive. */
  long nextSequence(Call call) {
    String key = call.kind().word() + (call.kind().isPointToPoint() ? call.peer() : "");
    return sequences.merge(key, 1L, Long::sum) - 1;
  }

  // ---- failure ----

  @Nullable GroupException failure() {
    return failure.get();
  }

  /** Throws what it failed with, wrapped so that the stack is the caller's. */
  void check(String what) {
    GroupException known = failure.get();
    if (known != null) {
      throw again(known, what);
    }
  }

  GroupException again(GroupException known, String what) {
    String message = String.valueOf(known.getMessage());
    String words =
        what.isEmpty() || message.startsWith(what)
            ? message
            : what + " cannot be done any more: " + message;
    return new GroupException(
        known.reason(), name, rank, known.collective(), known.sequence(), words, known);
  }

  /** Whether the collective library says that it failed; never blocks. */
  boolean isBroken() {
    return communicator != null && communicator.state() == Communicator.State.FAILED;
  }

  /** Tells the other ranks that this one waits in vain; only the first time. */
  void announce(String what) {
    peers.announce(what);
  }

  /**
   * The group fails: finds out which ranks wait too, keeps the error, aborts the communicator.
   *
   * @param work what did not get done
   * @param why what happened, in words
   * @param until how long to listen to the other ranks at most
   * @return the error; that of an earlier failure if there was one
   */
  GroupException fail(
      Reason reason, Issued work, String why, long until, @Nullable Throwable cause) {
    GroupException known = failure.get();
    if (known != null) {
      return known;
    }
    peers.announce(work.describe());
    String message =
        work.describe()
            + " of "
            + describe()
            + ": "
            + why
            + "."
            + peers.others(
                work.describe(),
                work::concerns,
                Math.min(until, Times.after(host.nanoTime(), GRACE)))
            + " The group was aborted: call reconfigure() with the ranks that are left, or start"
            + " the job again.";
    return fail(
        new GroupException(reason, name, rank, work.word(), work.sequence(), message, cause));
  }

  /** Keeps an error, if there was none before, and aborts the communicator. */
  GroupException fail(GroupException error) {
    boolean first = failure.compareAndSet(null, error);
    if (first && communicator != null) {
      communicator.abort();
    }
    GroupException kept = failure.get();
    return kept == null ? error : kept;
  }
}
