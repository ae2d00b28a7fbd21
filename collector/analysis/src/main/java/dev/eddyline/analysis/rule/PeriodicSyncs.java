package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Event syncs that always wait for an event some records back: e(k-2) is synced when e(k-1) and
 * e(k) have been recorded. A bound on how far the host runs ahead looks like this; waiting for a
 * result does not.
 */
final class PeriodicSyncs {
  private static final int LEAST = 3;

  private record Sync(int call, int record, long at) {}

  private final Set<Integer> calls = new HashSet<>();

  PeriodicSyncs(StreamGraph graph) {
    Timeline timeline = graph.timeline();
    CallView call = timeline.calls();
    Map<Integer, java.util.ArrayList<Sync>> ofThread = new HashMap<>();
    for (int i = 0; i < call.size(); i++) {
      int row = call.at(i).kind() == ApiKind.EVENT_SYNC ? graph.syncTargets().syncOf(i) : -1;
      int record = row < 0 ? -1 : graph.syncTargets().recordOf(row);
      if (record >= 0 && graph.links().callOfRecord(record) >= 0) {
        ofThread
            .computeIfAbsent(call.thread(), k -> new java.util.ArrayList<>())
            .add(new Sync(i, record, call.start()));
      }
    }
    ofThread.values().forEach(syncs -> judge(syncs, graph, call));
  }

  /** All syncs of a thread, and each at least one synced record back. */
  private void judge(List<Sync> syncs, StreamGraph graph, CallView call) {
    long[] recorded =
        syncs.stream()
            .mapToLong(sync -> call.at(graph.links().callOfRecord(sync.record())).start())
            .sorted()
            .toArray();
    Map<Integer, List<Sync>> byLag = new HashMap<>();
    for (Sync sync : syncs) {
      long own = call.at(graph.links().callOfRecord(sync.record())).start();
      int lag = before(recorded, sync.at()) - before(recorded, own) - 1;
      byLag.computeIfAbsent(lag, k -> new java.util.ArrayList<>()).add(sync);
    }
    byLag.forEach(
        (lag, of) -> {
          if (lag >= 1 && of.size() >= LEAST) {
            of.forEach(sync -> calls.add(sync.call()));
            // The newest records are never synced, so the last syncs seem to lag less.
            int last = syncs.indexOf(of.get(of.size() - 1));
            int end = Math.min(syncs.size(), last + 1 + lag);
            syncs.subList(last + 1, end).forEach(sync -> calls.add(sync.call()));
          }
        });
  }

  private static int before(long[] sorted, long time) {
    int at = Arrays.binarySearch(sorted, time);
    return at < 0 ? -at - 1 : at;
  }

  /** Whether a call is one of them. */
  boolean contains(int call) {
    return calls.contains(call);
  }
}
