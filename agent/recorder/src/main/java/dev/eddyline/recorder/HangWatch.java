package dev.eddyline.recorder;

import dev.eddyline.recorder.shim.Shim;

/** Tells that a call is stuck: in it for so long, while no record has come. For one thread. */
final class HangWatch {
  private static final int THREADS = 1024;
  private static final long LOOK_NANOS = 250_000_000;
  private final long limit;
  private final long[] threads = new long[4 * THREADS];
  private long progressAt = System.nanoTime();
  private long lookedAt = progressAt;
  private boolean told;
  private String words = "";

  HangWatch(long limit) {
    this.limit = limit;
  }

  /** Records came. */
  void progress(long now) {
    progressAt = now;
    told = false;
  }

  /** Whether there is a hang that was not told yet. */
  boolean isHung(long now) {
    if (limit <= 0 || told || now - progressAt < limit || now - lookedAt < LOOK_NANOS) {
      return false;
    }
    lookedAt = now;
    int count = Shim.threads(threads);
    for (int i = 0; i < count; i++) {
      long call = threads[4 * i + 2];
      long since = threads[4 * i + 3];
      if (call != 0 && now - since >= limit) {
        told = true;
        words =
            "thread "
                + threads[4 * i + 1]
                + " is in a call since "
                + (now - since) / 1_000_000_000L
                + " s";
        return true;
      }
    }
    return false;
  }

  String words() {
    return words;
  }
}
