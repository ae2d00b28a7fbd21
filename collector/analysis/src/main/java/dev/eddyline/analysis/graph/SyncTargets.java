package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;

/** What each host sync or query waited or asked for: a stream, a record, a device. */
public final class SyncTargets {
  private final int[] syncOfCall;
  private final int[] recordOfSync;
  private final SyncView sync;

  SyncTargets(Timeline timeline, RecordedBinder recorded, WaitBindings bindings, CallLinks links) {
    sync = timeline.syncs();
    CallView call = timeline.calls();
    syncOfCall = new int[sync.size() == 0 ? 0 : call.size()];
    Arrays.fill(syncOfCall, -1);
    recordOfSync = new int[sync.size()];
    for (int i = 0; i < recordOfSync.length; i++) {
      sync.at(i);
      int by = sync.call();
      if (by >= 0) {
        syncOfCall[by] = i;
      }
      recordOfSync[i] =
          recorded.recordOfSync(
              sync.process(), sync.syncId(), sync.recordCorrelation(), sync.event(), by);
    }
    new EventsOfWaits(timeline, bindings, links).fill(sync, recordOfSync);
    for (int i = 0; i < recordOfSync.length; i++) {
      if (recordOfSync[i] >= 0 && sync.at(i).stream() >= 0) {
        bindings.inferRecordStream(recordOfSync[i], sync.stream());
      }
    }
  }

  /** Row of what the source wrote of a sync call, or -1. */
  public int syncOf(int call) {
    return call < syncOfCall.length ? syncOfCall[call] : -1;
  }

  /** The record that an event sync or query is about, or -1. */
  public int recordOf(int syncRow) {
    return recordOfSync[syncRow];
  }
}
