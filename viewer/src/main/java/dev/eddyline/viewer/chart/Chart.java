package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.Theme;

/** Draws the whole picture. */
public final class Chart {
  private Chart() {}

  /** Draws an input; the same input gives the same calls of the painter. */
  public static void paint(ChartInput in, Painter painter) {
    Theme theme = in.options().theme();
    painter.fill(0, 0, in.width(), in.height(), theme.background());
    painter.clip(0, ChartInput.ROWS_TOP, in.width(), in.rowsHeight());
    new RowsPainter(in, painter).paint();
    painter.clip(in.left(), ChartInput.ROWS_TOP, in.axis(), in.rowsHeight());
    LinksPainter links = new LinksPainter(in, painter);
    links.paint();
    MarksPainter.paint(in, painter);
    painter.unclip();
    HeaderPainter header = new HeaderPainter(in, painter);
    header.paint();
    header.paintLegend(links.tooMany());
  }
}
