package dev.eddyline.viewer.model;

import dev.eddyline.viewer.track.TimeScale;

/**
 * The span of time in view, kept within the trace and a margin around it. Immutable.
 *
 * @param whole the trace
 * @param startNs left edge
 * @param endNs right edge
 */
public record Viewport(Span whole, long startNs, long endNs) {
  /** Nothing is recorded finer than a nanosecond; closer than this nothing more is to be seen. */
  public static final long LEAST_NS = 20;

  private static final double MARGIN = 0.02;

  /** The view of a span, moved and cut so that it lies in the trace and its margin. */
  public static Viewport of(Span whole, long startNs, long endNs) {
    long margin = Math.max(LEAST_NS, Math.round(whole.lengthNs() * MARGIN));
    long low = whole.startNs() - margin;
    long high = whole.endNs() + margin;
    long length = Math.max(LEAST_NS, Math.min(endNs - startNs, high - low));
    long start = Math.max(low, Math.min(startNs, high - length));
    return new Viewport(whole, start, start + length);
  }

  /** The whole trace. */
  public static Viewport all(Span whole) {
    return of(whole, Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);
  }

  /** How much time is in view. */
  public long lengthNs() {
    return endNs - startNs;
  }

  /**
   * Closer or farther, with one time staying where it is.
   *
   * @param factor how much of the time stays in view: below 1 is closer
   */
  public Viewport zoomed(double factor, long anchorNs) {
    double share = (anchorNs - startNs) / (double) lengthNs();
    long length = Math.max(LEAST_NS, Math.round(Math.min(lengthNs() * factor, 4e18)));
    long start = anchorNs - Math.round(share * length);
    return of(whole, start, start + length);
  }

  /** Moved by a share of its length, to the right where positive. */
  public Viewport panned(double share) {
    long by = Math.round(lengthNs() * share);
    return of(whole, startNs + by, endNs + by);
  }

  /** The same length around a time. */
  public Viewport centred(long timeNs) {
    return of(whole, timeNs - lengthNs() / 2, timeNs - lengthNs() / 2 + lengthNs());
  }

  /** A span in view. */
  public Viewport fitted(Span span) {
    return of(whole, span.startNs(), span.endNs());
  }

  /** Whether a span lies in view as a whole. */
  public boolean holds(Span span) {
    return span.startNs() >= startNs && span.endNs() <= endNs;
  }

  /** Pixels for this view. */
  public TimeScale scale(int width) {
    return new TimeScale(startNs, endNs, width);
  }
}
