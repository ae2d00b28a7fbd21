package dev.eddyline.viewer.track;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts intervals that come in order of their starts into as few lanes as nesting needs: each goes
 * into the first lane that is free. An enclosing interval must come before what it holds.
 */
public final class Lanes {
  private final int most;
  private final List<Lane.Builder> lanes = new ArrayList<>();
  private int left;

  /**
   * Starts empty.
   *
   * @param most so many lanes at most; what would need more is left out and counted
   */
  public Lanes(int most) {
    this.most = most;
  }

  /** Adds an interval; one without length counts as one nanosecond long. */
  public void add(long startNs, long endNs, int row) {
    add(startNs, endNs, row, 0);
  }

  /** The same, with a kind; see {@link Lane#tone}. */
  public void add(long startNs, long endNs, int row, int kind) {
    long end = Math.max(endNs, startNs + 1);
    for (Lane.Builder lane : lanes) {
      if (lane.lastEnd() <= startNs) {
        lane.add(startNs, end, row, kind);
        return;
      }
    }
    if (lanes.size() < most) {
      Lane.Builder lane = new Lane.Builder();
      lanes.add(lane);
      lane.add(startNs, end, row, kind);
      return;
    }
    left++;
  }

  /** How many intervals found no lane. */
  public int leftOut() {
    return left;
  }

  /** The lanes, the outermost first. */
  public List<Lane> build() {
    return lanes.stream().map(Lane.Builder::build).toList();
  }
}
