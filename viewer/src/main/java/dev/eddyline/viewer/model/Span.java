package dev.eddyline.viewer.model;

/**
 * A span of time.
 *
 * @param startNs begin, nanoseconds since the Unix epoch
 * @param endNs end, not before the begin
 */
public record Span(long startNs, long endNs) {
  /** How long it is. */
  public long lengthNs() {
    return endNs - startNs;
  }

  /** The smallest span that holds this one and another. */
  public Span around(long otherStart, long otherEnd) {
    return new Span(Math.min(startNs, otherStart), Math.max(endNs, otherEnd));
  }

  /** This span with a share of its length more on either side; at least {@code leastNs} long. */
  public Span widened(double share, long leastNs) {
    long side = Math.round(lengthNs() * share);
    side = Math.max(side, (leastNs - lengthNs() + 1) / 2);
    return new Span(startNs - side, endNs + side);
  }
}
