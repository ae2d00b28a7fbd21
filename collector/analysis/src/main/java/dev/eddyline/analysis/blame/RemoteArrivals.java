package dev.eddyline.analysis.blame;

/** When the last rank arrived at a collective, where the other ranks' traces are there. */
public interface RemoteArrivals {
  /** Nothing known of other ranks. */
  RemoteArrivals NONE = op -> Long.MIN_VALUE;

  /**
   * When the last rank's op of the same collective started, on this trace's clock; {@link
   * Long#MIN_VALUE} where that is not known.
   *
   * @param op row of the collective's op of one rank
   */
  long lastArrival(int op);
}
