package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;

/** Builds the graph, runs the rules, collects what they say. */
public final class Analyzer {
  /** Rules whose findings say that results can be wrong, beside those that say so themselves. */
  private static final Set<String> CORRECTNESS =
      Set.of(
          "unordered-access",
          "host-race",
          "empty-wait",
          "overwritten-event",
          "wrong-stream-wait",
          "use-after-free",
          "reuse-before-done");

  private Analyzer() {}

  /** The rules of this version, in the order of their ids. */
  public static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    ServiceLoader.load(Rule.class, Rule.class.getClassLoader()).forEach(rules::add);
    rules.sort(Comparator.comparing(Rule::id));
    return rules;
  }

  /** Correctness first, then time lost, info last and what is expected after all. */
  private static Comparator<Finding> order(List<Rule> rules) {
    Set<String> correctness =
        rules.stream()
            .filter(rule -> rule.isAboutCorrectness() || CORRECTNESS.contains(rule.id()))
            .map(Rule::id)
            .collect(Collectors.toUnmodifiableSet());
    return Comparator.<Finding, Boolean>comparing(Finding::expected)
        .thenComparing(finding -> finding.severity() == Severity.INFO)
        .thenComparing(finding -> !correctness.contains(finding.rule()))
        .thenComparing(Finding::severity)
        .thenComparing(finding -> -finding.lostNs());
  }

  /** Analyses a timeline. */
  public static Analysis analyze(Timeline timeline, AnalysisOptions options) {
    StreamGraph graph = StreamGraph.of(timeline);
    Facts facts = new Facts(graph, options);
    List<Finding> findings = new ArrayList<>();
    List<NotEvaluated> notEvaluated = new ArrayList<>();
    List<Rule> rules = rules();
    for (Rule rule : rules) {
      String because = rule.notEvaluatedBecause(facts);
      if (because != null) {
        notEvaluated.add(new NotEvaluated(rule.id(), because));
      } else {
        findings.addAll(rule.evaluate(facts));
      }
    }
    findings.sort(order(rules));
    Coverage coverage = facts.coverage();
    notEvaluated.addAll(LaterRules.list(coverage));
    List<Occurrence> idle = facts.idle().stream().map(JudgedBlock::occurrence).toList();
    Report report =
        new Report(
            findings,
            LatentSyncs.find(facts),
            WorkWaits.find(facts),
            notEvaluated,
            coverage,
            facts.steps(),
            idle);
    return new Analysis(graph, report, facts.blocks());
  }
}
