package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The report for people, in plain ASCII. */
public final class TextReport {
  static final int WIDTH = 118;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final String INDENT = "   ";
  private final Timeline timeline;
  private final Report report;
  private final ReportOptions options;
  private final List<String> lines = new ArrayList<>();

  private TextReport(Timeline timeline, Report report, ReportOptions options) {
    this.timeline = timeline;
    this.report = report;
    this.options = options;
  }

  /** Writes the report; leaves the writer open. */
  public static void write(Timeline timeline, Report report, ReportOptions options, Writer target)
      throws IOException {
    TextReport text = new TextReport(timeline, report, options);
    text.layOut();
    for (String line : text.lines) {
      target.write(printable(line.stripTrailing()));
      target.write('\n');
    }
  }

  /** Names come from the trace: none of them may steer the terminal. */
  public static String printable(String line) {
    String ascii = line.replace("\u2026", "..").replace("\u00b5s", "us").replace("\u2192", "->");
    return CONTROL.matcher(ascii).replaceAll("?");
  }

  private void layOut() {
    lines.addAll(new TraceHeader(timeline, report.steps()).lines());
    lines.add("");
    boolean coverageFirst = report.coverage().standsFirst();
    if (coverageFirst) {
      addCoverage();
      addCannotBeJudged();
      lines.add("");
    }
    List<ReportOptions.Numbered> counted = ReportOptions.counted(report);
    List<String> also = new AlsoLines(timeline, report).lines();
    if (counted.isEmpty()) {
      lines.add("No findings in what this trace can answer.");
      also.forEach(line -> addWrapped(INDENT, INDENT + "  ", line));
    } else {
      addList(counted);
      counted.stream().limit(options.top()).forEach(this::addFinding);
      if (!also.isEmpty()) {
        lines.add("");
        String prefix = "also   ";
        for (String line : also) {
          addWrapped(prefix, " ".repeat(9), line);
          prefix = " ".repeat(7);
        }
      }
    }
    if (!coverageFirst) {
      lines.add("");
      addCoverage();
    }
    addNotEvaluated();
    if (coverageFirst) {
      addNextTime();
    }
    addNext();
  }

  private void addList(List<ReportOptions.Numbered> counted) {
    lines.add(Words.count(counted.size(), "finding"));
    List<String[]> rows = new ArrayList<>();
    for (ReportOptions.Numbered numbered : counted.stream().limit(options.top()).toList()) {
      Finding finding = numbered.finding();
      int steps = stepsPerProcess();
      if (finding.steps() > steps) {
        steps = report.steps().steps().size();
      }
      String often = "";
      if (steps > 0 && finding.steps() > 0) {
        often = finding.steps() + " of " + Words.count(steps, "step");
      } else if (finding.occurrences().size() > 1) {
        often = Words.count(finding.occurrences().size(), "time");
      }
      Long blockedNs = finding.blockedNs();
      String blocked =
          blockedNs == null ? idle(finding) : "blocked " + Millis.of(blockedNs) + " ms";
      String sure =
          finding.confidence() == dev.eddyline.analysis.finding.Confidence.CERTAIN
              ? ""
              : finding.confidence().word();
      rows.add(new String[] {numbered.id(), finding.title(), often, blocked, sure, gain(finding)});
    }
    lines.addAll(Columns.align(rows, "  "));
    if (counted.size() > options.top()) {
      lines.add("  and " + (counted.size() - options.top()) + " more: --top " + counted.size());
    }
  }

  private static String idle(Finding finding) {
    Long idleNs = finding.idleNs();
    if (idleNs == null) {
      return "";
    }
    String word = finding.rule().equals("exposed-collective") ? "exposed " : "idle    ";
    return word + Millis.of(idleNs) + " ms";
  }

  private static String gain(Finding finding) {
    Long gainNs = finding.gainNs();
    if (gainNs == null) {
      return "";
    }
    return gainNs == 0 ? "gain in this run: none" : "gain " + Millis.of(gainNs) + " ms";
  }

