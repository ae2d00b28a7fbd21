package dev.eddyline.viewer.chart;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.viewer.model.Overlap;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.FontWidths;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.Painter.Pattern;
import dev.eddyline.viewer.paint.Painter.Stroke;
import dev.eddyline.viewer.paint.Theme;
import dev.eddyline.viewer.track.TimeScale;
import dev.eddyline.viewer.track.Track;

/** Draws what stands above and below the rows: title, the whole trace, ruler, legend. */
final class HeaderPainter {
  private static final double TEXT = 11;
  private static final double GAP = 14;
  private final ChartInput in;
  private final Painter painter;
  private final Theme theme;
  private final TraceModel model;

  HeaderPainter(ChartInput in, Painter painter) {
    this.in = in;
    this.painter = painter;
    this.theme = in.options().theme();
    this.model = in.model();
  }

  void paint() {
    painter.fill(0, 0, in.width(), ChartInput.ROWS_TOP, theme.panel());
    title();
    overview();
    ruler();
  }

  private void title() {
    String facts = Titles.facts(model);
    String coverage = Titles.coverage(model.report().coverage());
    double room = in.width() - 12;
    double coverageWidth = FontWidths.get().width(coverage, TEXT);
    double left = room - coverageWidth - GAP;
    String name = FontWidths.get().fit(model.name() + "   " + facts, TEXT, left);
    painter.text(6, 15, TEXT, name, theme.text());
    Coverage seen = model.report().coverage();
    int colour = seen.standsFirst() ? theme.missing() : theme.dim();
    painter.text(in.width() - 6 - coverageWidth, 15, TEXT, coverage, colour);
  }

  private void overview() {
    double top = ChartInput.TITLE;
    double height = ChartInput.OVERVIEW - 4.0;
    painter.text(6, top + 18, TEXT, "whole trace", theme.dim());
    painter.fill(in.left(), top, in.axis(), height, theme.background());
    Viewport all = Viewport.all(model.whole());
    int columns = (int) Math.max(1, Math.round(in.axis() * in.options().pixelScale()));
    TimeScale scale = all.scale(columns);
    double unit = in.axis() / columns;
    float[] sum = new float[columns * Overlap.KINDS];
    float[] one = new float[sum.length];
    for (Track track : model.tracks()) {
      Overlap overlap = model.overlap(track.index());
      if (overlap != null) {
        overlap.columns(scale, one);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += one[i];
        }
      }
    }
    OverlapPainter.columns(painter, theme, sum, in.left(), unit, top + 9, height - 9);
    ticks(all, top);
    double from = x(all, in.view().startNs());
    double to = Math.max(from + 3, x(all, in.view().endNs()));
    int veil = Theme.alpha(theme.background(), 150);
    painter.fill(in.left(), top, from - in.left(), height, veil);
    painter.fill(to, top, in.left() + in.axis() - to, height, veil);
    painter.fill(from, top, to - from, 1, theme.selected());
    painter.fill(from, top + height - 1, to - from, 1, theme.selected());
    painter.fill(from, top, 1, height, theme.selected());
    painter.fill(to - 1, top, 1, height, theme.selected());
  }

  private double x(Viewport all, long timeNs) {
    return in.left() + (timeNs - all.startNs()) * (in.axis() / all.lengthNs());
  }

  /** A tick per occurrence of a finding; those that are merely expected are left out. */
  private void ticks(Viewport all, double top) {
    double lastX = -1;
    for (Finding finding : model.report().findings()) {
      if (finding.expected()) {
        continue;
      }
      for (Occurrence occurrence : finding.occurrences()) {
        double x = Math.floor(x(all, occurrence.startNs()));
        if (x != lastX) {
          painter.fill(x, top, 2, 7, theme.missing());
          lastX = x;
        }
      }
    }
  }

  private void ruler() {
    double top = ChartInput.TITLE + ChartInput.OVERVIEW;
    Ticks ticks = Ticks.of(in.view(), model.zeroNs(), in.axis());
    painter.clip(in.left(), top, in.axis(), ChartInput.RULER);
    for (long time = ticks.firstNs(); time < in.view().endNs(); time += ticks.stepNs()) {
      double x = Math.floor(in.x(time));
      painter.fill(x, top + ChartInput.RULER - 6, 1, 6, theme.dim());
      painter.text(x + 3, top + 13, TEXT - 1, ticks.label(time, model.zeroNs()), theme.dim());
    }
    Span range = in.range();
    if (range != null) {
      double from = in.x(range.startNs());
      painter.fill(from, top, in.x(range.endNs()) - from, 4, theme.selected());
    }
    painter.unclip();
    String length = Titles.length(in.view().lengthNs());
    painter.text(
        6, top + 13, TEXT, FontWidths.get().fit(length, TEXT, in.left() - 12), theme.dim());
    painter.fill(0, ChartInput.ROWS_TOP - 1.0, in.width(), 1, theme.grid());
  }

  /** What colours, patterns and lines mean; those that do not fit are left out. */
  void paintLegend(boolean tooManyArrows) {
    double top = in.height() - ChartInput.LEGEND;
    painter.fill(0, top, in.width(), ChartInput.LEGEND, theme.panel());
    double x = 6;
    if (in.options().colourBy() == ColourBy.KIND) {
      x = swatch(x, top, theme.compute(), "compute");
      x = swatch(x, top, theme.communication(), "communication");
      x = swatch(x, top, theme.both(), "both (strip)");
      x = swatch(x, top, theme.copy(), "copy, fill");
    } else {
      x = words(x, top, "colour by " + in.options().colourBy().title(), theme.text());
    }
    x = patterned(x, top, Pattern.HATCH, theme.call(), theme.blocked(), "held the host");
    x = patterned(x, top, Pattern.DOTS, theme.background(), theme.ready(), "ready, not started");
    x = line(x, top, Stroke.SOLID, theme.recorded(), "recorded");
    x = line(x, top, Stroke.DASHED, theme.inferred(), "inferred");
    x = line(x, top, Stroke.STRONG_DASHED, theme.missing(), "missing");
    x = words(x, top, "?  source unknown", theme.unknown());
    if (tooManyArrows) {
      words(x, top, "too many arrows: those of the selection only", theme.text());
    }
  }

  private boolean fits(double x, String text, double sign) {
    return x + sign + FontWidths.get().width(text, TEXT) + 6 <= in.width();
  }

  private double words(double x, double top, String text, int argb) {
    if (!fits(x, text, 0)) {
      return x;
    }
    painter.text(x, top + 14, TEXT, text, argb);
    return x + FontWidths.get().width(text, TEXT) + GAP;
  }

  private double swatch(double x, double top, int colour, String text) {
    if (!fits(x, text, 16)) {
      return x;
    }
    painter.fill(x, top + 5, 12, 10, colour);
    return words(x + 16, top, text, theme.text());
  }

  private double patterned(
      double x, double top, Pattern pattern, int colour, int ink, String text) {
    if (!fits(x, text, 22)) {
      return x;
    }
    painter.fill(x, top + 5, 18, 10, colour);
    painter.pattern(pattern, x, top + 5, 18, 10, ink);
    return words(x + 22, top, text, theme.text());
  }

  private double line(double x, double top, Stroke stroke, int colour, String text) {
    if (!fits(x, text, 32)) {
      return x;
    }
    painter.curve(Painter.Curve.line(x, top + 10, x + 28, top + 10), stroke, true, colour);
    return words(x + 32, top, text, theme.text());
  }
}
