package dev.eddyline.recorder.shim;

/** A reading of what the shim counts; all since the library was loaded, but those "in flight". */
public record ShimCounters(
    long buffersRequested,
    long buffersCompleted,
    long requestsRefused,
    long buffersDropped,
    long inFlight,
    long mostInFlight,
    long records,
    long droppedByCupti,
    long names,
    long namesRefused,
    long stacks,
    long stacksFailed,
    long launchesRead,
    long launchesRefused,
    long threadsRefused,
    long blockedRefused,
    long notesRefused) {
  private static final int NUMBERS = 17;

  /** Reads the counters now. */
  public static ShimCounters read() {
    long[] n = new long[NUMBERS];
    Shim.counters(n);
    return new ShimCounters(
        n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13],
        n[14], n[15], n[16]);
  }
}
