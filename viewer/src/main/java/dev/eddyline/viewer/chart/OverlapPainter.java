package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.model.Overlap;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.Theme;
import dev.eddyline.viewer.track.TimeScale;
import dev.eddyline.viewer.track.Track;

/** Draws what a device did: each column is filled by the shares of its time, from below. */
final class OverlapPainter {
  private OverlapPainter() {}

  static void paint(
      ChartInput in, Painter painter, TimeScale scale, Track track, double top, double height) {
    Overlap overlap = in.model().overlap(track.index());
    if (overlap == null) {
      return;
    }
    Theme theme = in.options().theme();
    float[] shares = new float[scale.width() * Overlap.KINDS];
    overlap.columns(scale, shares);
    columns(painter, theme, shares, in.left(), in.axis() / scale.width(), top, height);
  }

  /** Draws columns of shares; equal neighbours become one rectangle. */
  static void columns(
      Painter painter,
      Theme theme,
      float[] shares,
      double left,
      double unit,
      double top,
      double height) {
    int width = shares.length / Overlap.KINDS;
    double columnNs = 0;
    int[] colours = {theme.compute(), theme.communication(), theme.both()};
    for (int x = 0; x < width; x++) {
      double sum = 0;
      for (int kind = 0; kind < Overlap.KINDS; kind++) {
        sum += shares[x * Overlap.KINDS + kind];
      }
      columnNs = Math.max(columnNs, sum);
    }
    for (int x = 0; x < width && columnNs > 0; ) {
      int next = x + 1;
      while (next < width && same(shares, x, next)) {
        next++;
      }
      double bottom = top + height;
      for (int kind = Overlap.KINDS - 1; kind >= 0; kind--) {
        double part = Math.min(1, shares[x * Overlap.KINDS + kind] / columnNs) * height;
        if (part >= 0.5) {
          painter.fill(left + x * unit, bottom - part, (next - x) * unit, part, colours[kind]);
          bottom -= part;
        }
      }
      x = next;
    }
  }

  private static boolean same(float[] shares, int first, int second) {
    for (int kind = 0; kind < Overlap.KINDS; kind++) {
      if (shares[first * Overlap.KINDS + kind] != shares[second * Overlap.KINDS + kind]) {
        return false;
      }
    }
    return true;
  }
}
