package dev.eddyline.viewer.track;

/**
 * Level of detail: which pixel columns the intervals of a lane take. Exact at every zoom, worked
 * out anew for each frame from the intervals themselves, so that no frame mixes two resolutions: a
 * column is given out if and only if an interval lies in it. Costs a few steps per column, however
 * many intervals there are.
 */
public final class Fold {
  /** Takes what is to be drawn. */
  public interface Sink {
    /**
     * A run of columns, left to right by its begin; the last column of one may be the first of the
     * next.
     *
     * @param from first column
     * @param to column after the last one
     * @param first index of the first interval in it
     * @param count how many intervals it stands for; more than one only in a single column
     */
    void span(int from, int to, int first, int count);
  }

  private Fold() {}

  /** Gives out the columns of a lane in a view. */
  public static void columns(Lane lane, TimeScale scale, Sink sink) {
    int size = lane.size();
    int width = scale.width();
    int i = lane.firstEndingAfter(scale.startNs());
    int guess = Math.max(1, (lane.firstEndingAfter(scale.endNs()) - i) / width);
    while (i < size) {
      int from = Math.max(0, scale.column(lane.start(i)));
      if (from >= width) {
        return;
      }
      int to = scale.column(lane.end(i) - 1);
      if (to > from) {
        sink.span(from, Math.min(to + 1, width), i, 1);
        i++;
        continue;
      }
      int next = firstFrom(lane, i, scale.firstIn(from + 1), guess);
      int last = next - 1;
      int reach = Math.min(scale.column(lane.end(last) - 1) + 1, width);
      boolean wide = last > i && reach > from + 1;
      sink.span(from, from + 1, i, wide ? last - i : next - i);
      if (wide) {
        sink.span(from, reach, last, 1);
      }
      i = next;
    }
  }

  /**
   * The first interval after {@code index} that begins at a time or later: in doubling steps, from
   * what a column holds on average.
   */
  private static int firstFrom(Lane lane, int index, long timeNs, int guess) {
    int size = lane.size();
    int low = index;
    int step = guess;
    int high = Math.min(size, index + guess);
    while (high < size && lane.start(high) < timeNs) {
      low = high;
      step <<= 1;
      high = Math.min(size, high + step);
    }
    low++;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (lane.start(middle) < timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
