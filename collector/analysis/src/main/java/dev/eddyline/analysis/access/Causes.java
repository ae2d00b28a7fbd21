package dev.eddyline.analysis.access;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.AccessView;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Sync;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Why two ops are unordered: which wait or sync stands between them and does not order them. */
final class Causes {
  /** How far back from the later op waits are looked at. */
  private static final int MOST_WAITS = 64;

  /** How many ops on either side of a wait are looked at. */
  private static final int MOST_OPS = 32;

  /**
   * What was found.
   *
   * @param kind the fault
   * @param row of the wait or of the sync's call, -1 if nothing stands between them
   */
  record Cause(Fault.Kind kind, int row) {}

  private static final Cause NOTHING = new Cause(Fault.Kind.UNORDERED, -1);

  private final StreamGraph graph;
  private final Timeline timeline;
  private final CallView call;
  private final OpView op;
  private final RecordView record;
  private final SyncView sync;
  private final AccessView access;
  private final Map<Long, List<Integer>> recordsOfEvent = new HashMap<>();

  Causes(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    call = timeline.calls();
    op = timeline.ops();
    record = timeline.records();
    sync = timeline.syncs();
    access = timeline.accesses();
    if (access.size() > 0) {
      for (int i = 0; i < record.size(); i++) {
        if (record.at(i).event() >= 0) {
          recordsOfEvent
              .computeIfAbsent(
                  key(record.process(), record.event()), k -> new java.util.ArrayList<>())
              .add(i);
        }
      }
    }
  }

  private static long key(int process, long event) {
    return event << 16 ^ process;
  }

  Cause of(Touch before, Touch after) {
    Cause early = null;
    Cause wrong = null;
    int stream = after.stream;
    int last = graph.firstWaitFrom(stream, graph.ops().indexOf(after.op) + 1);
    for (int i = last - 1; i >= 0 && i >= last - MOST_WAITS; i--) {
      int wait = graph.waitOf(stream, i);
      int by = graph.links().callOfWait(wait);
      if (by < 0 || by > after.call || graph.bindings().isNcclInternal(wait)) {
        continue;
      }
      if (by < before.call) {
        break;
      }
      Cause cause = judge(wait, before, after, i);
      if (cause.kind() == Fault.Kind.EMPTY_WAIT || cause.kind() == Fault.Kind.OVERWRITTEN) {
        return cause;
      }
      boolean tooEarly =
          cause.kind() == Fault.Kind.TOO_EARLY || cause.kind() == Fault.Kind.BEFORE_LAUNCH;
      if (tooEarly && early == null) {
        early = cause;
      } else if (cause.kind() == Fault.Kind.WRONG_STREAM && wrong == null) {
        wrong = cause;
      }
    }
    if (early != null) {
      return early;
    }
    return wrong != null ? wrong : wrongSync(before, after);
  }

  private Cause judge(int wait, Touch before, Touch after, int index) {
    if (graph.bindings().isEmpty(wait)) {
      return new Cause(Fault.Kind.EMPTY_WAIT, wait);
    }
    int bound = graph.bindings().record(wait);
    if (bound < 0) {
      return NOTHING;
    }
    int source = graph.bindings().recordStream(bound);
    int covered = graph.ops().indexOf(before.op);
    if (source == before.stream && graph.recordPosition(bound) <= covered) {
      return new Cause(
          isBeforeLaunch(bound, before) ? Fault.Kind.BEFORE_LAUNCH : Fault.Kind.TOO_EARLY, wait);
    }
    if (isOverwritten(bound, before)) {
      return new Cause(Fault.Kind.OVERWRITTEN, wait);
    }
    if (source >= 0 && source != before.stream && source != after.stream) {
      int from = coveredBefore(after.stream, source, index);
      int to = graph.recordPosition(bound);
      return helps(source, from, to, after.stream, graph.waitPosition(wait))
          ? NOTHING
          : new Cause(Fault.Kind.WRONG_STREAM, wait);
    }
    return NOTHING;
  }

