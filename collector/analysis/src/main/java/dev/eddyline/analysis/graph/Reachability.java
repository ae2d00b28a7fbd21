package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;

/**
 * Who comes before whom in a trace: ops, and what a host thread knows to be done. Built in one pass
 * over the calls in the order of their starts; see {@link HappensBefore}.
 */
public final class Reachability {
  private final Timeline timeline;
  private final StreamGraph graph;
  private final HappensBefore order;
  private final int[] launchOfOp;

  public Reachability(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    CallSweep sweep = new CallSweep(graph);
    order = sweep.run();
    launchOfOp = sweep.launchOfOp();
  }

  /** The moment at which an op was enqueued; -2 for one that was before the first call. */
  private int moment(int op) {
    return CallSweep.moment(launchOfOp[op]);
  }

  /** Whether op {@code before} is known to come before op {@code after}. */
  public boolean reaches(int before, int after) {
    return reaches(before, after, false);
  }

  /**
   * The same, where a thread that enqueues something may also have heard, by some way of the
   * program's own, that a sync or query of another thread of its process had returned before.
   */
  public boolean mayReach(int before, int after) {
    return reaches(before, after, true);
  }

  private boolean reaches(int before, int after, boolean handOvers) {
    OpView op = timeline.ops();
    int from = op.at(before).stream();
    int to = op.at(after).stream();
    if (from == to) {
      return graph.ops().indexOf(before) < graph.ops().indexOf(after);
    }
    int moment = moment(before);
    return order.known(to, moment(after), from, moment, handOvers) > moment;
  }

  /**
   * How many ops of a stream are known to come before an op.
   *
   * @param handOvers as in {@link #mayReach}
   */
  public int positionBefore(int stream, int after, boolean handOvers) {
    int to = timeline.ops().at(after).stream();
    if (stream == to) {
      return graph.ops().indexOf(after);
    }
    return position(stream, order.known(to, moment(after), stream, HappensBefore.MOST, handOvers));
  }

  /**
   * How many ops of a stream come before what a call enqueues on another stream, or before what is
   * enqueued there next.
   *
   * @param to the stream on which it is enqueued
   * @param call row of the call
   */
  public int positionAtCall(int stream, int to, int call, boolean handOvers) {
    int moment = CallSweep.moment(call);
    if (stream == to) {
      return position(stream, moment);
    }
    return position(stream, order.known(to, moment, stream, HappensBefore.MOST, handOvers));
  }

  /**
   * How many ops of a stream a host thread knows to be done when it comes to a call.
   *
   * @param call row of the call, or of the first one that begins later than the moment asked for
   */
  public int knownToHost(int stream, int thread, int call, boolean handOvers) {
    int moment = CallSweep.moment(call) - 1;
    int known = order.known(order.thread(thread), moment, stream, HappensBefore.MOST, handOvers);
    if (handOvers) {
      int process = timeline.thread(thread).process();
      known =
          Math.max(
              known, order.known(order.process(process), moment, stream, HappensBefore.MOST, true));
    }
    return position(stream, known);
  }

  /** How many ops of a stream its thread knows to be done when a call has returned. */
  public int knownAfter(int stream, int call) {
    int thread = order.thread(timeline.calls().at(call).thread());
    int moment = CallSweep.moment(call) + 1;
    return position(stream, order.known(thread, moment, stream, HappensBefore.MOST, false));
  }

  private int position(int stream, int moment) {
    StreamOps ops = graph.ops();
    int low = 0;
    int high = ops.count(stream);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (moment(ops.op(stream, middle)) < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
