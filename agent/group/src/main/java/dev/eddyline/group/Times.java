package dev.eddyline.group;

import java.util.Locale;

/** Times in words. */
final class Times {
  private Times() {}

  static String ms(long nanos) {
    return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
  }

  static void requirePositive(String what, long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException(what + " is " + nanos + ", but must be positive");
    }
  }

  /** A time so many nanoseconds after another, without overflow. */
  static long after(long time, long nanos) {
    return nanos > Long.MAX_VALUE - Math.max(0, time) ? Long.MAX_VALUE : time + nanos;
  }
}
