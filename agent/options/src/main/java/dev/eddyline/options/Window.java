package dev.eddyline.options;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A part of the run: {@code FROM..TO}. Each end is a length of time since the recorder started
 * ({@code 30s..60s}) or the name of a step or range that the program marks ({@code step 10..step
 * 20}: from the begin of the one to the begin of the other). An empty end leaves that side open.
 */
public record Window(String from, String to) {
  private static final String BETWEEN = "..";

  static boolean isOne(String value) {
    int at = value.indexOf(BETWEEN);
    if (at < 0 || value.indexOf(BETWEEN, at + 1) >= 0 || value.equals(BETWEEN)) {
      return false;
    }
    long from = OptionKind.nanos(value.substring(0, at));
    long to = OptionKind.nanos(value.substring(at + BETWEEN.length()));
    return from < 0 || to < 0 || from < to;
  }

  static Window parse(String value) {
    int at = value.indexOf(BETWEEN);
    return new Window(value.substring(0, at), value.substring(at + BETWEEN.length()));
  }

  /** Nanoseconds since the start after which to record; empty if {@link #fromMark} says when. */
  public OptionalLong fromNanos() {
    return from.isEmpty() ? OptionalLong.of(0) : time(from);
  }

  /** Nanoseconds since the start until which to record; empty if a mark or nothing ends it. */
  public OptionalLong toNanos() {
    return time(to);
  }

  /** The step or range whose begin opens the window. */
  public Optional<String> fromMark() {
    return mark(from);
  }

  /** The step or range whose begin closes the window. */
  public Optional<String> toMark() {
    return mark(to);
  }

  private static OptionalLong time(String end) {
    long nanos = OptionKind.nanos(end);
    return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  private static Optional<String> mark(String end) {
    return end.isEmpty() || OptionKind.nanos(end) >= 0 ? Optional.empty() : Optional.of(end);
  }
}
