package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.paint.Theme;

/**
 * How to draw.
 *
 * @param theme colours
 * @param colourBy what the colour of ops stands for
 * @param moving whether the view moves, so that only the widest slices get names
 * @param arrows whether to draw the arrows that are not part of the selection
 * @param pixelScale physical pixels per logical one
 * @param labelColumn width of the column with the names of rows
 */
public record ChartOptions(
    Theme theme,
    ColourBy colourBy,
    boolean moving,
    boolean arrows,
    double pixelScale,
    double labelColumn) {
  /** Names of slices while the view moves. */
  static final int LABELS_MOVING = 60;

  /** Names of slices while it stands. */
  static final int LABELS_STILL = 400;

  /** With more arrows than this in view only those of the selection are drawn. */
  static final int MOST_ARROWS = 150;

  /** For pictures. */
  public static ChartOptions still(Theme theme, double pixelScale) {
    return new ChartOptions(theme, ColourBy.KIND, false, true, pixelScale, 210);
  }
}
