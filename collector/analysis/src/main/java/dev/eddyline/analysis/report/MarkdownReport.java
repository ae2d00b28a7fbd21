package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** The report as Markdown, for a comment on a change: short, the details folded. */
public final class MarkdownReport {
  private static final int WIDTH = 118;
  private final StringBuilder text = new StringBuilder();

  private final long zeroNs;

  private MarkdownReport(long zeroNs) {
    this.zeroNs = zeroNs;
  }

  /** Writes the report; leaves the writer open. */
  public static void write(Timeline timeline, Report report, ReportOptions options, Writer target)
      throws IOException {
    MarkdownReport markdown = new MarkdownReport(TextReport.zeroNs(timeline, report));
    markdown.layOut(timeline, report, options);
    target.write(markdown.text.toString());
  }

  private void layOut(Timeline timeline, Report report, ReportOptions options) {
    List<ReportOptions.Numbered> counted = ReportOptions.counted(report);
    String title =
        counted.isEmpty()
            ? "No findings in what this trace can answer"
            : Words.count(counted.size(), "finding");
    line("### Eddyline: " + title);
    line("");
    for (String header : new TraceHeader(timeline, report.steps()).lines()) {
      line(escape(header) + "  ");
    }
    line("");
    if (report.coverage().standsFirst()) {
      addCoverage(report.coverage());
      line("");
    }
    for (ReportOptions.Numbered numbered : counted.stream().limit(options.top()).toList()) {
      addFinding(numbered);
    }
    if (counted.size() > options.top()) {
      line("and " + (counted.size() - options.top()) + " more");
      line("");
    }
    for (String also : new AlsoLines(timeline, report).lines()) {
      line("- " + escape(also));
    }
    line("");
    if (!report.coverage().standsFirst()) {
      line("<details><summary>What this trace can answer</summary>");
      line("");
      addCoverage(report.coverage());
      addNotEvaluated(report.notEvaluated());
      line("");
      line("</details>");
    } else {
      addNotEvaluated(report.notEvaluated());
    }
  }

  private void addFinding(ReportOptions.Numbered numbered) {
    Finding finding = numbered.finding();
    line(
        String.format(
            java.util.Locale.ROOT,
            "**%s. %s** (%s, `%s`, %s)",
            numbered.id(),
            escape(finding.title()),
            finding.severity().word(),
            finding.rule(),
            finding.confidence().word()));
    line("");
    line(escape(finding.summary()));
    if (finding.occurrences().stream().anyMatch(o -> !o.blame().isEmpty())) {
      line("");
      line("```text");
      BlameTable table = new BlameTable(finding.occurrences(), zeroNs);
      table.lines(WIDTH).forEach(row -> line(row.stripTrailing()));
      line("```");
    }
    line("");
    if (!finding.explanation().isEmpty()) {
      line(escape(finding.explanation()));
      line("");
    }
    finding.sure().forEach(sure -> line("- Sure: " + escape(sure)));
    finding.guessed().forEach(guessed -> line("- Guessed: " + escape(guessed)));
    for (String place : Places.lines(finding.occurrences())) {
      line("- Where: " + escape(place));
    }
    line("- Fix: " + escape(finding.remedy()));
    line("");
  }

  private void addCoverage(Coverage coverage) {
    line("| What this trace can answer | | |");
    line("|---|---|---|");
    for (Coverage.Answer answer : coverage.answers()) {
      line(
          "| "
              + String.join(
                  " | ", escape(answer.question()), escape(answer.value()), escape(answer.detail()))
              + " |");
    }
    if (coverage.standsFirst()) {
      line("");
      line("No finding below says that what cannot be answered is in order.");
    }
  }

  private void addNotEvaluated(List<NotEvaluated> all) {
    if (!all.isEmpty()) {
      line("");
      int later = 0;
      for (NotEvaluated not : all) {
        if (not.because().contains("not in this version")) {
          later++;
        } else {
          line("- not evaluated: `" + not.rule() + "`, because " + escape(not.because()));
        }
      }
      if (later > 0) {
        line("- " + Words.count(later, "rule") + " that this version does not have");
      }
    }
  }

  private void line(String line) {
    // Two blanks at the end of a line are a line break in Markdown: those must stay.
    text.append(line.isBlank() ? "" : line).append('\n');
  }

  /** Names from a trace must not turn into markup. */
  private static String escape(String plain) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        case '|', '*', '`', '[', ']', '\\', '#' -> escaped.append('\\').append(c);
        case '_' -> escaped.append(i > 0 && i + 1 < plain.length() ? "\\_" : "_");
        case '\n' -> escaped.append(' ');
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
