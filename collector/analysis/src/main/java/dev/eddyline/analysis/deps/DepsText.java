package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.report.Columns;
import dev.eddyline.analysis.report.TextReport;
import dev.eddyline.analysis.report.TraceHeader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which stream waits for which, as a table for people. */
public final class DepsText {
  static final String LEGEND =
      "\"A waits for B\": what is queued on A after the wait starts only when B has reached the"
          + " marked point.";

  private static final int WIDTH = 118;
  private final List<String> lines = new ArrayList<>();

  private DepsText() {}

  /**
   * Writes the table of one trace, or two side by side; leaves the writer open.
   *
   * @param traces one trace, or before and after
   * @param all whether every wait has a line of its own
   */
  public static void write(List<StreamDependencies> traces, boolean all, Writer target)
      throws IOException {
    DepsText text = new DepsText();
    if (traces.size() == 1) {
      text.one(traces.get(0), all);
    } else {
      text.two(traces.get(0), traces.get(1));
    }
    for (String line : text.lines) {
      target.write(TextReport.printable(line.stripTrailing()));
      target.write('\n');
    }
  }

  private void one(StreamDependencies deps, boolean all) {
    lines.addAll(new TraceHeader(deps.timeline(), deps.steps()).lines());
    lines.add("");
    if (deps.waits() > 0) {
      lines.add(LEGEND);
      table(deps, all);
    }
    Sentences.of(deps).forEach(this::wrapped);
  }

  private void table(StreamDependencies deps, boolean all) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"waits", "stream that waits", "waits for", "how known"});
    for (Dependency row : deps.rows()) {
      rows.add(
          new String[] {
            count(row.waits().size()), row.waiter().title(), target(row), HowKnown.of(row)
          });
      if (all) {
        for (WaitFact wait : row.waits()) {
          rows.add(new String[] {"", "  " + place(wait, deps), "", single(wait)});
        }
      }
    }
    lines.addAll(Columns.align(rows, "", WIDTH));
    lines.add(count(deps.waits()));
  }

  private static String target(Dependency row) {
    return row.state() == WaitFact.State.EMPTY ? "nothing" : row.target().title();
  }

  private static String count(int n) {
    return String.format(Locale.ROOT, "%5d", n);
  }

  private static String place(WaitFact wait, StreamDependencies deps) {
    String rank = deps.ranks() > 1 ? "rank " + wait.rank() + ", " : "";
    return wait.step() < 0
        ? rank + "outside of steps"
        : rank + deps.steps().steps().get(wait.step()).name();
  }

  private static String single(WaitFact wait) {
    String by = wait.correlation() < 0 ? wait.call() : wait.call() + " #" + wait.correlation();
    return wait.recordCorrelation() < 0
        ? by + ", record not known"
        : by + " for record #" + wait.recordCorrelation();
  }

  private void two(StreamDependencies before, StreamDependencies after) {
    lines.add("before   " + String.join("\n", title(before)));
    lines.add("after    " + String.join("\n", title(after)));
    lines.add("");
    lines.add(LEGEND);
    Comparison comparison = new Comparison(before, after);
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"stream that waits", "waits for", "before", "after", ""});
    for (Comparison.Row row : comparison.rows()) {
      rows.add(
          new String[] {
            row.waiterTitle(), row.targetTitle(), row.beforeWords(), row.afterWords(), row.change()
          });
    }
    lines.addAll(Columns.align(rows, "  ", WIDTH));
    lines.add(
        "  waits in all: "
            + before.waits()
            + " before, "
            + after.waits()
            + " after; not known for what: "
            + comparison.openBefore()
            + " and "
            + comparison.openAfter());
    lines.add("");
    for (String line : comparison.sentences()) {
      wrapped(line);
    }
  }

  private static List<String> title(StreamDependencies deps) {
    return new TraceHeader(deps.timeline(), deps.steps()).lines().subList(0, 1);
  }

  private void wrapped(String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
        line.append("  ");
      } else if (line.length() > 0) {
        line.append(' ');
      }
      line.append(word);
    }
    lines.add(line.toString());
  }
}
