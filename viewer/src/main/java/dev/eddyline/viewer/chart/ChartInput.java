package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.model.Chain;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.track.TimeScale;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All that a picture depends on: the same input gives the same picture.
 *
 * @param model the trace
 * @param view the span of time
 * @param rows the rows
 * @param scroll how far rows are scrolled, in pixels
 * @param chain what lights up
 * @param marks times with a name
 * @param range the selected span of time, null for none
 * @param match which rows of the tables a search found, by kind of row; null where none is on
 * @param width of the picture, logical pixels
 * @param height of the picture
 * @param options how to draw
 */
public record ChartInput(
    TraceModel model,
    Viewport view,
    Rows rows,
    double scroll,
    Chain chain,
    List<Mark> marks,
    @Nullable Span range,
    @Nullable Matcher match,
    int width,
    int height,
    ChartOptions options) {

  /** Height of the title line. */
  public static final int TITLE = 22;

  /** Height of the strip with the whole trace. */
  public static final int OVERVIEW = 30;

  /** Height of the ruler. */
  public static final int RULER = 20;

  /** Height of the legend at the bottom. */
  public static final int LEGEND = 20;

  /** Top of the first row. */
  public static final int ROWS_TOP = TITLE + OVERVIEW + RULER;

  /**
   * A time with a name.
   *
   * @param timeNs the time
   * @param name what stands beside it
   */
  public record Mark(long timeNs, String name) {}

  /** What a search found. */
  public interface Matcher {
    /** Which ops match. */
    IntPredicate ops();

    /** Which calls match. */
    IntPredicate calls();

    /** Which ranges match. */
    IntPredicate ranges();
  }

  /** Left edge of the time axis. */
  public double left() {
    return options.labelColumn();
  }

  /** Width of the time axis in logical pixels. */
  public double axis() {
    return Math.max(1, width - left());
  }

  /** Times to physical columns of the axis. */
  public TimeScale columns() {
    return view.scale((int) Math.max(1, Math.round(axis() * options.pixelScale())));
  }

  /** A time as a logical place in the picture. */
  public double x(long timeNs) {
    return left() + (timeNs - view.startNs()) * (axis() / view.lengthNs());
  }

  /** The time at a logical place in the picture. */
  public long time(double x) {
    return view.startNs() + Math.round((x - left()) / axis() * view.lengthNs());
  }

  /** Height of the window in which rows scroll, pinned ones included. */
  public double rowsHeight() {
    return Math.max(0, height - ROWS_TOP - LEGEND);
  }

  /** Top of a row in the picture. */
  public double rowTop(int place) {
    return ROWS_TOP + rows.screenTop(place, scroll);
  }
}
