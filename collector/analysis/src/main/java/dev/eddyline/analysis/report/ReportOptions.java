package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * How to write a report.
 *
 * @param top how many findings to write out
 * @param next command lines and pages worth reading next; for people only
 */
public record ReportOptions(int top, List<String> next) {
  /** As many findings as there are, and no advice. */
  public static ReportOptions all() {
    return new ReportOptions(Integer.MAX_VALUE, List.of());
  }

  /** A finding and its id: its place in the report, "1", "2", … */
  record Numbered(String id, Finding finding) {}

  /** The errors and warnings of a report, those that are expected left out. */
  static List<Numbered> counted(Report report) {
    return numbered(report, finding -> !isFolded(finding));
  }

  /** What is not counted and has one line each: infos, and what is expected. */
  static List<Numbered> folded(Report report) {
    return numbered(report, ReportOptions::isFolded);
  }

  private static boolean isFolded(Finding finding) {
    return finding.expected() || finding.severity() == Severity.INFO;
  }

  private static List<Numbered> numbered(Report report, Predicate<Finding> which) {
    List<Numbered> all = new ArrayList<>();
    List<Finding> findings = report.findings();
    for (int i = 0; i < findings.size(); i++) {
      if (which.test(findings.get(i))) {
        all.add(new Numbered(Integer.toString(i + 1), findings.get(i)));
      }
    }
    return all;
  }
}
