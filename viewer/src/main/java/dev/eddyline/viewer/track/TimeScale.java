package dev.eddyline.viewer.track;

/** From time to pixels and back: the only place where nanoseconds become pixels. Immutable. */
public final class TimeScale {
  private final long startNs;
  private final long endNs;
  private final int width;
  private final double pixelsPerNs;
  private final double nsPerPixel;

  /**
   * Spreads a span of time over pixels.
   *
   * @param startNs time at the left edge, nanoseconds since the Unix epoch
   * @param endNs time at the right edge, later than the start
   * @param width pixels between the two edges, at least 1
   */
  public TimeScale(long startNs, long endNs, int width) {
    if (endNs <= startNs || width < 1) {
      throw new IllegalArgumentException(startNs + " .. " + endNs + " in " + width + " pixels");
    }
    this.startNs = startNs;
    this.endNs = endNs;
    this.width = width;
    this.pixelsPerNs = width / (double) (endNs - startNs);
    this.nsPerPixel = (endNs - startNs) / (double) width;
  }

  public long startNs() {
    return startNs;
  }

  public long endNs() {
    return endNs;
  }

  public int width() {
    return width;
  }

  /** How many nanoseconds a pixel is wide. */
  public double nsPerPixel() {
    return nsPerPixel;
  }

  /** The exact place of a time in pixels; negative left of the view. */
  public double x(long timeNs) {
    return (timeNs - startNs) * pixelsPerNs;
  }

  /** The pixel column that holds a time; a later time never has an earlier column. */
  public int column(long timeNs) {
    double x = (timeNs - startNs) * pixelsPerNs;
    if (x < 0) {
      return -1;
    }
    return x >= Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) x;
  }

  /** The first time that lies in a column, or behind it where it holds no whole nanosecond. */
  public long firstIn(int column) {
    long time = startNs + (long) Math.ceil(column * nsPerPixel);
    while (column(time) < column) {
      time++;
    }
    while (column(time - 1) >= column) {
      time--;
    }
    return time;
  }

  /** The time at a place. */
  public long time(double x) {
    return startNs + Math.round(x * nsPerPixel);
  }

  /** Whether an interval lies in the view, at least in part. */
  public boolean shows(long fromNs, long toNs) {
    return toNs > startNs && fromNs < endNs;
  }
}
