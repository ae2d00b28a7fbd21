package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.blame.HostBlock.Kind;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Sync;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the calls that could hold the host for GPU work, and the op that released each. */
public final class HostBlockFinder {
  /** Calls without a known target, and implicit syncs, are judged from this length on. */
  private static final long LEAST_INFERRED_NS = 50_000;

  /** A launch queue holds 1023 launches; with this many pending a long launch waited for room. */
  private static final int FULL_QUEUE = 1000;

  private static final int NO_STREAM = -1;

  private final Timeline timeline;
  private final StreamGraph graph;
  private final ReleaseFinder release;
  private final CallView call;
  private final OpView op;
  private final SyncView sync;
  private final long tolerance;
  private final long[] lastLaunch;
  private final List<HostBlock> found = new ArrayList<>();

  private HostBlockFinder(StreamGraph graph, ClockTolerance tolerance) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.tolerance = tolerance.toleranceNs();
    this.release = new ReleaseFinder(graph, this.tolerance);
    this.call = timeline.calls();
    this.op = timeline.ops();
    this.sync = timeline.syncs();
    this.lastLaunch = new long[timeline.processes().size()];
  }

  /** All calls that could hold the host, in order of their starts. */
  public static List<HostBlock> find(StreamGraph graph, ClockTolerance tolerance) {
    HostBlockFinder finder = new HostBlockFinder(graph, tolerance);
    finder.findLastLaunches();
    for (int i = 0; i < finder.call.size(); i++) {
      finder.judge(i);
    }
    finder.found.addAll(PollLoops.find(graph, tolerance.toleranceNs()));
    finder.found.sort(Comparator.comparingLong(HostBlock::startNs));
    return finder.found;
  }

  private void findLastLaunches() {
    java.util.Arrays.fill(lastLaunch, Long.MIN_VALUE);
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).kind().isLaunch()) {
        lastLaunch[call.process()] = call.start();
      }
    }
  }

  private void judge(int row) {
    ApiKind kind = call.at(row).kind();
    switch (kind) {
      case STREAM_SYNC -> judgeStreamSync(row);
      case EVENT_SYNC -> judgeEventSync(row);
      case DEVICE_SYNC ->
          add(
              Kind.DEVICE_SYNC,
              row,
              NO_STREAM,
              release.onDevice(call.process(), call.start(), call.end()),
              false);
      case COPY, COPY_ASYNC -> judgeCopy(row, kind);
      case ALLOC, FREE -> judgeImplicit(row, Kind.ALLOCATION);
      case MODULE_LOAD -> judgeImplicit(row, Kind.IMPLICIT);
      case KERNEL_LAUNCH, GRAPH_LAUNCH, FILL -> judgeLaunch(row);
      default -> {}
    }
  }

  private void judgeStreamSync(int row) {
    int target = graph.syncTargets().syncOf(row);
    int stream = target < 0 ? NO_STREAM : sync.at(target).stream();
    if (stream < 0) {
      addByTime(Kind.STREAM_SYNC, row);
      return;
    }
    int covered = graph.ops().positionAt(stream, call.at(row).start());
    int op = release.onStream(stream, covered, call.start(), call.end());
    add(Kind.STREAM_SYNC, row, stream, op, false);
  }

  private void judgeEventSync(int row) {
    int target = graph.syncTargets().syncOf(row);
    int record = target < 0 ? -1 : graph.syncTargets().recordOf(target);
    if (record < 0 || graph.recordPosition(record) < 0) {
      addByTime(Kind.EVENT_SYNC, row);
      return;
    }
    int stream = graph.bindings().recordStream(record);
    call.at(row);
    int op = release.onStream(stream, graph.recordPosition(record), call.start(), call.end());
    add(Kind.EVENT_SYNC, row, stream, op, false);
  }

  private void addByTime(Kind kind, int row) {
    call.at(row);
    boolean judged = call.duration() >= LEAST_INFERRED_NS;
    int op = judged ? release.byTime(call.process(), call.start(), call.end()) : -1;
    add(kind, row, op < 0 ? NO_STREAM : this.op.at(op).stream(), op, op >= 0);
  }

  private void judgeCopy(int row, ApiKind kind) {
    int copy = graph.links().opOf(row);
    if (copy < 0) {
      return;
    }
    call.at(row);
    op.at(copy);
    boolean spans = call.end() + tolerance >= op.end();
    boolean toPageable = op.kind() == Op.KIND_COPY && op.dstMemory() == Op.MEMORY_PAGEABLE;
    boolean fromPageable = op.kind() == Op.KIND_COPY && op.srcMemory() == Op.MEMORY_PAGEABLE;
    if (kind == ApiKind.COPY) {
      if (spans && call.duration() >= LEAST_INFERRED_NS) {
        add(Kind.SYNCHRONOUS_COPY, row, op.stream(), copy, false);
      }
    } else if (toPageable && spans) {
      add(Kind.PAGEABLE_COPY, row, op.stream(), copy, false);
    } else if (fromPageable
        && call.duration() >= LEAST_INFERRED_NS
        && op.start() < call.end() - call.duration() / 2) {
      add(Kind.PAGEABLE_COPY, row, op.stream(), copy, false);
    }
  }

  /**
   * Only where the end of all work launched before lets the call go; else the time is the driver's.
   */
  private void judgeImplicit(int row, Kind kind) {
    call.at(row);
    if (call.duration() < LEAST_INFERRED_NS) {
      return;
    }
    int process = call.process();
    int op = release.byTime(process, call.start(), call.end());
    if (op >= 0
        && release.onDevice(process, call.start(), call.end()) == op
        && release.drained(process, call.start(), call.end())) {
      add(kind, row, this.op.at(op).stream(), op, true);
    }
  }

  private void judgeLaunch(int row) {
    int launched = graph.links().opOf(row);
    if (call.at(row).duration() < LEAST_INFERRED_NS || launched < 0) {
      return;
    }
    int stream = op.at(launched).stream();
    int enqueued = graph.ops().positionAt(stream, call.start());
    int oldest = enqueued - FULL_QUEUE;
    if (oldest < 0 || op.at(graph.ops().op(stream, oldest)).end() <= call.start()) {
      return;
    }
    int freed = lastEndedIn(stream, oldest, call.start(), call.end());
    if (freed >= 0) {
      add(Kind.QUEUE_FULL, row, stream, freed, true);
    }
  }

  /** The last op of a stream, from the oldest pending one on, that ended in (from, to], or -1. */
  private int lastEndedIn(int stream, int pending, long from, long to) {
    int first = pending;
    while (first > 0 && op.at(graph.ops().op(stream, first - 1)).end() > from) {
      first--;
    }
    int found = -1;
    for (int i = first; i < graph.ops().count(stream); i++) {
      if (op.at(graph.ops().op(stream, i)).end() > to) {
        break;
      }
      found = op.row();
    }
    return found;
  }

  private void add(Kind kind, int row, int stream, int releaseOp, boolean inferred) {
    call.at(row);
    boolean atEnd = kind == Kind.DEVICE_SYNC && call.start() > lastLaunch[call.process()];
    found.add(
        new HostBlock(kind, row, call.start(), call.end(), stream, releaseOp, inferred, atEnd, 0));
  }

  /** Whether the source names what a sync waited for. */
  public static boolean hasTarget(StreamGraph graph, SyncView sync, int call) {
    int row = graph.syncTargets().syncOf(call);
    return row >= 0
        && (sync.at(row).kind() != Sync.KIND_STREAM || sync.stream() >= 0)
        && (sync.kind() != Sync.KIND_EVENT || graph.syncTargets().recordOf(row) >= 0);
  }
}
