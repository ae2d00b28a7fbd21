package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.KernelNames;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What to call an op in a sentence: by the operator that launched it, else by its kernel. */
final class OpWords {
  private static final int MOST_NAMED = 3;

  private OpWords() {}

  /** What the ops that released a group of calls are called. */
  static String ofReleases(List<JudgedBlock> group, Facts facts) {
    Set<String> names = new LinkedHashSet<>();
    for (JudgedBlock judged : group) {
      names.add(of(judged.block().releaseOp(), facts));
    }
    List<String> shown = new ArrayList<>(names);
    if (shown.size() > MOST_NAMED) {
      return Words.count(shown.size(), "kind of op", "kinds of ops")
          + " ("
          + shown.get(0)
          + ", ..)";
    }
    return String.join(" or ", shown);
  }

  /** What one op is called. */
  static String of(int row, Facts facts) {
    Timeline timeline = facts.timeline();
    OpView op = timeline.ops().at(row);
    if (facts.graph().collectives().isCollective(op)) {
      return collective(row, facts);
    }
    if (op.kind() == Op.KIND_COPY || op.kind() == Op.KIND_FILL) {
      return (op.kind() == Op.KIND_COPY ? "a copy" : "a fill") + " (" + op.name() + ")";
    }
    int launch = facts.graph().ops().callOf(row);
    String name = op.name();
    if (launch >= 0) {
      CallView call = timeline.calls().at(launch);
      String operator = facts.places().operatorAt(call.thread(), call.start());
      if (!operator.isEmpty()) {
        return "the kernel of " + operator;
      }
    }
    return "the kernel " + KernelNames.shorten(name);
  }

  /** "all-reduce #3 of default_pg". */
  static String collective(int row, Facts facts) {
    String group = facts.graph().collectives().communicator(row);
    String label = facts.graph().collectives().label(row);
    return group.isEmpty() ? label : label + " of " + group;
  }
}
