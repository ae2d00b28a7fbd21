package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.LegacyStreams;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;

/**
 * For how long one edge alone held the next op of a stream: from when all else that the op needs
 * was there (its launch, the op before it, its other waits) until the end of what the edge waits
 * for. Only where the op went on right after that end, so that nothing else can have held it.
 */
public final class StreamHold {
  /** An op that starts later after the end of what it waited for was held by something else. */
  private static final long RESUME_GAP_NS = 20_000;

  private static final int NONE = -1;
  private final StreamGraph graph;
  private final Timeline timeline;
  private final LegacyStreams legacy;
  private final OpView op;
  private final CallView call;

  public StreamHold(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.legacy = graph.legacyStreams();
    this.op = timeline.ops();
    this.call = timeline.calls();
  }

  /** Row of the first op behind a wait on its stream, or -1. */
  public int heldOp(int wait) {
    int stream = timeline.waits().at(wait).stream();
    int position = graph.waitPosition(wait);
    return position < 0 || position >= graph.ops().count(stream)
        ? NONE
        : graph.ops().op(stream, position);
  }

  /** Row of the last op that a wait covers, or -1. */
  public int coveredOp(int wait) {
    int source = graph.bindings().source(wait);
    int covered = source < 0 ? 0 : graph.coveredBy(wait);
    return covered <= 0 ? NONE : graph.ops().op(source, covered - 1);
  }

  /** For how long a wait alone held the next op of its stream, ns; 0 if it did not. */
  public long byWait(int wait) {
    int held = heldOp(wait);
    int covered = coveredOp(wait);
    if (held < 0 || covered < 0) {
      return 0;
    }
    long ready = ownReady(held);
    int stream = timeline.waits().at(wait).stream();
    int position = graph.waitPosition(wait);
    for (int i = graph.firstWaitFrom(stream, position); i < graph.waitCount(stream); i++) {
      int other = graph.waitOf(stream, i);
      if (graph.waitPosition(other) != position) {
        break;
      }
      if (other != wait && !graph.bindings().isEmpty(other)) {
        int end = coveredOp(other);
        if (end < 0) {
          // What it waits for is not known, or ran before the trace began.
          return graph.bindings().isUnknown(other) ? 0 : held(held, covered, ready);
        }
        ready = Math.max(ready, op.at(end).end());
      }
    }
    return held(held, covered, ready);
  }

  /**
   * For how long the rules of the legacy default stream alone held an op, ns; 0 if they did not.
   *
   * @param by row of the op of the other stream is written to its first place
   */
  public long byLegacy(int row, int[] by) {
    int stream = op.at(row).stream();
    int launch = graph.ops().callOf(row);
    if (launch < 0 || legacy.orderedBefore(stream).length == 0) {
      return 0;
    }
    long ready = readyWithWaits(row, stream);
    long start = op.at(row).start();
    if (ready == Long.MAX_VALUE || start - ready <= 0) {
      return 0;
    }
    long enqueued = call.at(launch).start();
    long most = 0;
    for (int other : legacy.orderedBefore(stream)) {
      int covered = graph.ops().positionAt(other, enqueued);
      if (covered == 0) {
        continue;
      }
      int last = graph.ops().op(other, covered - 1);
      long held = held(row, last, ready);
      if (held > most) {
        most = held;
        by[0] = last;
      }
    }
    return most;
  }

  private long readyWithWaits(int row, int stream) {
    long ready = ownReady(row);
    int position = graph.ops().indexOf(row);
    for (int i = graph.firstWaitFrom(stream, position); i < graph.waitCount(stream); i++) {
      int wait = graph.waitOf(stream, i);
      if (graph.waitPosition(wait) != position) {
        break;
      }
      if (graph.bindings().isUnknown(wait)) {
        return Long.MAX_VALUE;
      }
      int end = coveredOp(wait);
      ready = end < 0 ? ready : Math.max(ready, op.at(end).end());
    }
    return ready;
  }

  /** When the launch was made and the op before on the stream had ended. */
  private long ownReady(int row) {
    op.at(row);
    int stream = op.stream();
    int index = graph.ops().indexOf(row);
    int launch = graph.ops().callOf(row);
    long ready = launch < 0 ? Long.MIN_VALUE : call.at(launch).end();
    if (index > 0) {
      ready = Math.max(ready, op.at(graph.ops().op(stream, index - 1)).end());
    }
    return launch < 0 && index == 0 ? Long.MAX_VALUE : ready;
  }

  private long held(int heldOp, int coveredOp, long ready) {
    long end = op.at(coveredOp).end();
    long start = op.at(heldOp).start();
    boolean resumed = start >= end && start - end <= RESUME_GAP_NS;
    return resumed && ready != Long.MAX_VALUE ? Math.max(0, end - ready) : 0;
  }
}
