package dev.eddyline.device;

/**
 * How a communicator behaves.
 *
 * @param nonBlocking whether calls return before their work is enqueued; then look at {@link
 *     Communicator#state()} until it is {@link Communicator.State#READY} before recording an event
 * @param joinTimeoutNanos how long {@link Collectives#join} waits for the other ranks
 */
public record CommunicatorOptions(boolean nonBlocking, long joinTimeoutNanos) {
  private static final long JOIN_TIMEOUT = 60_000_000_000L;

  /** Blocking, and 60 s for the others to come. */
  public static CommunicatorOptions defaults() {
    return new CommunicatorOptions(false, JOIN_TIMEOUT);
  }

  /** Non-blocking, and 60 s for the others to come. */
  public static CommunicatorOptions asynchronous() {
    return new CommunicatorOptions(true, JOIN_TIMEOUT);
  }
}
