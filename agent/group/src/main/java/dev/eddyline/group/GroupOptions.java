package dev.eddyline.group;

/**
 * How a process group behaves.
 *
 * @param timeoutNanos how long a collective may take, from its call until it is done, if its own
 *     options do not say otherwise; then the group is aborted
 * @param joinTimeoutNanos how long joining waits for the other ranks
 * @param nonBlocking whether the communicator is a non-blocking one, which can be aborted safely at
 *     any time
 * @param streamPriority priority of the group's stream; lower numbers run first
 */
public record GroupOptions(
    long timeoutNanos, long joinTimeoutNanos, boolean nonBlocking, int streamPriority) {
  private static final long TEN_MINUTES = 600_000_000_000L;
  private static final long ONE_MINUTE = 60_000_000_000L;

  public GroupOptions {
    Times.requirePositive("timeoutNanos", timeoutNanos);
    Times.requirePositive("joinTimeoutNanos", joinTimeoutNanos);
  }

  /** Ten minutes for a collective, one for joining, a non-blocking communicator, priority 0. */
  public static GroupOptions defaults() {
    return new GroupOptions(TEN_MINUTES, ONE_MINUTE, true, 0);
  }

  /** These options with another timeout of collectives. */
  public GroupOptions withTimeout(long nanos) {
    return new GroupOptions(nanos, joinTimeoutNanos, nonBlocking, streamPriority);
  }

  /** These options with another timeout of joining. */
  public GroupOptions withJoinTimeout(long nanos) {
    return new GroupOptions(timeoutNanos, nanos, nonBlocking, streamPriority);
  }

  /** These options with a communicator whose calls return when their work is enqueued, or not. */
  public GroupOptions withNonBlocking(boolean value) {
    return new GroupOptions(timeoutNanos, joinTimeoutNanos, value, streamPriority);
  }

  /** These options with another priority of the group's stream. */
  public GroupOptions withStreamPriority(int priority) {
    return new GroupOptions(timeoutNanos, joinTimeoutNanos, nonBlocking, priority);
  }
}
