package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which streams the legacy default stream orders: it and every blocking stream of its context,
 * per-thread default streams included. Streams of unknown flags are left out: nothing is said.
 */
public final class LegacyStreams {
  private final int[][] before;

  LegacyStreams(Timeline timeline) {
    int n = timeline.streams().size();
    Map<Long, List<Integer>> blocking = new HashMap<>();
    Map<Long, List<Integer>> legacy = new HashMap<>();
    for (int s = 0; s < n; s++) {
      StreamInfo stream = timeline.stream(s);
      long context = (long) stream.process() << 32 | stream.context();
      switch (stream.kind()) {
        case BLOCKING, PER_THREAD_DEFAULT ->
            blocking.computeIfAbsent(context, k -> new ArrayList<>()).add(s);
        case LEGACY_DEFAULT -> legacy.computeIfAbsent(context, k -> new ArrayList<>()).add(s);
        case NON_BLOCKING, UNKNOWN -> {}
      }
    }
    before = new int[n][0];
    legacy.forEach(
        (context, defaults) -> {
          int[] others = array(blocking.getOrDefault(context, List.of()));
          int[] own = array(defaults);
          for (int s : own) {
            before[s] = others;
          }
          for (int s : others) {
            before[s] = own;
          }
        });
  }

  private static int[] array(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Streams whose earlier items come before the next item of a stream. */
  public int[] orderedBefore(int stream) {
    return before[stream];
  }
}
