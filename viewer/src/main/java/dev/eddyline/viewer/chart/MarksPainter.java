package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.Theme;

/** Draws marks and the selected span of time. */
final class MarksPainter {
  private static final double TEXT = 10;

  private MarksPainter() {}

  static void paint(ChartInput in, Painter painter) {
    Theme theme = in.options().theme();
    Span range = in.range();
    double top = ChartInput.ROWS_TOP;
    if (range != null) {
      double from = in.x(range.startNs());
      double to = in.x(range.endNs());
      painter.fill(from, top, to - from, in.rowsHeight(), Theme.alpha(theme.selected(), 28));
      painter.fill(from, top, 1, in.rowsHeight(), theme.selected());
      painter.fill(to - 1, top, 1, in.rowsHeight(), theme.selected());
    }
    for (ChartInput.Mark mark : in.marks()) {
      double x = Math.floor(in.x(mark.timeNs()));
      painter.fill(x, top, 1, in.rowsHeight(), theme.communication());
      painter.text(x + 3, top + in.rowsHeight() - 4, TEXT, mark.name(), theme.text());
    }
  }
}
