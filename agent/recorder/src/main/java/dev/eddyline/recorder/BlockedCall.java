package dev.eddyline.recorder;

import java.util.List;
import java.util.Objects;

/**
 * A call that held its host thread.
 *
 * @param start {@link System#nanoTime()} at which it began
 * @param nanos how long it took
 * @param call name of the API function
 * @param tid the operating system's id of the thread
 * @param thread the Java thread's name, "" if it is not one
 * @param frames of the Java stack, innermost first
 * @param virtual whether a virtual thread made it
 */
public record BlockedCall(
    long start,
    long nanos,
    String call,
    int tid,
    String thread,
    List<String> frames,
    boolean virtual) {
  public BlockedCall {
    Objects.requireNonNull(call);
    Objects.requireNonNull(thread);
    frames = List.copyOf(frames);
  }
}
