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
 * A wait also covers later, unrelated work of the stream that it waits for: its event was recorded
 * behind that.
 *
 * <pre>
 *   r    ==A==  ====unrelated====●       recorded too late
 *   s                            ◆==read A==
 * </pre>
 */
public final class LateWait implements Rule {
  static final String ID = "late-wait";

  private record Pair(int waiter, int source) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A wait also covers later, unrelated work, since its event was recorded behind that.";
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
      if (costly.neededOp() >= 0) {
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
        "The first time "
            + OpWords.of(first.neededOp(), facts)
            + " was the last that is needed; the event was recorded behind "
            + OpWords.of(first.lastOp(), facts)
            + ", which touches nothing that comes behind the wait.");
    draft.sure("which memory these ops use, and for how long the stream stood still");
    draft.guessed("that nothing outside of this trace relies on the order");
    return draft.make(
        "a wait also covers later, unrelated work",
        "Stream "
            + waiter
            + " waited "
            + Words.times(waits.size())
            + " for "
            + source
            + " and stood still "
            + Words.ms(lost)
            + " longer than it had to: the event was recorded behind later work that it does not"
            + " need.",
        "Record the event right after the op whose result is needed, and wait for that event, not"
            + " for the stream.");
  }
}
