package dev.eddyline.viewer.model;

/**
 * An arrow between two rows.
 *
 * @param style what it means and how it is known
 * @param fromTrack row where it starts; -1 for a stub, whose other end is not known
 * @param fromNs time where it starts
 * @param toTrack row where it ends
 * @param toNs time where it ends; earlier than the start for an order that was missing
 * @param text the edge in words
 */
public record Link(Style style, int fromTrack, long fromNs, int toTrack, long toNs, String text) {

  /** What an arrow means. */
  public enum Style {
    /** Both ends are named by the source. */
    RECORDED,
    /** A rule found it, or CUDA's rules imply it. */
    INFERRED,
    /** An order that should be there and is not. */
    MISSING,
    /** A wait that the trace does not say the source of. */
    UNKNOWN,
    /** A call and the op that it enqueued. */
    LAUNCH
  }

  /** Whether it is a stub. */
  public boolean isStub() {
    return fromTrack < 0;
  }
}