  /**
   * Whether a record is meant for a collective but was made before its launch: it is its Work's, or
   * lies between the library's call and the launch.
   */
  private boolean isBeforeLaunch(int bound, Touch before) {
    if (graph.collectives().callOf(before.op) < 0) {
      return false;
    }
    int by = graph.links().callOfRecord(bound);
    long recorded = by < 0 ? Long.MIN_VALUE : call.at(by).start();
    long event = record.at(bound).event();
    int process = record.process();
    long correlation = op.at(before.op).correlation();
    CollectiveView collective = timeline.collectives();
    for (int i = 0; i < collective.size(); i++) {
      collective.at(i);
      if (collective.correlation() == correlation
          && collective.process() == process
          && (event >= 0 && collective.workEvent() == event || recorded >= collective.start())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the event had been recorded behind the earlier op before it was recorded elsewhere. */
  private boolean isOverwritten(int bound, Touch before) {
    long event = record.at(bound).event();
    int latest = graph.links().callOfRecord(bound);
    int index = graph.ops().indexOf(before.op);
    for (int other : recordsOfEvent.getOrDefault(key(record.process(), event), List.of())) {
      int by = graph.links().callOfRecord(other);
      if (by > before.call
          && by < latest
          && graph.bindings().recordStream(other) == before.stream
          && graph.recordPosition(other) > index) {
        return true;
      }
    }
    return false;
  }

  /** How many ops of a stream an earlier wait already covered. */
  private int coveredBefore(int stream, int source, int index) {
    int covered = 0;
    for (int i = index - 1; i >= 0; i--) {
      int wait = graph.waitOf(stream, i);
      if (graph.bindings().source(wait) == source) {
        return Math.max(covered, graph.coveredBy(wait));
      }
    }
    return covered;
  }

  /**
   * Whether what a wait covers is of use to what comes after it: an op there uses the same memory
   * as one of the next ops of the waiting stream.
   */
  private boolean helps(int source, int from, int to, int stream, int position) {
    int until = Math.min(graph.ops().count(stream), position + MOST_OPS);
    for (int i = to - 1; i >= Math.max(from, to - MOST_OPS); i--) {
      int covered = graph.ops().callOf(graph.ops().op(source, i));
      for (int k = position; covered >= 0 && k < until; k++) {
        int held = graph.ops().callOf(graph.ops().op(stream, k));
        if (held >= 0 && usesSame(covered, held)) {
          return true;
        }
      }
    }
    return to - from > MOST_OPS;
  }

  private boolean usesSame(int callA, int callB) {
    int processA = call.at(callA).process();
    for (int a = firstAccess(callA); a >= 0 && isOf(a, callA); a++) {
      access.at(a);
      if (access.process() != processA) {
        continue;
      }
      long begin = access.begin();
      long end = begin + Math.max(1, access.bytes());
      boolean writes = access.writes();
      for (int b = firstAccess(callB); b >= 0 && isOf(b, callB); b++) {
        access.at(b);
        boolean touches =
            access.process() == processA
                && access.begin() < end
                && begin < access.begin() + Math.max(1, access.bytes());
        if (touches && (writes || access.writes())) {
          return true;
        }
      }
    }
    return false;
  }

  private int firstAccess(int callRow) {
    long time = call.at(callRow).start();
    int low = 0;
    int high = access.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (access.at(middle).start() < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < access.size() ? low : -1;
  }

  private boolean isOf(int row, int callRow) {
    return row < access.size() && access.at(row).start() == call.at(callRow).start();
  }

  /** The last thing that the thread did before the later op was to wait for another stream. */
  private Cause wrongSync(Touch before, Touch after) {
    int thread = call.at(after.call).thread();
    for (int row = after.call - 1; row > before.call; row--) {
      call.at(row);
      ApiKind kind = call.kind();
      if (call.thread() != thread) {
        continue;
      }
      if (kind == ApiKind.STREAM_SYNC) {
        int syncRow = graph.syncTargets().syncOf(row);
        boolean other =
            syncRow >= 0
                && sync.at(syncRow).kind() == Sync.KIND_STREAM
                && sync.stream() >= 0
                && sync.stream() != before.stream;
        return other ? new Cause(Fault.Kind.WRONG_SYNC, row) : NOTHING;
      }
      if (kind.isLaunch() || kind.isHostSync() || kind == ApiKind.STREAM_WAIT_EVENT) {
        return NOTHING;
      }
    }
    return NOTHING;
  }
}
