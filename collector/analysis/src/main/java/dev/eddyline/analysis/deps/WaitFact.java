package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.graph.BindRule;

/**
 * One wait of a stream, with all that is known of it.
 *
 * @param row its row among the waits of the timeline
 * @param waiter the stream that waits
 * @param target what it waits for
 * @param state how that is known
 * @param rule how it was joined to its record
 * @param ncclInternal whether NCCL itself made it
 * @param rank rank of its process, -1 if not known
 * @param event the source's event id, -1 if it has none
 * @param correlation correlation id of the call, -1 if not known
 * @param recordCorrelation correlation id of the record's call, -1 if not known
 * @param timeNs when the call began, -1 if not known
 * @param step index of its step, -1 if it lies in none
 * @param call what made it: "Work.wait", "cudaStreamWaitEvent"
 * @param communicator name of the group whose call made it, "" if none
 * @param collective the last collective before the record, "" if there is none
 * @param resumedNs how long after the end of what it waits for the waiter went on; -1 where it did
 *     not go on within 3 µs, or is not known
 */
public record WaitFact(
    int row,
    Party waiter,
    Party target,
    State state,
    BindRule rule,
    boolean ncclInternal,
    int rank,
    long event,
    long correlation,
    long recordCorrelation,
    long timeNs,
    int step,
    String call,
    String communicator,
    String collective,
    long resumedNs) {

  /** The same wait, by or for a role in place of a stream. */
  WaitFact between(Party newWaiter, Party newTarget) {
    return new WaitFact(
        row,
        newWaiter,
        newTarget,
        state,
        rule,
        ncclInternal,
        rank,
        event,
        correlation,
        recordCorrelation,
        timeNs,
        step,
        call,
        communicator,
        collective,
        resumedNs);
  }

  /** How it is known what a wait waits for. */
  public enum State {
    RECORDED,
    LIKELY,
    UNKNOWN,
    EMPTY,
    CAPTURED;

    /** The word in reports. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
