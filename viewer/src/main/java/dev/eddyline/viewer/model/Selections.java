package dev.eddyline.viewer.model;

import dev.eddyline.analysis.finding.Finding;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selections as words, for the command line and session files: {@code finding:3}, its second
 * occurrence {@code finding:3.2}, {@code call:330} and {@code op:263} by correlation id.
 */
public final class Selections {
  private static final Pattern FINDING = Pattern.compile("finding:(\\d{1,9})(?:\\.(\\d{1,9}))?");
  private static final Pattern ROW = Pattern.compile("(call|op):(?:rank(\\d{1,9}):)?(\\d{1,18})");

  private Selections() {}

  /**
   * The selection that words name.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong and what there is
   */
  public static Selection parse(String words, TraceModel model) {
    Matcher finding = FINDING.matcher(words);
    if (finding.matches()) {
      return finding(finding, model.report().findings());
    }
    Matcher row = ROW.matcher(words);
    if (!row.matches()) {
      throw new IllegalArgumentException(
          "cannot select '" + words + "': it is finding:N, finding:N.M, call:ID or op:ID");
    }
    int process = process(row.group(2), model);
    int call = model.timeline().callOf(process, Long.parseLong(row.group(3)));
    if (call < 0) {
      throw new IllegalArgumentException("no call of this trace has the id " + row.group(3));
    }
    if (row.group(1).equals("call")) {
      return new Selection.OfCall(call);
    }
    int op = model.graph().links().opOf(call);
    if (op < 0) {
      throw new IllegalArgumentException("call " + row.group(3) + " enqueued no op");
    }
    return new Selection.OfOp(op);
  }

  private static Selection finding(Matcher words, List<Finding> findings) {
    int number = Integer.parseInt(words.group(1));
    if (number < 1 || number > findings.size()) {
      throw new IllegalArgumentException(
          findings.isEmpty()
              ? "this trace has no findings"
              : "there is no finding " + number + ": they go from 1 to " + findings.size());
    }
    int occurrence = words.group(2) == null ? 1 : Integer.parseInt(words.group(2));
    int most = findings.get(number - 1).occurrences().size();
    if (occurrence < 1 || occurrence > Math.max(1, most)) {
      throw new IllegalArgumentException(
          "finding "
              + number
              + " happened "
              + most
              + " times, there is no occurrence "
              + occurrence);
    }
    return new Selection.OfFinding(number - 1, occurrence - 1);
  }

  private static int process(@Nullable String rank, TraceModel model) {
    for (int i = 0; rank != null && i < model.timeline().processes().size(); i++) {
      if (Integer.toString(model.timeline().process(i).rank()).equals(rank)) {
        return i;
      }
    }
    if (rank != null) {
      throw new IllegalArgumentException("rank " + rank + " is not in this trace");
    }
    return 0;
  }

  /** The words for a selection; "" for none and for ranges. */
  public static String words(Selection selection, TraceModel model) {
    if (selection instanceof Selection.OfFinding f) {
      return "finding:"
          + (f.finding() + 1)
          + (f.occurrence() == 0 ? "" : "." + (f.occurrence() + 1));
    }
    if (selection instanceof Selection.OfCall c) {
      var call = model.timeline().calls().at(c.row());
      return "call:" + rank(call.process(), model) + call.correlation();
    }
    if (selection instanceof Selection.OfOp o) {
      var op = model.timeline().ops().at(o.row());
      return op.call() < 0 ? "" : "op:" + rank(op.process(), model) + op.correlation();
    }
    return "";
  }

  private static String rank(int process, TraceModel model) {
    int rank = model.timeline().process(process).rank();
    return model.timeline().processes().size() > 1 && rank >= 0 ? "rank" + rank + ":" : "";
  }
}
