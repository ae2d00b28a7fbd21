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

/**
 * A wait held a stream though nothing behind it touches what it waits for.
 *
 * <pre>
 *   r    ====reduce A====●
 *   s                    ◆==write B==      B is none of what r uses
 * </pre>
 */
public final class RemovableDependency implements Rule {
  static final String ID = "removable-dependency";

  private record Pair(int waiter, int source) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A wait held a stream though nothing behind it touches what it waits for.";
  }

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
    for (Costly costly : CostlyWaits.find(facts)) {
      if (costly.neededOp() < 0) {
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

  private static Finding finding(Pair pair, List<Costly> waits, long lost, Facts facts) {
    Timeline timeline = facts.timeline();
    String waiter = timeline.stream(pair.waiter()).label();
    String source = timeline.stream(pair.source()).label();
    FindingDraft draft =
        new FindingDraft(facts, ID, Severity.WARNING).confidence(Confidence.LIKELY).idle(lost);
    for (Costly costly : waits) {
      draft.atCall(facts.graph().links().callOfWait(costly.waitRow()), pair.waiter());
    }
    Costly first = waits.get(0);
    draft.explain(
        "The first time it stood still "
            + Words.ms(first.heldNs())
            + " until "
            + OpWords.of(first.lastOp(), facts)
            + " was done. Nothing that comes behind the wait, on "
            + waiter
            + ", on streams that wait for it later, or on the host, touches a buffer of that work"
            + " before the next wait for "
            + source
            + ".");
    draft.sure("which memory these ops use, and for how long the stream stood still");
    draft.guessed("that nothing outside of this trace relies on the order");
    return draft.make(
        "a wait that nothing needs held a stream",
        "Stream "
            + waiter
            + " waited "
            + Words.times(waits.size())
            + " for "
            + source
            + " and stood still "
            + Words.ms(lost)
            + ", although its next work does not touch a buffer that "
            + source
            + " was using: removable dependency.",
        "Wait only before the work that uses what the other stream writes, or writes what it still"
            + " reads. Keep the wait before the buffer is used again.");
  }
}
