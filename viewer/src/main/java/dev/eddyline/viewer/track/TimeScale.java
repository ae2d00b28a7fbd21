package dev.eddyline.viewer.track;

/**
 * From time to pixels and back: the only place where nanoseconds become pixels. Immutable.
 *
 * @param startNs time at the left edge, nanoseconds since the Unix epoch
 * @param endNs time at the right edge, later than the start
 * @param width pixels between the two edges, at least 1
 */
public record TimeScale(long startNs, long endNs, int width) {
  public TimeScale {
    if (endNs <= startNs || width < 1) {
      throw new IllegalArgumentException(startNs + " .. " + endNs + " in " + width + " pixels");
    }
  }

  /** How many nanoseconds a pixel is wide. */
  public double nsPerPixel() {
    return (endNs - startNs) / (double) width;
  }

  /** The exact place of a time in pixels; negative left of the view. */
  public double x(long timeNs) {
    return (timeNs - startNs) * (width / (double) (endNs - startNs));
  }

  /** The pixel column that holds a time; a later time never has an earlier column. */
  public int column(long timeNs) {
    double x = Math.floor(x(timeNs));
    return (int) Math.max(-1, Math.min(x, Integer.MAX_VALUE));
  }

  /** The time at a place. */
  public long time(double x) {
    return startNs + Math.round(x * nsPerPixel());
  }

  /** Whether an interval lies in the view, at least in part. */
  public boolean shows(long fromNs, long toNs) {
    return toNs > startNs && fromNs < endNs;
  }
}
