package dev.eddyline.recorder;

import org.jspecify.annotations.Nullable;

/**
 * The part of a run that is recorded. A begin or an end is a time since {@link Recorder#start}, or
 * the name of a step or range of {@code dev.eddyline.marks} that begins.
 *
 * @param fromNanos time, if {@code fromMark} is null
 * @param toNanos time, if {@code toMark} is null; {@link Long#MAX_VALUE} for none
 */
public record RecordingWindow(
    long fromNanos, @Nullable String fromMark, long toNanos, @Nullable String toMark) {
  /** The whole run. */
  public static final RecordingWindow ALWAYS = new RecordingWindow(0, null, Long.MAX_VALUE, null);

  /** Whether nothing is left out. */
  public boolean isAlways() {
    return equals(ALWAYS);
  }
}
