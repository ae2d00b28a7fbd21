package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.CollectiveCalls.Called;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Collectives of traces that others wrote, where a range says when the library's own function was
 * called and returned without a launch: a group was open. Without such a range an event recorded at
 * the start of a collective and one recorded too early look alike, so nothing is said.
 */
final class LibraryCalls {
  private static final Pattern FUNCTION =
      Pattern.compile(
          "p?nccl(AllReduce|AllGather|ReduceScatter|Broadcast|Bcast|Reduce|Send|Recv|AlltoAll)");

  private LibraryCalls() {}

  /** Whether the trace has ranges of the library's functions. */
  static boolean areThere(Facts facts) {
    Timeline timeline = facts.timeline();
    for (int i = 0; i < timeline.strings().size(); i++) {
      if (FUNCTION.matcher(timeline.strings().get(i)).matches()) {
        return true;
      }
    }
    return false;
  }

  /** Calls that returned before their launch; the collective's own data says more of others. */
  static List<Called> of(Facts facts) {
    List<Called> found = new ArrayList<>();
    if (!areThere(facts)) {
      return found;
    }
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    RangeView range = timeline.ranges();
    boolean[] isFunction = new boolean[timeline.strings().size()];
    for (int i = 0; i < isFunction.length; i++) {
      isFunction[i] = FUNCTION.matcher(timeline.strings().get(i)).matches();
    }
    for (int i = 0; i < range.size(); i++) {
      if (!isFunction[range.at(i).nameId()]) {
        continue;
      }
      int launch = nextLaunch(graph, range.thread(), range.start());
      CallView call = timeline.calls();
      if (launch < 0 || call.at(launch).start() < range.end()) {
        continue;
      }
      int op = graph.links().opOf(launch);
      int row = graph.collectives().callOf(op);
      if (row >= 0 && timeline.collectives().at(row).stream() < 0) {
        int stream = timeline.ops().at(op).stream();
        found.add(new Called(row, range.end(), range.thread(), stream, launch, op, -1));
      }
    }
    return found;
  }

  /** The next launch of a collective by a thread, or -1. */
  private static int nextLaunch(StreamGraph graph, int thread, long fromNs) {
    Collectives collectives = graph.collectives();
    CallView call = graph.timeline().calls();
    OpView op = graph.timeline().ops();
    for (int row : graph.links().orderingCalls(graph.timeline().calls(), thread, fromNs)) {
      int launched = graph.links().opOf(row);
      if (launched >= 0 && collectives.isCollective(op.at(launched))) {
        return row;
      }
      if (call.at(row).kind().isHostSync()) {
        return -1;
      }
    }
    return -1;
  }
}
