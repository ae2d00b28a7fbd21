package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.rule.CostlyWaits.Costly;
import java.util.List;

/**
 * A wait also covers later, unrelated work of the stream that it waits for: its event was recorded
 * behind that.
 *
 * <pre>
 *   r    ==A==  ====unrelated====●       recorded too late
 *   s                            ◆==read A==
 * </pre>
 */
public final class LateWait extends CostlyWaitRule {
  static final String ID = "late-wait";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A wait also covers later, unrelated work, since its event was recorded behind that.";
  }

  @Override
  boolean concerns(Costly costly) {
    return costly.neededOp() >= 0;
  }

  @Override
  Text describe(List<Costly> waits, String waiter, String source, long lostNs, Facts facts) {
    Costly first = waits.get(0);
    return new Text(
        "a wait also covers later, unrelated work",
        "Stream "
            + waiter
            + " waited "
            + Words.times(waits.size())
            + " for "
            + source
            + " and stood still "
            + Words.ms(lostNs)
            + " longer than it had to: the event was recorded behind later work that it does not"
            + " need.",
        "The first time "
            + OpWords.of(first.neededOp(), facts)
            + " was the last that is needed; the event was recorded behind "
            + OpWords.of(first.lastOp(), facts)
            + ", which touches nothing that comes behind the wait.",
        "Record the event right after the op whose result is needed, and wait for that event, not"
            + " for the stream.");
  }
}
