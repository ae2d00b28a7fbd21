package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;

/**
 * The ops of each stream in the order in which they were enqueued. On one stream that is the order
 * of their device times; where ops overlap (graphs, programmatic dependent launch) it is the order
 * of their starts.
 *
 * <p>A position on a stream is a number of ops: a record at position p covers the ops before p, a
 * wait at position p holds the ops from p on.
 */
public final class StreamOps {
  private static final long UNKNOWN_TIME = Long.MIN_VALUE;
  private final int[] first;
  private final int[] rows;
  private final long[] enqueued;
  private final int[] indexOfOp;
  private final int[] callOfOp;

  StreamOps(Timeline timeline) {
    OpView op = timeline.ops();
    int streams = timeline.streams().size();
    int n = op.size();
    first = new int[streams + 1];
    rows = new int[n];
    enqueued = new long[n];
    indexOfOp = new int[n];
    callOfOp = new int[n];
    for (int i = 0; i < n; i++) {
      first[op.at(i).stream() + 1]++;
    }
    for (int s = 0; s < streams; s++) {
      first[s + 1] += first[s];
    }
    int[] next = Arrays.copyOf(first, streams);
    for (int i = 0; i < n; i++) {
      int stream = op.at(i).stream();
      int at = next[stream]++;
      rows[at] = i;
      indexOfOp[i] = at - first[stream];
      callOfOp[i] = op.call();
    }
    fillEnqueued(timeline, streams);
  }

  /** When each op was enqueued, made non-decreasing along the stream. */
  private void fillEnqueued(Timeline timeline, int streams) {
    var call = timeline.calls();
    for (int s = 0; s < streams; s++) {
      long latest = UNKNOWN_TIME;
      for (int at = first[s]; at < first[s + 1]; at++) {
        int launch = callOfOp[rows[at]];
        if (launch >= 0) {
          latest = Math.max(latest, call.at(launch).start());
        }
        enqueued[at] = latest;
      }
    }
  }

  /** How many ops a stream ran. */
  public int count(int stream) {
    return first[stream + 1] - first[stream];
  }

  /** Row of the op at an index of its stream. */
  public int op(int stream, int index) {
    return rows[first[stream] + index];
  }

  /** Index of an op on its stream. */
  public int indexOf(int op) {
    return indexOfOp[op];
  }

  /** Row of the call that enqueued an op, or -1. */
  public int callOf(int op) {
    return callOfOp[op];
  }

  /** Position on a stream of something enqueued by a call that began at a time. */
  public int positionAt(int stream, long callStart) {
    int low = first[stream];
    int high = first[stream + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (enqueued[middle] < callStart) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - first[stream];
  }
}
