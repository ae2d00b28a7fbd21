package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.List;

/**
 * Says that a sync did not wait for a collective that was queued before it and only began after it
 * had returned: the first thing that people suspect.
 */
final class NotTheCollective {
  private static final int MOST_SHOWN = 4;

  private NotTheCollective() {}

  /** The sentence, "" where it does not hold for every call of the group. */
  static String say(List<JudgedBlock> group, Facts facts) {
    List<String> gaps = new ArrayList<>();
    String kind = "";
    for (JudgedBlock judged : group) {
      int row = queuedBefore(judged, facts);
      if (row < 0) {
        return "";
      }
      long gap = facts.timeline().ops().at(row).start() - judged.block().endNs();
      if (gap <= 0) {
        return "";
      }
      kind = facts.graph().collectives().label(row).replaceFirst(" #\\d+$", "");
      if (gaps.size() < MOST_SHOWN) {
        gaps.add(Words.number(gap));
      }
    }
    boolean all = gaps.size() == group.size();
    return "Not the "
        + kind
        + ": it began "
        + (all ? Words.list(gaps) : String.join(", ", gaps) + ", ..")
        + " ms after "
        + (group.size() == 1 ? "this call" : "these calls")
        + " had returned.";
  }

  /** The last collective that was launched before the call and had not ended by then, or -1. */
  private static int queuedBefore(JudgedBlock judged, Facts facts) {
    StreamGraph graph = facts.graph();
    CallView call = facts.timeline().calls().at(judged.block().call());
    int process = call.process();
    OpView op = facts.timeline().ops();
    int found = -1;
    long latest = Long.MIN_VALUE;
    for (int s = 0; s < facts.timeline().streams().size(); s++) {
      if (facts.timeline().stream(s).process() != process
          || !graph.collectives().ranCollective(s)) {
        continue;
      }
      int position = graph.ops().positionAt(s, judged.block().startNs());
      while (position > 0
          && !graph.collectives().isCollective(op.at(graph.ops().op(s, position - 1)))) {
        position--;
      }
      if (position > 0 && op.end() > judged.block().startNs() && op.start() > latest) {
        latest = op.start();
        found = op.row();
      }
    }
    return found;
  }
}
