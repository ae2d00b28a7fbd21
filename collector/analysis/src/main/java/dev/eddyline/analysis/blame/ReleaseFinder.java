package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;

/** Finds the op whose end let a call return. */
final class ReleaseFinder {
  /**
   * How long after an op's end a call may return and still count as released by it by time alone.
   */
  static final long NEAR_NS = 25_000;

  /** More ops than a launch queue holds: nothing further back can have been pending. */
  private static final int MOST_PENDING = 4096;

  private final Timeline timeline;
  private final StreamGraph graph;
  private final OpView op;
  private final long tolerance;
  private final long[] ends;
  private final int[] byEnd;

  ReleaseFinder(StreamGraph graph, long tolerance) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.op = timeline.ops();
    this.tolerance = tolerance;
    int n = op.size();
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      keys[i] = op.at(i).end();
    }
    byEnd = sortedByEnd(keys);
    ends = new long[n];
    for (int i = 0; i < n; i++) {
      ends[i] = keys[byEnd[i]];
    }
  }

  private static int[] sortedByEnd(long[] keys) {
    int n = keys.length;
    int[] from = new int[n];
    for (int i = 0; i < n; i++) {
      from[i] = i;
    }
    int[] to = new int[n];
    for (int width = 1; width < n; width *= 2) {
      for (int low = 0; low < n; low += 2 * width) {
        int middle = Math.min(low + width, n);
        int high = Math.min(low + 2 * width, n);
        int a = low;
        int b = middle;
        for (int i = low; i < high; i++) {
          boolean left = a < middle && (b >= high || keys[from[a]] <= keys[from[b]]);
          to[i] = left ? from[a++] : from[b++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /**
   * The last-ending of the first {@code covered} ops of a stream that ended in (t0, t1], or -1.
   * Overlapping ops make it look at a few before the last.
   */
  int onStream(int stream, int covered, long t0, long t1) {
    int found = -1;
    long latest = t0;
    int looked = 0;
    int last = Math.max(0, covered - MOST_PENDING);
    for (int i = covered - 1; i >= last && looked < 16; i--) {
      int row = graph.ops().op(stream, i);
      long end = op.at(row).end();
      if (end > t1 + tolerance) {
        continue;
      }
      looked++;
      if (end > latest) {
        latest = end;
        found = row;
      }
    }
    return found;
  }

  /** The last-ending op of all streams of a process that was enqueued before t0, or -1. */
  int onDevice(int process, long t0, long t1) {
    int found = -1;
    long latest = t0;
    for (int s = 0; s < timeline.streams().size(); s++) {
      StreamInfo stream = timeline.stream(s);
      if (stream.process() != process) {
        continue;
      }
      int row = onStream(s, graph.ops().positionAt(s, t0), t0, t1);
      if (row >= 0 && op.at(row).end() > latest) {
        latest = op.end();
        found = row;
      }
    }
    return found;
  }

  /** Whether all work that a process launched before t0 was done by t1. */
  boolean drained(int process, long t0, long t1) {
    for (int s = 0; s < timeline.streams().size(); s++) {
      int covered = graph.ops().positionAt(s, t0);
      if (timeline.stream(s).process() == process
          && covered > 0
          && op.at(graph.ops().op(s, covered - 1)).end() > t1 + tolerance) {
        return false;
      }
    }
    return true;
  }

  /**
   * By time alone: the op of a process that ended last before t1 and near it, launched before t0,
   * or -1.
   */
  int byTime(int process, long t0, long t1) {
    int at = Arrays.binarySearch(ends, t1 + tolerance + 1);
    for (int i = (at < 0 ? -at - 1 : at) - 1; i >= 0 && ends[i] > t0; i--) {
      if (t1 - ends[i] > NEAR_NS) {
        return -1;
      }
      op.at(byEnd[i]);
      int launch = graph.ops().callOf(byEnd[i]);
      if (op.process() == process && launch >= 0 && timeline.calls().at(launch).start() < t0) {
        return byEnd[i];
      }
    }
    return -1;
  }
}
