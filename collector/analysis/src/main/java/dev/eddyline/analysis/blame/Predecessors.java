package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.finding.Segment.Via;
import dev.eddyline.analysis.graph.BindRule;
import dev.eddyline.analysis.graph.LegacyStreams;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds what an op had to wait for: the op before it on its stream, and through each wait in
 * between the ops before the record. Of several the one that ended last binds. One object for many
 * questions; not for several threads.
 */
final class Predecessors {
  private static final int MOST_HOPS = 64;
  private static final int MOST_LOOKED_AT = 1024;

  private final Timeline timeline;
  private final StreamGraph graph;
  private final LegacyStreams legacy;
  private final UnnamedWaits unnamed;
  private final OpView op;
  private final CallView call;
  private final long tolerance;
  private final List<Via> path = new ArrayList<>();
  private long consumerStart;

  private int bindingOp;
  private long bindingEnd;
  private List<Via> bindingPath = List.of();
  private boolean unknownWait;
  private long unknownWaitTime;
  private boolean mayHaveWaited;

  Predecessors(StreamGraph graph, long tolerance) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.legacy = graph.legacyStreams();
    this.unnamed = new UnnamedWaits(graph);
    this.op = timeline.ops();
    this.call = timeline.calls();
    this.tolerance = tolerance;
  }

  /** Row of the op that ended last of those that had to end first, or -1. */
  int op() {
    return bindingOp;
  }

  /** When that op ended; at most the start of the op that waited. */
  long end() {
    return bindingEnd;
  }

  /** The edges from that op, nearest to the waiting op first. */
  List<Via> path() {
    return bindingPath;
  }

  /** Whether a wait of unknown source stands in the way. */
  boolean hasUnknownWait() {
    return unknownWait;
  }

  /** When the last such wait was enqueued. */
  long unknownWaitTime() {
    return unknownWaitTime;
  }

  /** Whether a wait was enqueued that may be this stream's, because the source names no waiters. */
  boolean mayHaveWaited() {
    return mayHaveWaited;
  }

  /** Looks at one op; the accessors then tell what was found. */
  void of(int row) {
    bindingOp = -1;
    bindingEnd = Long.MIN_VALUE;
    bindingPath = List.of();
    unknownWait = false;
    unknownWaitTime = Long.MIN_VALUE;
    path.clear();
    consumerStart = op.at(row).start();
    int stream = op.stream();
    int launch = graph.ops().callOf(row);
    long enqueued = launch < 0 ? Long.MAX_VALUE : call.at(launch).start();
    mayHaveWaited = unnamed.anyIn(op.process(), enqueuedBefore(row, stream), enqueued);
    collect(stream, graph.ops().indexOf(row), enqueued, 0);
    if (launch >= 0) {
      for (int other : legacy.orderedBefore(stream)) {
        int covered = graph.ops().positionAt(other, enqueued);
        path.add(via("legacy-default", "assumed", "legacy-default", 1, -1, -1, other, stream));
        consider(other, covered);
        path.remove(path.size() - 1);
      }
    }
  }

  /** When the op before on the stream was enqueued; before all time for the first. */
  private long enqueuedBefore(int row, int stream) {
    int index = graph.ops().indexOf(row);
    int launch = index == 0 ? -1 : graph.ops().callOf(graph.ops().op(stream, index - 1));
    return launch < 0 ? Long.MIN_VALUE : call.at(launch).start();
  }

  private void collect(int stream, int position, long before, int hops) {
    boolean own = hops == 0;
    if (own) {
      path.add(via("stream-order", "assumed", "enqueue-order", 1, -1, -1, stream, stream));
    }
    consider(stream, position);
    if (own) {
      path.remove(path.size() - 1);
    }
    int waits = graph.waitCount(stream);
    for (int i = graph.firstWaitFrom(stream, position); i < waits; i++) {
      int wait = graph.waitOf(stream, i);
      int by = graph.links().callOfWait(wait);
      if (graph.waitPosition(wait) != position) {
        break;
      }
      if (by >= 0 && call.at(by).start() < before && !graph.bindings().isEmpty(wait)) {
        follow(wait, call.start(), hops);
      }
    }
  }

  private void follow(int wait, long waited, int hops) {
    int source = graph.bindings().source(wait);
    int covered = graph.coveredBy(wait);
    if (source < 0 || covered < 0 || hops >= MOST_HOPS) {
      if (!graph.bindings().isNcclInternal(wait)) {
        unknownWait = true;
        unknownWaitTime = Math.max(unknownWaitTime, waited);
      }
      return;
    }
    int record = graph.bindings().record(wait);
    path.add(eventVia(wait, record, source));
    if (record < 0) {
      consider(source, endedBefore(source, covered));
    } else {
      int by = graph.links().callOfRecord(record);
      collect(source, covered, by < 0 ? Long.MAX_VALUE : call.at(by).start(), hops + 1);
    }
    path.remove(path.size() - 1);
  }

  /** Of a stream of which only the name is known: position behind what had ended in time. */
  private int endedBefore(int stream, int covered) {
    for (int i = covered; i > 0 && covered - i < MOST_LOOKED_AT; i--) {
      if (op.at(graph.ops().op(stream, i - 1)).end() <= consumerStart + tolerance) {
        return i;
      }
    }
    return 0;
  }

  private void consider(int stream, int position) {
    if (position <= 0) {
      return;
    }
    op.at(graph.ops().op(stream, position - 1));
    long end = Math.min(op.end(), consumerStart);
    if (op.start() < consumerStart && end > bindingEnd) {
      bindingOp = op.row();
      bindingEnd = end;
      bindingPath = List.copyOf(path);
    }
  }

  private Via eventVia(int wait, int record, int source) {
    BindRule rule = graph.bindings().rule(wait);
    long from = record < 0 ? -1 : timeline.records().at(record).correlation();
    int waiter = timeline.waits().at(wait).stream();
    return via(
        "event",
        rule.isRecorded() ? "recorded" : "inferred",
        rule.id(),
        rule.confidence(),
        from,
        timeline.waits().at(wait).correlation(),
        source,
        waiter);
  }

  private Via via(
      String kind,
      String known,
      String rule,
      double confidence,
      long from,
      long to,
      int source,
      int waiter) {
    String producer = timeline.stream(source).label();
    String consumer = timeline.stream(waiter).label();
    String text =
        switch (kind) {
          case "event" ->
              "stream "
                  + consumer
                  + " waited for stream "
                  + producer
                  + (from < 0 ? "" : ", event recorded by call " + from)
                  + ", wait by call "
                  + to;
          case "legacy-default" ->
              "the legacy default stream orders streams " + producer + " and " + consumer;
          default -> "next on stream " + consumer;
        };
    return new Via(kind, known, rule, confidence, from, to, text);
  }
}
