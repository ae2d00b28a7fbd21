package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Sync;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who comes before whom: a vector clock per stream and per host thread, kept only where an edge
 * from elsewhere comes in (a wait, the first launch after a host sync, the legacy default stream).
 * Built in one pass over the calls in the order of their starts.
 */
public final class Reachability {
  private record Checkpoint(int position, long timeNs, Clock clock) {}

  /** What a stream had taken over from another one by the rules of the legacy default stream. */
  private record Taken(int position, int checkpoints) {}

  private record Pair(int stream, int before) {}

  /** What a host sync covers, and what its thread knew to be done before. */
  public record Covered(Clock covered, Clock knownBefore) {}

  private final Timeline timeline;
  private final StreamGraph graph;
  private final List<List<Checkpoint>> checkpoints = new ArrayList<>();
  private final Clock[] threadClock;
  private final int[] threadVersion;
  private final long[] seenByStream;
  private final Map<Integer, Covered> syncs = new HashMap<>();
  private final LegacyStreams legacy;
  private final Map<Pair, Taken> taken = new HashMap<>();

  public Reachability(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.legacy = new LegacyStreams(timeline);
    int streams = timeline.streams().size();
    for (int s = 0; s < streams; s++) {
      checkpoints.add(new ArrayList<>(2));
    }
    threadClock = new Clock[timeline.threads().size()];
    Arrays.fill(threadClock, Clock.EMPTY);
    threadVersion = new int[threadClock.length];
    seenByStream = new long[streams];
    build();
  }

  private void build() {
    CallView call = timeline.calls();
    OpView op = timeline.ops();
    for (int i = 0; i < call.size(); i++) {
      ApiKind kind = call.at(i).kind();
      if (kind == ApiKind.STREAM_WAIT_EVENT) {
        addWait(graph.links().waitOf(i), call);
      } else if (kind == ApiKind.EVENT_RECORD) {
        addRecord(graph.links().recordOf(i), call);
      } else if (kind.isHostSync()) {
        addSync(i, call, coveredBySync(i, call));
      } else if (kind.isLaunch() && graph.links().opOf(i) >= 0) {
        op.at(graph.links().opOf(i));
        addLaunch(call, op);
        if (holdsHost(kind, op)) {
          int index = graph.ops().indexOf(op.row());
          addSync(i, call, clockAt(op.stream(), call.start()).with(op.stream(), index + 1));
        }
      }
    }
  }

  private static boolean holdsHost(ApiKind kind, OpView op) {
    return kind == ApiKind.COPY
        || op.kind() == Op.KIND_COPY && op.dstMemory() == Op.MEMORY_PAGEABLE;
  }

  private void addWait(int wait, CallView call) {
    if (wait < 0) {
      return;
    }
    long time = call.start();
    int stream = timeline.waits().at(wait).stream();
    if (stream < 0) {
      return;
    }
    addAction(call.thread(), stream, graph.waitPosition(wait), time);
    int source = graph.bindings().source(wait);
    int covered = graph.coveredBy(wait);
    if (source < 0 || covered < 0) {
      return;
    }
    int record = graph.bindings().record(wait);
    int recordCall = record < 0 ? -1 : graph.links().callOfRecord(record);
    long recorded = recordCall < 0 ? time : timeline.calls().at(recordCall).start();
    Clock incoming = clockAt(source, recorded + 1).with(source, covered);
    checkpoint(stream, graph.waitPosition(wait), time, incoming);
  }

  private void addRecord(int record, CallView call) {
    int stream = record < 0 ? -1 : graph.bindings().recordStream(record);
    if (stream >= 0) {
      addAction(call.thread(), stream, graph.recordPosition(record), call.start());
    }
  }

  private void addLaunch(CallView call, OpView op) {
    addAction(call.thread(), op.stream(), graph.ops().indexOf(op.row()), call.start());
  }

