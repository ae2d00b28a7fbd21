package dev.eddyline.analysis.ci;

import dev.eddyline.analysis.ci.CiReport.RuleText;
import dev.eddyline.analysis.ci.CiResult.Level;
import dev.eddyline.analysis.ci.CiResult.Outcome;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Fingerprint;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.rule.Places;
import dev.eddyline.analysis.rule.Rule;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Puts the findings of an analysis into the form for CI servers. */
public final class FindingResults {
  private static final int MOST_SHOWN = 10;

  private FindingResults() {}

  /**
   * The findings, the rules that found nothing, and the rules that could not look.
   *
   * @param version version of Eddyline
   */
  public static CiReport of(Timeline timeline, Report report, String version) {
    List<RuleText> rules = new ArrayList<>();
    List<CiResult> results = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Finding finding : report.findings()) {
      results.add(of(finding));
      seen.add(finding.rule());
    }
    for (NotEvaluated not : report.notEvaluated()) {
      if (!not.because().contains("not in this version")) {
        results.add(cannotAnswer(not));
      }
      seen.add(not.rule());
    }
    for (Rule rule : Analyzer.rules()) {
      rules.add(new RuleText(rule.id(), rule.description()));
      if (!seen.contains(rule.id())) {
        results.add(passed(rule.id()));
      }
    }
    long counted = results.stream().filter(result -> result.outcome() == Outcome.FAIL).count();
    String verdict =
        counted == 0
            ? "No findings in what this trace can answer."
            : counted + (counted == 1 ? " finding" : " findings");
    List<String> files = timeline.sources().stream().map(SourceInfo::file).toList();
    return new CiReport("analyze", version, verdict, files, rules, results);
  }

  private static CiResult passed(String rule) {
    return new CiResult(
        rule,
        Outcome.PASS,
        Level.NOTE,
        "nothing found",
        "Nothing found.",
        List.of(),
        List.of(),
        "",
        null,
        null);
  }

  private static CiResult cannotAnswer(NotEvaluated not) {
    return new CiResult(
        not.rule(),
        Outcome.CANNOT_ANSWER,
        Level.NOTE,
        "not evaluated",
        "Not evaluated: " + not.because() + ".",
        List.of(),
        List.of(),
        "",
        null,
        null);
  }

  /** A finding as a result. */
  public static CiResult of(Finding finding) {
    boolean folded = finding.expected() || finding.severity() == Severity.INFO;
    Level level =
        switch (finding.severity()) {
          case ERROR -> Level.ERROR;
          case WARNING -> Level.WARNING;
          case INFO -> Level.NOTE;
        };
    List<SourceLine> stack =
        finding.occurrences().isEmpty() ? List.of() : SourceLine.of(finding.occurrences().get(0));
    return new CiResult(
        finding.rule(),
        folded ? Outcome.INFO : Outcome.FAIL,
        folded ? Level.NOTE : level,
        finding.title(),
        finding.summary(),
        details(finding),
        stack,
        Fingerprint.of(finding),
        null,
        null);
  }

  private static List<String> details(Finding finding) {
    List<String> lines = new ArrayList<>();
    lines.add(finding.severity().word() + ", " + finding.confidence().word());
    if (!finding.explanation().isEmpty()) {
      lines.add(finding.explanation());
    }
    finding.sure().forEach(sure -> lines.add("Sure: " + sure));
    finding.guessed().forEach(guessed -> lines.add("Guessed: " + guessed));
    int shown = 0;
    for (Occurrence occurrence : finding.occurrences()) {
      if (occurrence.call().isEmpty()) {
        continue;
      }
      if (shown++ == MOST_SHOWN) {
        lines.add("and " + (finding.occurrences().size() - MOST_SHOWN) + " more");
        break;
      }
      String step = step(occurrence);
      String place = Places.shortPath(occurrence.where());
      lines.add(
          occurrence.call()
              + (occurrence.stream().isEmpty() ? "" : " on stream " + occurrence.stream())
              + ", "
              + Millis.of(occurrence.durationNs())
              + " ms"
              + (step.isEmpty() ? "" : ", " + step)
              + (place.isEmpty() ? "" : ", " + place));
    }
    if (!finding.remedy().isEmpty()) {
      lines.add("Fix: " + finding.remedy());
    }
    return lines;
  }

  private static String step(Occurrence occurrence) {
    boolean has =
        !occurrence.where().isEmpty()
            && occurrence.where().get(0).kind() == dev.eddyline.analysis.finding.Place.Kind.STEP;
    return has ? occurrence.where().get(0).name() : "";
  }
}
