package dev.eddyline.junit;

import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says which ops ran without the order that they should have. */
final class OpOrderMessage {
  private static final int MOST_ROWS = 12;

  private final TraceView view;
  private final OpSelector after;
  private final OpSelector before;
  private final boolean perStep;
  private final OpView op;

  /** The cells of a row: step, op, its time, the other, its time, and how they lie in time. */
  private record Row(String step, String op, String time, String other, String otherTime, Gap gap) {
    /** Whether only the numbers differ. */
    boolean repeats(Row above) {
      return op.equals(above.op)
          && other.equals(above.other)
          && gap.lead.equals(above.gap.lead)
          && gap.trail.equals(above.gap.trail);
    }
  }

  private record Gap(String lead, String ns, String trail) {}

  OpOrderMessage(TraceView view, OpSelector after, OpSelector before, boolean perStep) {
    this.view = view;
    this.after = after;
    this.before = before;
    this.perStep = perStep;
    this.op = view.timeline().ops();
  }

  Verdict.Broken broken(List<OpOrder.Pair> pairs, int groups) {
    long brokenGroups = pairs.stream().map(OpOrder.Pair::group).distinct().count();
    String count =
        perStep
            ? "but is not in " + brokenGroups + " of " + Words.count(groups, "step", "steps")
            : "but is not " + brokenGroups + " of " + Words.count(groups, "time", "times");
    List<String> body = new ArrayList<>(table(pairs));
    OpOrder.Pair first = pairs.get(0);
    int consumer = op.at(first.after()).stream();
    body.add(waitsOf(consumer));
    String fix;
    String pair;
    if (first.before() < 0) {
      body.add("Missing: " + before.words() + " in the same step; the step has none.");
      fix = "launch " + before.words() + " in every step that runs " + after.shortName() + ".";
      pair = view.opOnStream(first.after());
    } else {
      int producer = op.at(first.before()).stream();
      body.add(missing(producer, consumer));
      fix = fix(producer, consumer);
      pair = view.opOnStream(first.after()) + ", and " + view.opOnStream(first.before());
    }
    String place = view.placeOfOp(first.after());
    if (!place.isEmpty()) {
      body.add("Launched at " + place);
    }
    return new Verdict.Broken(rule(), count, body, fix, pair);
  }

  private String rule() {
    return after.words()
        + " must be ordered after "
        + before.words()
        + (perStep ? " of its step" : " before it");
  }

  // ---- the rows ----

  private List<String> table(List<OpOrder.Pair> pairs) {
    List<Row> rows = pairs.stream().limit(MOST_ROWS).map(this::row).toList();
    int[] width = new int[6];
    for (Row row : rows) {
      String[] cells = {row.step, row.op, row.time, row.other, row.otherTime, row.gap.ns};
      for (int i = 0; i < cells.length; i++) {
        width[i] = Math.max(width[i], cells[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      lines.add(line(rows.get(i), i == 0 ? null : rows.get(i - 1), width));
    }
    if (pairs.size() > MOST_ROWS) {
      lines.add(".. and " + (pairs.size() - MOST_ROWS) + " more");
    }
    return lines;
  }

  /** A line of the table; what stands in the line above is not repeated. */
  private static String line(Row row, @org.jspecify.annotations.Nullable Row above, int[] width) {
    boolean repeats = above != null && row.repeats(above);
    String unit = repeats ? "   " : " ms";
    StringBuilder line = new StringBuilder();
    line.append(Words.left(row.step, width[0])).append("   ");
    line.append(Words.left(repeats ? "" : row.op, width[1])).append("  ");
    line.append(Words.right(row.time, width[2])).append(unit).append("    ");
    line.append(Words.left(repeats ? "" : row.other, width[3])).append("  ");
    line.append(Words.right(row.otherTime, width[4]));
    line.append(row.otherTime.isEmpty() ? "   " : unit).append("    ");
    line.append(repeats ? " ".repeat(row.gap.lead.length()) : row.gap.lead);
    line.append(Words.right(row.gap.ns, width[5])).append(repeats ? "" : row.gap.trail);
    return line.toString().stripTrailing();
  }

  private Row row(OpOrder.Pair pair) {
    op.at(pair.after());
    int process = op.process();
    String step =
        perStep
            ? view.rankWords(process) + view.steps().steps().get(pair.group()).name()
            : view.rankWords(process) + "#" + pair.group();
    String own = after.shortName() + " on stream " + view.label(op.stream());
    String time = span(pair.after(), process);
    if (pair.before() < 0) {
      return new Row(
          step, own, time, "", "", new Gap("no " + before.shortName() + " in this step", "", ""));
    }
    String other = before.shortName() + " on stream " + view.label(op.at(pair.before()).stream());
    return new Row(step, own, time, other, span(pair.before(), process), gap(pair));
  }

  private String span(int row, int process) {
    long zero = view.zero(process);
    op.at(row);
    return Millis.of(op.start() - zero) + " .. " + Millis.of(op.end() - zero);
  }

  private Gap gap(OpOrder.Pair pair) {
    op.at(pair.after());
    long start = op.start();
    long end = op.end();
    op.at(pair.before());
    if (end <= op.start()) {
      return new Gap("ran ", Millis.of(op.start() - end), " ms too early");
    }
    if (start < op.end()) {
      return new Gap("began ", Millis.of(op.end() - start), " ms before it ended");
    }
    return new Gap("came ", Millis.of(start - op.end()), " ms after it by luck");
  }

  // ---- the missing edge ----

  /** For which streams a stream waits: "Stream 25 waits for no other stream in this trace." */
  private String waitsOf(int stream) {
    Map<String, Integer> sources = new TreeMap<>();
    int open = 0;
    for (int i = 0; i < view.graph().waitCount(stream); i++) {
      int wait = view.graph().waitOf(stream, i);
      int source = view.graph().bindings().source(wait);
      if (view.isOpen(wait)) {
        open++;
      } else if (view.graph().bindings().isEmpty(wait)) {
        sources.merge("nothing (an event that was never recorded)", 1, Integer::sum);
      } else if (source >= 0 && source != stream && !view.isInternalWait(wait)) {
        sources.merge("stream " + view.label(source), 1, Integer::sum);
      }
    }
    String name = "Stream " + view.label(stream);
    if (sources.isEmpty() && open == 0) {
      return name + " waits for no other stream in this trace.";
    }
    List<String> words = new ArrayList<>();
    sources.forEach(
        (source, times) -> words.add(source + " (" + Words.count(times, "time", "times") + ")"));
    if (open > 0) {
      words.add("what this trace does not say (" + Words.count(open, "time", "times") + ")");
    }
    return name + " waits for " + Words.list(words) + ", and not for this.";
  }

  private String missing(int producer, int consumer) {
    String from = view.label(producer);
    String to = view.label(consumer);
    if (producer == consumer) {
      return "Missing: the launch of "
          + before.words()
          + " before that of "
          + after.shortName()
          + "; both are on stream "
          + to
          + ".";
    }
    return "Missing: an event recorded on stream "
        + from
        + " after "
        + before.words()
        + ", waited for by stream "
        + to
        + " before "
        + after.shortName()
        + ".";
  }

  private String fix(int producer, int consumer) {
    String to = view.label(consumer);
    if (producer == consumer) {
      return "launch " + before.words() + " first.";
    }
    return before.isCollective()
        ? "call work.wait() with stream " + to + " current, then launch " + after.shortName() + "."
        : "record an event on stream "
            + view.label(producer)
            + " and let stream "
            + to
            + " wait for it before it gets "
            + after.shortName()
            + ".";
  }
}
