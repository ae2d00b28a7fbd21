package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.HashMap;
import java.util.Map;

/**
 * Where a source gives event ids to waits and syncs but none to records: a wait that was joined to
 * a record tells which record its event id stood for, until the event is used again.
 */
final class EventsOfWaits {
  private record Key(int process, long event) {}

  private record Use(long timeNs, int record) {}

  private final Map<Key, java.util.TreeMap<Long, Use>> uses = new HashMap<>();
  private final CallView call;

  EventsOfWaits(Timeline timeline, WaitBindings bindings, CallLinks links) {
    call = timeline.calls();
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      int by = links.callOfWait(i);
      if (wait.at(i).event() >= 0 && by >= 0) {
        long time = call.at(by).start();
        uses.computeIfAbsent(new Key(wait.process(), wait.event()), k -> new java.util.TreeMap<>())
            .put(time, new Use(time, bindings.record(i)));
      }
    }
  }

  /** Sets the record of the event syncs that have none, from the last wait before them. */
  void fill(SyncView sync, int[] recordOfSync) {
    for (int i = 0; i < recordOfSync.length; i++) {
      int by = sync.at(i).call();
      if (recordOfSync[i] >= 0 || sync.event() < 0 || by < 0) {
        continue;
      }
      var ofEvent = uses.get(new Key(sync.process(), sync.event()));
      var last = ofEvent == null ? null : ofEvent.floorEntry(call.at(by).start());
      if (last != null) {
        recordOfSync[i] = last.getValue().record();
      }
    }
  }
}
