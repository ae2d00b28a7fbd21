package dev.eddyline.analysis.blame;

/**
 * A call that could hold the host for GPU work.
 *
 * @param kind what kind of call
 * @param call row of the call; of the first query for a poll loop
 * @param startNs entry of the API
 * @param endNs return of the API
 * @param stream index of the stream that it waited for, -1 if not one stream or not known
 * @param releaseOp row of the op whose end let it go, -1 if it was not released by the GPU
 * @param inferredRelease whether that op was found by time alone, not by what the call covers
 * @param endOfTrace whether no work was launched afterwards in the process
 * @param polls how many queries a poll loop made, 0 for others
 */
public record HostBlock(
    Kind kind,
    int call,
    long startNs,
    long endNs,
    int stream,
    int releaseOp,
    boolean inferredRelease,
    boolean endOfTrace,
    int polls) {
  /** What kind of call can hold the host. */
  public enum Kind {
    STREAM_SYNC,
    EVENT_SYNC,
    DEVICE_SYNC,
    PAGEABLE_COPY,
    SYNCHRONOUS_COPY,
    ALLOCATION,
    IMPLICIT,
    QUEUE_FULL,
    POLL_LOOP
  }

  /** Whether the host stood still for an op. */
  public boolean isBlocked() {
    return releaseOp >= 0;
  }

  /** How long the call took. */
  public long durationNs() {
    return endNs - startNs;
  }
}
