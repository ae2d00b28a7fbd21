package dev.eddyline.viewer.model;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.viewer.track.TimeScale;
import dev.eddyline.viewer.track.Track;

/**
 * What a device did at each time: computed, communicated, both, nothing. Sums over fixed buckets of
 * the whole trace, and exact where few ops are in view. Immutable.
 */
public final class Overlap {
  private static final int MOST_BUCKETS = 1 << 18;
  private static final int MOST_EXACT = 20_000;

  /** Index of what only computed in the columns of {@link #columns}. */
  public static final int COMPUTE = 0;

  /** Index of what only communicated. */
  public static final int COMMUNICATION = 1;

  /** Index of what did both. */
  public static final int BOTH = 2;

  /** How many kinds there are. */
  public static final int KINDS = 3;

  private interface Sink {
    void add(int kind, long fromNs, long toNs);
  }

  private final StreamGraph graph;
  private final int process;
  private final int device;
  private final Span whole;
  private final double bucketNs;
  private final int buckets;
  private final long[][] before;

  private Overlap(StreamGraph graph, int process, int device, Span whole) {
    this.graph = graph;
    this.process = process;
    this.device = device;
    this.whole = whole;
    int ops = graph.timeline().ops().size();
    buckets = (int) Math.min(MOST_BUCKETS, Math.max(1024L, 4L * ops));
    bucketNs = Math.max(1.0, whole.lengthNs() / (double) buckets);
    before = new long[KINDS][buckets + 1];
    sweep(0, ops, this::addToBuckets);
    for (long[] sums : before) {
      for (int i = 0; i < buckets; i++) {
        sums[i + 1] += sums[i];
      }
    }
  }

  static Overlap of(StreamGraph graph, Track track, Span whole) {
    return new Overlap(graph, track.process(), track.ref(), whole);
  }

  private void addToBuckets(int kind, long fromNs, long toNs) {
    long from = fromNs - whole.startNs();
    long to = toNs - whole.startNs();
    int first = bucket(from);
    int last = bucket(to - 1);
    for (int b = first; b <= last; b++) {
      long low = b == first ? from : Math.round(b * bucketNs);
      long high = b == last ? to : Math.round((b + 1) * bucketNs);
      before[kind][b + 1] += Math.max(0, high - low);
    }
  }

  private int bucket(long offset) {
    return (int) Math.max(0, Math.min(buckets - 1, (long) (offset / bucketNs)));
  }

  /** Goes through ops in the order of their starts and gives out spans of one kind each. */
  private void sweep(int firstOp, int endOp, Sink sink) {
    OpView op = graph.timeline().ops();
    Collectives collectives = graph.collectives();
    long cursor = Long.MIN_VALUE;
    long computes = Long.MIN_VALUE;
    long communicates = Long.MIN_VALUE;
    for (int row = firstOp; row <= endOp; row++) {
      long start = Long.MAX_VALUE;
      if (row < endOp) {
        if (!isOwn(op.at(row))) {
          continue;
        }
        start = op.start();
      }
      while (cursor < start && (computes > cursor || communicates > cursor)) {
        boolean compute = computes > cursor;
        boolean communicate = communicates > cursor;
        long until = Math.min(compute ? computes : start, communicate ? communicates : start);
        until = Math.min(until, start);
        sink.add(compute ? communicate ? BOTH : COMPUTE : COMMUNICATION, cursor, until);
        cursor = until;
      }
      cursor = Math.max(cursor, start);
      if (row < endOp) {
        if (collectives.isCollective(op)) {
          communicates = Math.max(communicates, op.end());
        } else {
          computes = Math.max(computes, op.end());
        }
      }
    }
  }

  private boolean isOwn(OpView op) {
    var stream = graph.timeline().stream(op.stream());
    return stream.process() == process && stream.device() == device;
  }

  /**
   * How many nanoseconds of each pixel column went to what.
   *
   * @param into {@link #KINDS} values per column are written
   */
  public void columns(TimeScale scale, float[] into) {
    java.util.Arrays.fill(into, 0, scale.width() * KINDS, 0f);
    int end = firstStartingFrom(scale.endNs());
    int begin = firstStartingFrom(scale.startNs());
    // What began before the view may still run in it; look back over a bounded number of ops.
    int first = Math.max(0, begin - MOST_EXACT);
    if (scale.nsPerPixel() < bucketNs * 2 && end - begin < MOST_EXACT) {
      sweep(first, end, (kind, from, to) -> addToColumns(scale, into, kind, from, to));
      return;
    }
    for (int x = 0; x < scale.width(); x++) {
      long from = scale.time(x);
      long to = scale.time(x + 1.0);
      for (int kind = 0; kind < KINDS; kind++) {
        into[x * KINDS + kind] = (float) (sum(kind, to) - sum(kind, from));
      }
    }
  }

  private static void addToColumns(
      TimeScale scale, float[] into, int kind, long fromNs, long toNs) {
    if (!scale.shows(fromNs, toNs)) {
      return;
    }
    double from = Math.max(0, scale.x(fromNs));
    double to = Math.min(scale.width(), scale.x(toNs));
    for (int x = (int) from; x < to; x++) {
      double part = Math.min(to, x + 1.0) - Math.max(from, x);
      into[x * KINDS + kind] += (float) (part * scale.nsPerPixel());
    }
  }

  private int firstStartingFrom(long timeNs) {
    OpView op = graph.timeline().ops();
    int low = 0;
    int high = op.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (op.at(middle).start() < timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private double sum(int kind, long timeNs) {
    double at = (timeNs - whole.startNs()) / bucketNs;
    if (at <= 0) {
      return 0;
    }
    int b = (int) Math.min(at, buckets - 1);
    double share = Math.min(1, at - b);
    return before[kind][b] + share * (before[kind][b + 1] - before[kind][b]);
  }

  /** Nanoseconds of a kind in a span of time. */
  public long sum(int kind, long fromNs, long toNs) {
    return Math.round(sum(kind, toNs) - sum(kind, fromNs));
  }
}
