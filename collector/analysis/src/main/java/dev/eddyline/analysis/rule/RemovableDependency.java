package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.rule.CostlyWaits.Costly;
import java.util.List;

/**
 * A wait held a stream though nothing behind it touches what it waits for.
 *
 * <pre>
 *   r    ====reduce A====●
 *   s                    ◆==write B==      B is none of what r uses
 * </pre>
 */
public final class RemovableDependency extends CostlyWaitRule {
  static final String ID = "removable-dependency";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A wait held a stream though nothing behind it touches what it waits for.";
  }

  @Override
  boolean concerns(Costly costly) {
    return costly.neededOp() < 0;
  }

  @Override
  Text describe(List<Costly> waits, String waiter, String source, long lostNs, Facts facts) {
    Costly first = waits.get(0);
    return new Text(
        "a wait that nothing needs held a stream",
        "Stream "
            + waiter
            + " waited "
            + Words.times(waits.size())
            + " for "
            + source
            + " and stood still "
            + Words.ms(lostNs)
            + ", although its next work does not touch a buffer that "
            + source
            + " was using: removable dependency.",
        "The first time it stood still "
            + Words.ms(first.heldNs())
            + " until "
            + OpWords.of(first.lastOp(), facts)
            + " was done. Nothing that comes behind the wait, on "
            + waiter
            + ", on streams that wait for it later, or on the host, touches a buffer of that work"
            + " before the next wait for "
            + source
            + ".",
        "Wait only before the work that uses what the other stream writes, or writes what it still"
            + " reads. Keep the wait before the buffer is used again.");
  }
}