  private int stepsPerProcess() {
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    for (Steps.Step step : report.steps().steps()) {
      counts.merge(step.process(), 1, Integer::sum);
    }
    return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private void addFinding(ReportOptions.Numbered numbered) {
    Finding finding = numbered.finding();
    lines.add("");
    lines.add(
        String.join(
            "  ",
            numbered.id(),
            finding.severity().word(),
            finding.rule(),
            finding.confidence().word()));
    addWrapped(INDENT, INDENT, finding.summary());
    boolean blamed = finding.occurrences().stream().anyMatch(o -> !o.blame().isEmpty());
    if (blamed) {
      String indent = INDENT + INDENT;
      BlameTable table = new BlameTable(finding.occurrences(), zeroNs(timeline, report));
      for (String line : table.lines(WIDTH - indent.length())) {
        lines.add(indent + line);
      }
    }
    if (!finding.explanation().isEmpty()) {
      addWrapped(INDENT, INDENT, finding.explanation());
    }
    addLabelled("Sure", String.join("\n", finding.sure()));
    addLabelled("Guessed", String.join("\n", finding.guessed()));
    if (finding.gainNs() != null) {
      addLabelled("Gain", finding.gainNs() == 0 ? "none in this run" : gain(finding));
    }
    addLabelled("Where", String.join("\n", Places.lines(finding.occurrences())));
    addLabelled("Fix", finding.remedy());
  }

  /** Times count from the first step, or from the start of the trace. */
  static long zeroNs(Timeline timeline, Report report) {
    return report.steps().steps().stream()
        .mapToLong(Steps.Step::startNs)
        .min()
        .orElseGet(timeline::windowStart);
  }

  private void addCoverage() {
    lines.add("What this trace can answer");
    List<String[]> rows = new ArrayList<>();
    for (Coverage.Answer answer : report.coverage().answers()) {
      rows.add(new String[] {answer.question(), answer.value(), answer.detail()});
    }
    lines.addAll(Columns.align(rows, INDENT, WIDTH));
  }

  private void addCannotBeJudged() {
    List<String> questions = new ArrayList<>();
    for (Coverage.Answer answer : report.coverage().answers()) {
      if (answer.verdict() == Coverage.Verdict.NO) {
        questions.add(answer.question());
      }
    }
    addWrapped(
        "",
        "",
        "Cannot be judged: "
            + String.join(", ", questions)
            + ". No finding below says that they are in order.");
  }

  private void addNotEvaluated() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    int later = 0;
    for (NotEvaluated not : report.notEvaluated()) {
      if (not.because().contains("not in this version")) {
        later++;
      } else {
        byReason.computeIfAbsent(not.because(), because -> new ArrayList<>()).add(not.rule());
      }
    }
    List<String> parts = new ArrayList<>();
    byReason.forEach(
        (because, rules) -> parts.add(String.join(", ", rules) + " (" + because + ")"));
    if (later > 0) {
      parts.add(Words.count(later, "rule") + " that this version does not have (docs/findings.md)");
    }
    if (!parts.isEmpty()) {
      addWrapped("not evaluated: ", INDENT, String.join("; ", parts));
    }
  }

  private void addNext() {
    String prefix = "next:  ";
    String line = String.join("      ", options.next());
    if (line.length() <= WIDTH - prefix.length() && !line.isEmpty()) {
      lines.add(prefix + line);
      return;
    }
    // A command that wraps could not be pasted.
    for (String step : options.next()) {
      lines.add(prefix + step);
      prefix = " ".repeat(prefix.length());
    }
  }

  private void addNextTime() {
    lines.add("");
    lines.addAll(NextTime.lines());
  }

  private void addLabelled(String label, String text) {
    if (!text.isEmpty()) {
      String first = INDENT + label + " ".repeat(10 - label.length());
      addWrapped(first, " ".repeat(first.length()), text);
    }
  }

  private void addWrapped(String first, String others, String text) {
    String prefix = first;
    int indent = Math.max(first.length(), others.length());
    for (String line : Words.wrap(text, WIDTH - indent)) {
      lines.add(prefix + line);
      prefix = others;
    }
  }
}
