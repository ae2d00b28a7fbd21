package dev.eddyline.viewer.view;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.report.StreamSummaries;
import dev.eddyline.analysis.report.StreamSummary;
import dev.eddyline.viewer.model.TraceModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Two traces side by side: steps by their number, streams by name, findings by rule and title. */
public final class Comparison {
  /**
   * One line; a time of -1 means that the trace does not have it.
   *
   * @param what what is compared
   * @param beforeNs in the first trace
   * @param afterNs in the second
   */
  public record Line(String what, long beforeNs, long afterNs) {}

  /**
   * A finding of either trace.
   *
   * @param change "gone", "new" or "both"
   * @param rule its rule
   * @param title in words
   * @param before how often in the first trace
   * @param after how often in the second
   */
  public record FindingLine(String change, String rule, String title, int before, int after) {}

  private Comparison() {}

  /** Host time of each step. */
  public static List<Line> steps(TraceModel before, TraceModel after) {
    List<Steps.Step> first = ofFirstProcess(before);
    List<Steps.Step> second = ofFirstProcess(after);
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
      String name = i < first.size() ? first.get(i).name() : second.get(i).name();
      lines.add(new Line(name, length(first, i), length(second, i)));
    }
    return lines;
  }

  private static List<Steps.Step> ofFirstProcess(TraceModel model) {
    return model.report().steps().steps().stream().filter(step -> step.process() == 0).toList();
  }

  private static long length(List<Steps.Step> steps, int i) {
    return i < steps.size() ? steps.get(i).endNs() - steps.get(i).startNs() : -1;
  }

  /** Busy time of each stream. */
  public static List<Line> streams(TraceModel before, TraceModel after) {
    Map<String, Long> first = busy(before);
    Map<String, Long> second = busy(after);
    Set<String> names = new LinkedHashSet<>(first.keySet());
    names.addAll(second.keySet());
    List<Line> lines = new ArrayList<>();
    for (String name : names) {
      lines.add(new Line(name, first.getOrDefault(name, -1L), second.getOrDefault(name, -1L)));
    }
    return lines;
  }

  private static Map<String, Long> busy(TraceModel model) {
    Map<String, Long> busy = new LinkedHashMap<>();
    for (StreamSummary stream : StreamSummaries.of(model.timeline())) {
      if (stream.ops() > 0) {
        int rank = model.timeline().process(stream.stream().process()).rank();
        boolean several = model.timeline().processes().size() > 1;
        busy.merge(
            (several ? "rank " + rank + ", " : "") + stream.title(), stream.busyNs(), Long::sum);
      }
    }
    return busy;
  }

  /** Findings that are gone, new, or in both. */
  public static List<FindingLine> findings(TraceModel before, TraceModel after) {
    Map<String, Finding> first = byName(before);
    Map<String, Finding> second = byName(after);
    List<FindingLine> lines = new ArrayList<>();
    first.forEach((key, finding) -> lines.add(line(finding, finding, second.get(key))));
    second.forEach(
        (key, finding) -> {
          if (!first.containsKey(key)) {
            lines.add(line(finding, null, finding));
          }
        });
    return lines;
  }

  private static Map<String, Finding> byName(TraceModel model) {
    Map<String, Finding> findings = new LinkedHashMap<>();
    for (Finding finding : model.report().findings()) {
      findings.putIfAbsent(finding.rule() + "\u0001" + finding.title(), finding);
    }
    return findings;
  }

  private static FindingLine line(
      Finding any,
      @org.jspecify.annotations.Nullable Finding before,
      @org.jspecify.annotations.Nullable Finding after) {
    String change = before == null ? "new" : after == null ? "gone" : "both";
    return new FindingLine(
        change,
        any.rule(),
        any.title(),
        before == null ? 0 : before.occurrences().size(),
        after == null ? 0 : after.occurrences().size());
  }
}
