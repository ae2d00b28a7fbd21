package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.Arrays;

/**
 * Waits of processes whose source never says which stream waits: any stream may have made them. A
 * source that names some waiters names every stream that ran something, so there nothing is open.
 */
final class UnnamedWaits {
  private final long[][] timesOfProcess;

  UnnamedWaits(StreamGraph graph) {
    Timeline timeline = graph.timeline();
    int processes = timeline.processes().size();
    int[] count = new int[processes];
    boolean[] named = new boolean[processes];
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      named[wait.at(i).process()] |= wait.stream() >= 0;
      count[wait.process()]++;
    }
    timesOfProcess = new long[processes][];
    for (int p = 0; p < processes; p++) {
      timesOfProcess[p] = new long[named[p] ? 0 : count[p]];
    }
    CallView call = timeline.calls();
    int[] next = new int[processes];
    for (int i = 0; i < wait.size(); i++) {
      int by = graph.links().callOfWait(i);
      int p = wait.at(i).process();
      if (by >= 0 && !named[p]) {
        timesOfProcess[p][next[p]++] = call.at(by).start();
      }
    }
    for (int p = 0; p < processes; p++) {
      timesOfProcess[p] =
          Arrays.copyOf(timesOfProcess[p], Math.min(next[p], timesOfProcess[p].length));
    }
  }

  /** Whether a process made such a wait in (after, before). */
  boolean anyIn(int process, long after, long before) {
    long[] times = timesOfProcess[process];
    int at = Arrays.binarySearch(times, before);
    int last = (at < 0 ? -at - 1 : at) - 1;
    return last >= 0 && times[last] > after;
  }
}
