package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.graph.BindRule;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.graph.WaitBindings;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.Arrays;
import java.util.List;

/**
 * All arrows of a trace: record to wait, op to host sync. Drawn from the end of the last op before
 * the record to the begin of the first op that waited. Kept in arrays, found by time. NCCL's own
 * waits are left out. Immutable; any number of threads may read.
 */
public final class Links {
  private static final int NONE = -1;
  private final StreamGraph graph;
  private final Timeline timeline;
  private final TrackIndex tracks;
  private final int waits;
  private final long[] from;
  private final long[] to;
  private final int[] fromTrack;
  private final int[] toTrack;
  private final int[] sourceOp;
  private final int[] targetOp;
  private final int[] reference;
  private final List<HostBlock> blocks;
  private int size;
  private final int[] byFrom;
  private final int[] byTo;

  Links(StreamGraph graph, List<HostBlock> hostBlocks, TrackIndex tracks) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.tracks = tracks;
    this.blocks = hostBlocks;
    int most = timeline.waits().size() + hostBlocks.size();
    from = new long[most];
    to = new long[most];
    fromTrack = new int[most];
    toTrack = new int[most];
    sourceOp = new int[most];
    targetOp = new int[most];
    reference = new int[most];
    addWaits();
    waits = size;
    addSyncs();
    byFrom = order(from);
    byTo = order(to);
  }

  private int[] order(long[] key) {
    Integer[] sorted = new Integer[size];
    Arrays.setAll(sorted, i -> i);
    Arrays.sort(sorted, (a, b) -> Long.compare(key[a], key[b]));
    int[] order = new int[size];
    Arrays.setAll(order, i -> sorted[i]);
    return order;
  }

  private void addWaits() {
    WaitBindings bindings = graph.bindings();
    CallView call = timeline.calls();
    OpView op = timeline.ops();
    for (int wait = 0; wait < bindings.size(); wait++) {
      int stream = timeline.waits().at(wait).stream();
      int track = stream < 0 ? NONE : tracks.ofStream(stream);
      int by = graph.links().callOfWait(wait);
      if (track < 0 || by < 0 || bindings.isNcclInternal(wait)) {
        continue;
      }
      int held = graph.waitPosition(wait);
      boolean holds = held >= 0 && held < graph.ops().count(stream);
      targetOp[size] = holds ? graph.ops().op(stream, held) : NONE;
      to[size] = holds ? op.at(targetOp[size]).start() : call.at(by).start();
      toTrack[size] = track;
      int source = bindings.source(wait);
      int covered = source < 0 ? NONE : covered(wait, source, to[size]);
      fromTrack[size] = covered > 0 ? tracks.ofStream(source) : NONE;
      sourceOp[size] = covered > 0 ? graph.ops().op(source, covered - 1) : NONE;
      from[size] = covered > 0 ? op.at(sourceOp[size]).end() : to[size];
      if (!holds) {
        // Nothing ran on the stream afterwards: the wait ends when what it waited for has ended.
        to[size] = Math.max(to[size], from[size]);
      }
      reference[size++] = wait;
    }
  }

  /**
   * Position behind the last op that a wait covers; of a wait for a whole stream, what had ended.
   */
  private int covered(int wait, int source, long startNs) {
    int covered = graph.coveredBy(wait);
    if (graph.bindings().record(wait) >= 0) {
      return covered;
    }
    while (covered > 0 && timeline.ops().at(graph.ops().op(source, covered - 1)).end() > startNs) {
      covered--;
    }
    return covered;
  }

  private void addSyncs() {
    OpView op = timeline.ops();
    CallView call = timeline.calls();
    for (int i = 0; i < blocks.size(); i++) {
      HostBlock block = blocks.get(i);
      if (!block.isBlocked() || block.endOfTrace()) {
        continue;
      }
      op.at(block.releaseOp());
      sourceOp[size] = block.releaseOp();
      targetOp[size] = NONE;
      from[size] = op.end();
      fromTrack[size] = tracks.ofStream(op.stream());
      to[size] = block.endNs();
      toTrack[size] = tracks.ofCalls(call.at(block.call()).thread());
      reference[size++] = i;
    }
  }

  /** How many arrows there are. */
  public int size() {
    return size;
  }

  /** The arrow with a number. */
  public Link link(int i) {
    if (i >= waits) {
      HostBlock block = blocks.get(reference[i]);
      Link.Style style = block.inferredRelease() ? Link.Style.INFERRED : Link.Style.RECORDED;
      String text =
          timeline.calls().at(block.call()).name()
              + " returned when this op had ended"
              + (block.inferredRelease() ? " (found by time)" : "");
      return new Link(style, fromTrack[i], from[i], toTrack[i], to[i], text);
    }
    return new Link(styleOfWait(i), fromTrack[i], from[i], toTrack[i], to[i], textOfWait(i));
  }

  private Link.Style styleOfWait(int i) {
    int wait = reference[i];
    if (graph.bindings().isEmpty(wait)) {
      return Link.Style.MISSING;
    }
    if (graph.bindings().isUnknown(wait)) {
      return Link.Style.UNKNOWN;
    }
    return graph.bindings().rule(wait).isRecorded() ? Link.Style.RECORDED : Link.Style.INFERRED;
  }

  private String textOfWait(int i) {
    int wait = reference[i];
    WaitBindings bindings = graph.bindings();
    WaitView row = timeline.waits().at(wait);
    String waiter = timeline.stream(row.stream()).label();
    String by = "cudaStreamWaitEvent (call " + row.correlation() + ")";
    if (bindings.isEmpty(wait)) {
      return by + " on stream " + waiter + " waits for nothing: the event was never recorded";
    }
    if (bindings.isUnknown(wait)) {
      return by + " on stream " + waiter + ": the trace does not say what it waits for";
    }
    BindRule rule = bindings.rule(wait);
    String known =
        rule.isRecorded()
            ? "recorded"
            : "inferred: " + rule.id() + ", " + Math.round(rule.confidence() * 100) + " %";
    int source = bindings.source(wait);
    String what =
        source < 0
            ? "a stream that the trace does not name"
            : "stream " + timeline.stream(source).label();
    return "stream " + waiter + " waits for " + what + " (" + known + ")";
  }

  /** Rows of the op before an arrow and of the op behind it; -1 where there is none. */
  public int sourceOp(int i) {
    return sourceOp[i];
  }

  /** Row of the op that waited, or -1. */
  public int targetOp(int i) {
    return targetOp[i];
  }

  /** Row of the call that a sync's arrow ends in, or -1 for a wait's. */
  public int targetCall(int i) {
    return i < waits ? NONE : blocks.get(reference[i]).call();
  }

  /** Row of the wait of an arrow, or -1 for a sync's. */
  public int wait(int i) {
    return i < waits ? reference[i] : NONE;
  }

  /**
   * The numbers of the arrows that begin or end in a span of time.
   *
   * @param most null where there would be more
   */
  public int @org.jspecify.annotations.Nullable [] in(long startNs, long endNs, int most) {
    int firstTo = lowerBound(byTo, to, startNs);
    int lastTo = lowerBound(byTo, to, endNs);
    int firstFrom = lowerBound(byFrom, from, startNs);
    int lastFrom = lowerBound(byFrom, from, endNs);
    if (lastTo - firstTo > most || lastFrom - firstFrom > most) {
      return null;
    }
    int[] found = new int[lastTo - firstTo + lastFrom - firstFrom];
    int count = 0;
    for (int i = firstTo; i < lastTo; i++) {
      found[count++] = byTo[i];
    }
    for (int i = firstFrom; i < lastFrom; i++) {
      int link = byFrom[i];
      if (to[link] < startNs || to[link] >= endNs) {
        found[count++] = link;
      }
    }
    Arrays.sort(found, 0, count);
    return count > most ? null : Arrays.copyOf(found, count);
  }

  private static int lowerBound(int[] order, long[] key, long value) {
    int low = 0;
    int high = order.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (key[order[middle]] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
