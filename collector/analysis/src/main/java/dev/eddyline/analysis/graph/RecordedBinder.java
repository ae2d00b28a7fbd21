package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins waits by what the source itself wrote: synchronization ids, the record's correlation, event
 * ids, the name of a stream.
 */
final class RecordedBinder {
  private record Key(int process, long id) {}

  private final RecordView record;
  private final WaitView wait;
  private final CallView call;
  private final CallLinks links;
  private final WaitBindings bindings;
  private final Map<Key, Integer> bySyncId = new HashMap<>();
  private final Map<Key, Integer> byCorrelation = new HashMap<>();
  private final Map<Key, List<Integer>> byEvent = new HashMap<>();

  RecordedBinder(Timeline timeline, CallLinks links, WaitBindings bindings) {
    this.record = timeline.records();
    this.wait = timeline.waits();
    this.call = timeline.calls();
    this.links = links;
    this.bindings = bindings;
    for (int i = 0; i < record.size(); i++) {
      record.at(i);
      if (record.syncId() >= 0) {
        bySyncId.put(new Key(record.process(), record.syncId()), i);
      }
      if (record.correlation() >= 0) {
        byCorrelation.put(new Key(record.process(), record.correlation()), i);
      }
      if (record.event() >= 0) {
        byEvent
            .computeIfAbsent(new Key(record.process(), record.event()), k -> new ArrayList<>())
            .add(i);
      }
    }
  }

  void run() {
    for (int i = 0; i < wait.size(); i++) {
      wait.at(i);
      if (wait.isCaptured() || wait.isEmptyWait()) {
        continue;
      }
      Integer same = find(bySyncId, wait.syncId());
      Integer named = find(byCorrelation, wait.recordCorrelation());
      if (same != null) {
        bindings.bind(i, same, BindRule.SYNC_ID);
      } else if (named != null && isEarlier(named, i)) {
        bindings.bind(i, named, BindRule.RECORD_CORRELATION);
        bindings.inferRecordStream(named, wait.sourceStream());
      } else if (!bindByEvent(i) && wait.sourceStream() >= 0) {
        bindings.bindToStream(i, wait.sourceStream(), BindRule.NAMED_STREAM);
      }
    }
  }

  /** The record that a sync or query of an event covers, or -1. */
  int recordOfSync(int process, long syncId, long recordCorrelation, long event, int syncCall) {
    Integer same = syncId < 0 ? null : bySyncId.get(new Key(process, syncId));
    if (same == null && recordCorrelation >= 0) {
      same = byCorrelation.get(new Key(process, recordCorrelation));
    }
    if (same != null) {
      return same;
    }
    return event < 0 || syncCall < 0 ? -1 : latestBefore(new Key(process, event), syncCall);
  }

  private @org.jspecify.annotations.Nullable Integer find(Map<Key, Integer> map, long id) {
    return id < 0 ? null : map.get(new Key(wait.process(), id));
  }

  private boolean isEarlier(int recordRow, int waitRow) {
    int from = links.callOfRecord(recordRow);
    int to = links.callOfWait(waitRow);
    return from < 0 || to < 0 || call.at(from).start() <= call.at(to).start();
  }

  private boolean bindByEvent(int waitRow) {
    int to = links.callOfWait(waitRow);
    if (wait.event() < 0 || to < 0) {
      return false;
    }
    int from = latestBefore(new Key(wait.process(), wait.event()), to);
    if (from < 0) {
      return false;
    }
    bindings.bind(waitRow, from, BindRule.EVENT_ID);
    return true;
  }

  /** The latest record of an event before a call; none where one overlaps the call. */
  private int latestBefore(Key event, int byCall) {
    long begin = call.at(byCall).start();
    long end = call.end();
    int latest = -1;
    for (int row : byEvent.getOrDefault(event, List.of())) {
      int from = links.callOfRecord(row);
      if (from < 0) {
        continue;
      }
      if (call.at(from).end() <= begin) {
        latest = row;
      } else if (call.start() < end) {
        return -1;
      }
    }
    return latest;
  }
}
