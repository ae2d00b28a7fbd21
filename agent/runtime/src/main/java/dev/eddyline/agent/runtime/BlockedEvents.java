package dev.eddyline.agent.runtime;

import dev.eddyline.recorder.BlockedCall;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;

/**
 * Makes events of Java Flight Recorder of calls that held the host. Where this Java has no jdk.jfr,
 * and before anybody has started Flight Recorder in this JVM, it does nothing: an event class that
 * is loaded would initialise it. Called by the thread that drains, never by the one that blocked.
 */
final class BlockedEvents implements Consumer<BlockedCall> {
  private final long fromNanos;
  private boolean absent;

  /** Events of calls that took at least {@code fromNanos} nanoseconds. */
  BlockedEvents(long fromNanos) {
    this.fromNanos = fromNanos;
  }

  @Override
  public void accept(BlockedCall call) {
    if (absent || call.nanos() < fromNanos) {
      return;
    }
    try {
      if (FlightRecorder.isInitialized()) {
        HostBlockedEvent.commit(call);
      }
    } catch (LinkageError noFlightRecorder) {
      absent = true;
    }
  }
}
