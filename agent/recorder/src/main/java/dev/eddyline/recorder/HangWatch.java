package dev.eddyline.recorder;

import dev.eddyline.recorder.shim.Shim;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells that the program hangs: a call that may block has not returned for so long, and no record
 * has come meanwhile. Told once until records come again. For the thread that drains.
 */
final class HangWatch {
  /** A call that has not returned. {@code call} is its domain &lt;&lt; 16 | id. */
  record Stuck(int tid, int call, long since) {}

  private static final long LOOK_NANOS = 250_000_000;
  private final long limit;
  private final long[] threads = new long[4 * Shim.MAX_THREADS];
  private long progressAt = System.nanoTime();
  private long lookedAt = progressAt;
  private boolean told;

  /**
   * @param limit nanoseconds; 0 = never
   */
  HangWatch(long limit) {
    this.limit = limit;
  }

  /** Records came. */
  void progress(long now) {
    progressAt = now;
    told = false;
  }

  /** The calls of a hang that was not told yet; none if there is no such hang. */
  List<Stuck> look(long now) {
    if (limit <= 0 || told || now - progressAt < limit || now - lookedAt < LOOK_NANOS) {
      return List.of();
    }
    lookedAt = now;
    List<Stuck> stuck = stuck(now);
    told = !stuck.isEmpty();
    return stuck;
  }

  private List<Stuck> stuck(long now) {
    List<Stuck> stuck = new ArrayList<>();
    int count = Shim.threads(threads);
    for (int i = 0; i < count; i++) {
      long call = threads[4 * i + 2];
      long since = threads[4 * i + 3];
      if (call != 0 && now - since >= limit) {
        stuck.add(new Stuck((int) threads[4 * i + 1], (int) call, since));
      }
    }
    return stuck;
  }
}
