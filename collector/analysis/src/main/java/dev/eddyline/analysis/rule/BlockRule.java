package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A rule about calls that held the host: takes its calls, groups them, and words each group. */
abstract class BlockRule implements Rule {
  static final Parameter MIN_MS =
      new Parameter("min-ms", "ms", 0.02, "groups that held the host for less in all are left out");

  /** What is said of one group of calls. */
  record Text(
      Severity severity,
      String title,
      String summary,
      String explanation,
      String remedy,
      List<String> sure,
      List<String> guessed,
      boolean expected) {
    Text(Severity severity, String title, String summary, String explanation, String remedy) {
      this(severity, title, summary, explanation, remedy, List.of(), List.of(), false);
    }
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MIN_MS);
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<String, List<JudgedBlock>> groups = new LinkedHashMap<>();
    for (JudgedBlock judged : facts.blocked()) {
      if (BlockKind.ruleOf(judged, facts).equals(id())) {
        groups.computeIfAbsent(groupKey(judged, facts), key -> new ArrayList<>()).add(judged);
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (List<JudgedBlock> group : groups.values()) {
      boolean expected = group.get(0).block().endOfTrace();
      if (expected || total(group) >= facts.options().minBlockedNs()) {
        findings.add(finding(group, facts));
      }
    }
    return findings;
  }

  /** Calls with the same key are one finding: by call and the innermost three of where. */
  String groupKey(JudgedBlock judged, Facts facts) {
    Occurrence occurrence = judged.occurrence();
    return occurrence.call() + "\u0001" + Places.groupKey(occurrence.where());
  }

  /** Whether what the rule says rests on the path behind the op that released the call. */
  boolean dependsOnPath() {
    return false;
  }

  abstract Text describe(List<JudgedBlock> group, Facts facts);

  private Finding finding(List<JudgedBlock> group, Facts facts) {
    Text text = describe(group, facts);
    boolean inferred =
        group.stream()
            .anyMatch(
                judged -> judged.block().inferredRelease() || dependsOnPath() && judged.inferred());
    int steps =
        (int) group.stream().mapToInt(JudgedBlock::step).filter(s -> s >= 0).distinct().count();
    return new Finding(
        id(),
        text.severity(),
        inferred && !text.expected() ? Confidence.LIKELY : Confidence.CERTAIN,
        text.title(),
        text.summary(),
        text.explanation(),
        text.remedy(),
        text.sure(),
        text.guessed(),
        total(group),
        null,
        text.expected(),
        group.stream().map(JudgedBlock::occurrence).toList(),
        steps);
  }

  static long total(List<JudgedBlock> group) {
    return group.stream().mapToLong(JudgedBlock::blockedNs).sum();
  }

  /** "on stream 25", "on streams 53, 57 and 61", "of the device". */
  static String onStreams(List<JudgedBlock> group) {
    List<String> labels =
        group.stream()
            .map(judged -> judged.occurrence().stream())
            .filter(label -> !label.isEmpty())
            .distinct()
            .toList();
    if (labels.isEmpty()) {
      return "of the device";
    }
    return (labels.size() == 1 ? "on stream " : "on streams ") + Words.list(labels);
  }

  /** What is sure and what is guessed where a path or a release was inferred. */
  static List<String> guesses(List<JudgedBlock> group) {
    List<String> guessed = new ArrayList<>();
    if (group.stream().anyMatch(judged -> judged.block().inferredRelease())) {
      guessed.add(
          "which GPU work the call waited for: the trace does not name it, so the op that ended"
              + " last before the call returned is taken (inferred: release)");
    }
    List<String> rules =
        group.stream()
            .flatMap(judged -> judged.blame().stream())
            .flatMap(segment -> segment.via().stream())
            .filter(via -> via.known().equals("inferred") && !via.rule().equals("release"))
            .map(dev.eddyline.analysis.finding.Segment.Via::rule)
            .distinct()
            .sorted()
            .toList();
    if (!rules.isEmpty()) {
      guessed.add(
          "what the waits on the path wait for: the trace does not record it, it is inferred from"
              + " the order of the calls ("
              + String.join(", ", rules)
              + ")");
    }
    return guessed;
  }
}
