package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.CallView;
import java.util.List;

/** A sync on an event of an earlier step: a bound on how far the host runs ahead. */
public final class RateLimiter extends BlockRule {
  static final String ID = "rate-limiter";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "An event sync waited for an event of an earlier step, or always for one some records"
        + " back: intended, keeps the host at most some steps ahead.";
  }

  /** Whether a sync waited for an event of an earlier step, or some records back each time. */
  static boolean isOne(JudgedBlock judged, Facts facts) {
    return isOfEarlierStep(judged, facts) || facts.periodicSyncs().contains(judged.block().call());
  }

  private static boolean isOfEarlierStep(JudgedBlock judged, Facts facts) {
    int sync = facts.graph().syncTargets().syncOf(judged.block().call());
    int record = sync < 0 ? -1 : facts.graph().syncTargets().recordOf(sync);
    int by = record < 0 ? -1 : facts.graph().links().callOfRecord(record);
    if (by < 0 || judged.step() < 0) {
      return false;
    }
    CallView call = facts.timeline().calls().at(by);
    int recorded = facts.steps().indexAt(call.process(), call.start());
    return recorded >= 0 && recorded < judged.step();
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    boolean earlier = group.stream().allMatch(judged -> isOfEarlierStep(judged, facts));
    return new Text(
        Severity.INFO,
        "a rate limiter held the host",
        (earlier
                ? "A sync on an event of an earlier step held the host "
                : "A sync on an event some records back held the host ")
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all: intended, keeps the host at most some steps ahead.",
        earlier
            ? "The event was recorded in an earlier step than the sync, so the host waits for old"
                + " work only."
            : "Each time newer events of the same kind had been recorded before the sync, so the"
                + " host waits for old work only.",
        "Nothing to do. Without it memory for work in flight can grow.",
        List.of(),
        guesses(group),
        false);
  }
}
