package dev.eddyline.agent.runtime;

import dev.eddyline.recorder.BlockedCall;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

/**
 * A call that held the host for the GPU, as an event. Everything is in its own fields: the thread,
 * the stack and the time that Flight Recorder would add are those of the thread that drains.
 */
@Name("dev.eddyline.HostBlocked")
@Label("Host blocked for the GPU")
@Description("A CUDA call that did not return before work of the GPU had ended")
@Category("Eddyline")
@StackTrace(false)
final class HostBlockedEvent extends Event {
  @Label("Start")
  @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
  long start;

  @Label("Blocked")
  @Timespan(Timespan.NANOSECONDS)
  long blocked;

  @Label("Call")
  String call = "";

  @Label("Thread that called")
  String caller = "";

  @Label("Operating system thread")
  long callerTid;

  @Label("Stack, innermost frame first")
  String stack = "";

  /** Commits an event of the call if a recording wants it. */
  static void commit(BlockedCall call) {
    HostBlockedEvent event = new HostBlockedEvent();
    if (!event.shouldCommit()) {
      return;
    }
    long age = System.nanoTime() - call.start();
    event.start = System.currentTimeMillis() - age / 1_000_000;
    event.blocked = call.nanos();
    event.call = call.call();
    event.caller = call.thread();
    event.callerTid = call.tid();
    event.stack = String.join("\n", call.frames());
    event.commit();
  }
}
