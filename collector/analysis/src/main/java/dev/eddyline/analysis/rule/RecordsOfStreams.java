package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.RecordView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The event records of each stream in the order of their calls; only where the source names it. */
final class RecordsOfStreams {
  private final StreamGraph graph;
  private final CallView call;
  private final List<List<Integer>> ofStream = new ArrayList<>();

  RecordsOfStreams(StreamGraph graph) {
    this.graph = graph;
    this.call = graph.timeline().calls();
    for (int s = 0; s < graph.timeline().streams().size(); s++) {
      ofStream.add(new ArrayList<>(0));
    }
    Set<Long> own = eventsOfNccl();
    RecordView record = graph.timeline().records();
    for (int r = 0; r < record.size(); r++) {
      int stream = graph.bindings().recordStream(r);
      if (stream >= 0
          && !own.contains(key(record.at(r)))
          && !graph.bindings().isRecordStreamInferred(r)
          && graph.links().callOfRecord(r) >= 0) {
        ofStream.get(stream).add(r);
      }
    }
  }

  /** Events that NCCL uses for itself; it records them between a call and its launch, too. */
  private Set<Long> eventsOfNccl() {
    Set<Long> events = new HashSet<>();
    RecordView record = graph.timeline().records();
    for (int wait = 0; wait < graph.bindings().size(); wait++) {
      int r = graph.bindings().record(wait);
      if (graph.bindings().isNcclInternal(wait) && r >= 0 && record.at(r).event() >= 0) {
        events.add(key(record));
      }
    }
    return events;
  }

  private static long key(RecordView record) {
    return (long) record.process() << 48 ^ record.event();
  }

  /** Records of a stream whose calls began in [from, to). */
  List<Integer> between(int stream, long fromNs, long toNs) {
    List<Integer> records = ofStream.get(stream);
    int low = 0;
    int high = records.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (start(records.get(middle)) < fromNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int end = low;
    while (end < records.size() && start(records.get(end)) < toNs) {
      end++;
    }
    return records.subList(low, end);
  }

  private long start(int record) {
    return call.at(graph.links().callOfRecord(record)).start();
  }
}
