package dev.eddyline.recorder.decode;

import dev.eddyline.recorder.rows.LongIntMap;

/** Calls that the recorder itself makes: they are not the program's. For the thread that drains. */
public final class OwnCalls {
  private static final int REMEMBERED = 1 << 16;
  private final LongIntMap threads = new LongIntMap();
  private final LongIntMap correlations = new LongIntMap();

  /** All calls of a thread, by the operating system's id, are the recorder's. */
  public void thread(int tid) {
    threads.put(tid, 1);
  }

  /** A call that a callback made on the program's thread. */
  public void call(int correlation) {
    if (correlations.size() >= REMEMBERED) {
      correlations.clear();
    }
    correlations.put(correlation, 1);
  }

  boolean isOwn(int tid, int correlation) {
    return threads.get(tid) != LongIntMap.ABSENT
        || correlations.size() > 0 && correlations.remove(correlation) != LongIntMap.ABSENT;
  }
}
