package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.rule.CostlyWaits.Costly;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A rule about waits that held their stream without need: one finding per pair of streams. */
abstract class CostlyWaitRule implements Rule {
  private record Pair(int waiter, int source) {}

  /** What is said of the waits of one stream for another. */
  record Text(String title, String summary, String explanation, String remedy) {}

  /** Whether a wait is one of those that this rule tells of. */
  abstract boolean concerns(Costly costly);

  /**
   * Words a finding.
   *
   * @param waits the waits of the stream {@code waiter} for the stream {@code source}
   * @param lostNs for how long they held it without need
   */
  abstract Text describe(
      List<Costly> waits, String waiter, String source, long lostNs, Facts facts);

  @Override
  public List<Parameter> parameters() {
    return List.of(CostlyWaits.MIN_SHARE);
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    return CostlyWaits.notJudgedBecause(facts);
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<Pair, List<Costly>> pairs = new LinkedHashMap<>();
    for (Costly costly : facts.costlyWaits()) {
      if (concerns(costly)) {
        int waiter = facts.timeline().waits().at(costly.waitRow()).stream();
        int source = facts.graph().bindings().source(costly.waitRow());
        pairs.computeIfAbsent(new Pair(waiter, source), k -> new ArrayList<>()).add(costly);
      }
    }
    List<Finding> findings = new ArrayList<>();
    pairs.forEach(
        (pair, waits) -> {
          long lost = waits.stream().mapToLong(Costly::heldNs).sum();
          if (lost >= CostlyWaits.leastNs(facts)) {
            findings.add(finding(pair, waits, lost, facts));
          }
        });
    return findings;
  }

  private Finding finding(Pair pair, List<Costly> waits, long lost, Facts facts) {
    Timeline timeline = facts.timeline();
    String waiter = timeline.stream(pair.waiter()).label();
    String source = timeline.stream(pair.source()).label();
    Text text = describe(waits, waiter, source, lost, facts);
    FindingDraft draft =
        new FindingDraft(facts, id(), Severity.WARNING).confidence(Confidence.LIKELY).idle(lost);
    for (Costly costly : waits) {
      draft.atCall(facts.graph().links().callOfWait(costly.waitRow()), pair.waiter());
    }
    draft.explain(text.explanation());
    draft.sure("which memory these ops use, and for how long the stream stood still");
    draft.guessed("that nothing outside of this trace relies on the order");
    return draft.make(text.title(), text.summary(), text.remedy());
  }
}
