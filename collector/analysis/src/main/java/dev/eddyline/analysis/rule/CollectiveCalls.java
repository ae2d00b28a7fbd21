package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.GroupView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The calls of collectives of which the source knows stream and launch, as a recorder of the
 * library itself does; and the groups around them.
 */
final class CollectiveCalls {
  private static final Set<String> NO_DATA = Set.of("wait", "init", "barrier", "send");

  /**
   * A collective as it was called.
   *
   * @param row its row among the collectives
   * @param startNs when it was called
   * @param thread who called
   * @param stream index of its stream
   * @param launch row of the call that launched it
   * @param op row of its op, -1 if that is not in the trace
   * @param workEvent the event of the handle, -1 where there is none or it is not known
   */
  record Called(
      int row, long startNs, int thread, int stream, int launch, int op, long workEvent) {}

  private CollectiveCalls() {}

  /** Calls with stream and launch, in order of time; waits and the like left out. */
  static List<Called> of(Facts facts) {
    Timeline timeline = facts.timeline();
    CollectiveView view = timeline.collectives();
    List<Called> calls = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      view.at(i);
      if (view.stream() < 0 || view.correlation() < 0 || isWait(view)) {
        continue;
      }
      int launch = timeline.callOf(view.process(), view.correlation());
      if (launch >= 0) {
        int op = facts.graph().links().opOf(launch);
        calls.add(
            new Called(
                i, view.start(), view.thread(), view.stream(), launch, op, view.workEvent()));
      }
    }
    return calls;
  }

  private static boolean isWait(CollectiveView view) {
    return view.kind().equals("wait") || view.kind().equals("init");
  }

  /** Whether a collective gives its caller data, or takes its buffer until it is done. */
  static boolean givesData(CollectiveView view) {
    return !NO_DATA.contains(view.kind());
  }

  /** How many of a trace's collectives lack stream or launch. */
  static int withoutLaunch(Facts facts) {
    CollectiveView view = facts.timeline().collectives();
    int without = 0;
    for (int i = 0; i < view.size(); i++) {
      view.at(i);
      without += !isWait(view) && (view.stream() < 0 || view.correlation() < 0) ? 1 : 0;
    }
    return without;
  }

  /** How many groups of a thread are open at a time; 0 where none is, or groups are not known. */
  static int depthAt(Timeline timeline, int thread, long timeNs) {
    GroupView group = timeline.groups();
    int depth = 0;
    for (int i = groupsBegunBy(group, timeNs) - 1; i >= 0; i--) {
      group.at(i);
      if (group.thread() == thread) {
        if (group.end() > timeNs) {
          depth = Math.max(depth, group.depth());
        }
        if (group.depth() == 1) {
          break;
        }
      }
    }
    return depth;
  }

  /** Row of the outermost group of a thread that is open at a time, or -1. */
  static int outermostAt(Timeline timeline, int thread, long timeNs) {
    GroupView group = timeline.groups();
    for (int i = groupsBegunBy(group, timeNs) - 1; i >= 0; i--) {
      group.at(i);
      if (group.thread() == thread && group.depth() == 1) {
        return group.end() > timeNs ? i : -1;
      }
    }
    return -1;
  }

  private static int groupsBegunBy(GroupView group, long timeNs) {
    int low = 0;
    int high = group.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (group.at(middle).start() <= timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** "all-reduce", with its number where the source has one. */
  static String words(CollectiveView view) {
    String kind = Collectives.kindWord(view.kind());
    return view.sequence() < 0 ? kind : kind + " #" + view.sequence();
  }
}
