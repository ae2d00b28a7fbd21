package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.model.Viewport;
import java.util.Locale;

/**
 * Where the ruler has its marks.
 *
 * @param firstNs first mark in view
 * @param stepNs from one to the next: 1, 2 or 5 times a power of ten
 * @param decimals of milliseconds that tell two of them apart
 */
record Ticks(long firstNs, long stepNs, int decimals) {
  private static final double ROOM = 90;
  private static final int MS_DIGITS = 6;

  static Ticks of(Viewport view, long zeroNs, double pixels) {
    double least = view.lengthNs() * ROOM / Math.max(1, pixels);
    long power = 1;
    int zeros = 0;
    while (power * 5 < least) {
      power *= 10;
      zeros++;
    }
    long step = power >= least ? power : power * 2 >= least ? power * 2 : power * 5;
    long first = zeroNs + Math.floorDiv(view.startNs() - zeroNs + step - 1, step) * step;
    return new Ticks(first, step, Math.max(0, MS_DIGITS - zeros));
  }

  String label(long timeNs, long zeroNs) {
    return String.format(Locale.ROOT, "%." + decimals + "f ms", (timeNs - zeroNs) / 1e6);
  }
}
