package dev.eddyline.analysis.report;

import java.util.Locale;

/** Nanoseconds as text: milliseconds with three decimals, whose parts add up to their whole. */
public final class Millis {
  private static final int NS_PER_US = 1000;

  private Millis() {}

  /** The value in milliseconds, rounded half up to three decimals. */
  public static String of(long ns) {
    return micros(roundUs(ns));
  }

  /** Whole microseconds as milliseconds. */
  static String micros(long us) {
    return String.format(
        Locale.ROOT,
        "%s%d.%03d",
        us < 0 ? "-" : "",
        Math.abs(us) / NS_PER_US,
        Math.abs(us) % NS_PER_US);
  }

  static long roundUs(long ns) {
    return Math.floorDiv(ns + NS_PER_US / 2, NS_PER_US);
  }

  /**
   * Rounds parts to microseconds so that they add up to the rounded whole: each is rounded down,
   * and those with the largest remainders get what is missing. Parts that do not add up to the
   * whole are rounded one by one.
   */
  static long[] roundParts(long wholeNs, long[] partsNs) {
    long[] rounded = new long[partsNs.length];
    long sumNs = 0;
    long sumUs = 0;
    for (int i = 0; i < partsNs.length; i++) {
      rounded[i] = Math.floorDiv(partsNs[i], NS_PER_US);
      sumNs += partsNs[i];
      sumUs += rounded[i];
    }
    if (sumNs != wholeNs) {
      for (int i = 0; i < partsNs.length; i++) {
        rounded[i] = roundUs(partsNs[i]);
      }
      return rounded;
    }
    boolean[] raised = new boolean[partsNs.length];
    for (long missing = roundUs(wholeNs) - sumUs; missing > 0; missing--) {
      int largest = -1;
      for (int i = 0; i < partsNs.length; i++) {
        if (!raised[i] && (largest < 0 || remainder(partsNs[i]) > remainder(partsNs[largest]))) {
          largest = i;
        }
      }
      if (largest < 0) {
        break;
      }
      raised[largest] = true;
      rounded[largest]++;
    }
    return rounded;
  }

  private static long remainder(long ns) {
    return Math.floorMod(ns, NS_PER_US);
  }
}