  /** Whatever is enqueued comes after what its thread knew to be done, and after legacy work. */
  private void addAction(int thread, int stream, int position, long time) {
    long version = (long) thread << 32 | threadVersion[thread];
    if (threadVersion[thread] > 0 && seenByStream[stream] != version) {
      seenByStream[stream] = version;
      checkpoint(stream, position, time, threadClock[thread]);
    }
    for (int before : legacy.orderedBefore(stream)) {
      int covered = graph.ops().positionAt(before, time);
      Taken now = new Taken(covered, checkpoints.get(before).size());
      if (!now.equals(taken.put(new Pair(stream, before), now))) {
        checkpoint(stream, position, time, clockAt(before, time).with(before, covered));
      }
    }
  }

  private void addSync(int callRow, CallView call, Clock covered) {
    int thread = call.thread();
    syncs.put(callRow, new Covered(covered, threadClock[thread]));
    Clock joined = threadClock[thread].join(covered);
    if (joined != threadClock[thread]) {
      threadClock[thread] = joined;
      threadVersion[thread]++;
    }
  }

  private Clock coveredBySync(int callRow, CallView call) {
    long time = call.start();
    int row = graph.syncTargets().syncOf(callRow);
    SyncView sync = timeline.syncs();
    if (call.kind() == ApiKind.DEVICE_SYNC) {
      int process = call.process();
      Clock all = Clock.EMPTY;
      for (int s = 0; s < checkpoints.size(); s++) {
        StreamInfo stream = timeline.stream(s);
        if (stream.process() == process) {
          all = all.join(clockAt(s, time)).with(s, graph.ops().positionAt(s, time));
        }
      }
      return all;
    }
    if (row < 0) {
      return Clock.EMPTY;
    }
    sync.at(row);
    if (sync.kind() == Sync.KIND_STREAM && sync.stream() >= 0) {
      return coveredByStreamSync(sync.stream(), time);
    }
    int record = graph.syncTargets().recordOf(row);
    if (record < 0 || graph.recordPosition(record) < 0) {
      return Clock.EMPTY;
    }
    int stream = graph.bindings().recordStream(record);
    int recordCall = graph.links().callOfRecord(record);
    long recorded = recordCall < 0 ? time : timeline.calls().at(recordCall).start();
    return clockAt(stream, recorded + 1).with(stream, graph.recordPosition(record));
  }

  /** A sync of the legacy default stream waits for the blocking streams of its context too. */
  private Clock coveredByStreamSync(int stream, long time) {
    Clock covered = clockAt(stream, time).with(stream, graph.ops().positionAt(stream, time));
    if (timeline.stream(stream).kind() == StreamInfo.Kind.LEGACY_DEFAULT) {
      for (int blocking : legacy.orderedBefore(stream)) {
        Clock other = clockAt(blocking, time);
        covered = covered.join(other.with(blocking, graph.ops().positionAt(blocking, time)));
      }
    }
    return covered;
  }

  private void checkpoint(int stream, int position, long time, Clock incoming) {
    List<Checkpoint> list = checkpoints.get(stream);
    Clock before = list.isEmpty() ? Clock.EMPTY : list.get(list.size() - 1).clock();
    Clock joined = before.join(incoming);
    if (joined != before) {
      list.add(new Checkpoint(position, time, joined));
    }
  }

  /** What a stream's next item enqueued at a time comes after, beside its own earlier ops. */
  private Clock clockAt(int stream, long time) {
    List<Checkpoint> list = checkpoints.get(stream);
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).timeNs() < time) {
        return list.get(i).clock();
      }
    }
    return Clock.EMPTY;
  }

  /** Whether op {@code before} is known to come before op {@code after}. */
  public boolean reaches(int before, int after) {
    OpView op = timeline.ops();
    int from = op.at(before).stream();
    int to = op.at(after).stream();
    int index = graph.ops().indexOf(after);
    if (from == to) {
      return graph.ops().indexOf(before) < index;
    }
    List<Checkpoint> list = checkpoints.get(to);
    int low = 0;
    int high = list.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (list.get(middle).position() <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && list.get(low - 1).clock().position(from) > graph.ops().indexOf(before);
  }

  /** What a host sync or blocking copy covers; null for a call that is none. */
  public @org.jspecify.annotations.Nullable Covered coveredBy(int call) {
    return syncs.get(call);
  }
}
