package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.WaitFact.State;
import java.util.List;

/**
 * All waits of a stream for the same thing that are known in the same way.
 *
 * @param waiter the stream that waits
 * @param target what it waits for
 * @param state how that is known
 * @param waits the waits, in order of time; at least one
 */
public record Dependency(Party waiter, Party target, State state, List<WaitFact> waits) {
  /** Whether NCCL itself made these waits: folded away for people. */
  public boolean ncclInternal() {
    return waits.get(0).ncclInternal();
  }

  /** In how many steps it happened. */
  public int steps() {
    return (int) waits.stream().mapToInt(WaitFact::step).filter(s -> s >= 0).distinct().count();
  }
}
