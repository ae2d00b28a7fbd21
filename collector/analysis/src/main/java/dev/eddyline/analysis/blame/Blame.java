package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.finding.KernelNames;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Segment.Beside;
import dev.eddyline.analysis.finding.Segment.State;
import dev.eddyline.analysis.finding.Segment.Via;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Explains a blocked call: from the op that released it walks back over the edges that bound, and
 * cuts the call's time into segments of one state each. They add up to the call's time by
 * construction. One object for many calls; not for several threads.
 */
public final class Blame {
  /** How soon after another stream's op a held-up op must start to be seen as going on after it. */
  private static final long RESUME_GAP_NS = 3_000;

  private static final double RESUME_CONFIDENCE = 0.6;

  /** From this many segments on, ops of one stream in a row are told as one. */
  private static final int MOST_SINGLE = 48;

  /** Gaps between ops in a row up to this length are launch latency. */
  private static final long MOST_LATENCY_NS = 10_000;

  private static final int MOST_STEPS = 100_000;
  private static final List<Via> NO_PATH = List.of();

  private final Timeline timeline;
  private final StreamGraph graph;
  private final OpView op;
  private final CallView call;
  private final Predecessors before;
  private final Neighbours neighbours;
  private final RemoteArrivals remote;

  private final List<Segment> latestFirst = new ArrayList<>();
  private long from;
  private long cursor;

  public Blame(StreamGraph graph, ClockTolerance tolerance, RemoteArrivals remote) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.op = timeline.ops();
    this.call = timeline.calls();
    this.before = new Predecessors(graph, tolerance.toleranceNs());
    this.neighbours = new Neighbours(graph);
    this.remote = remote;
  }

  /** The segments of a blocked call, in order of time. */
  public List<Segment> explain(HostBlock block) {
    latestFirst.clear();
    from = block.startNs();
    cursor = block.endNs();
    if (!block.isBlocked()) {
      add(State.RETURN, -1, from, NO_PATH, List.of());
    } else {
      walk(block);
    }
    List<Segment> inOrder = new ArrayList<>(latestFirst);
    Collections.reverse(inOrder);
    return inOrder;
  }

  private void walk(HostBlock block) {
    int current = block.releaseOp();
    add(State.RETURN, -1, Math.min(cursor, op.at(current).end()), NO_PATH, List.of());
    List<Via> path =
        block.inferredRelease()
            ? List.of(
                new Via(
                    "release",
                    "inferred",
                    "release",
                    0.8,
                    -1,
                    -1,
                    "ended last before the call returned"))
            : NO_PATH;
    for (int steps = 0; cursor > from && steps < MOST_STEPS; steps++) {
      addRunning(current, path);
      if (cursor <= from) {
        return;
      }
      before.of(current);
      path = before.path();
      current = goBack(current);
      if (current < 0) {
        return;
      }
      if (before.op() != current) {
        path = List.of(resumed(current));
      }
    }
    add(State.UNATTRIBUTED, -1, from, NO_PATH, List.of());
  }

  private void addRunning(int current, List<Via> path) {
    op.at(current);
    long begin = op.start();
    if (graph.collectives().isCollective(op)) {
      long arrived = Math.min(cursor, remote.lastArrival(current));
      add(State.RUNNING, current, Math.max(begin, arrived), path, List.of());
      if (arrived > begin) {
        add(State.REMOTE, current, begin, NO_PATH, List.of());
      }
      return;
    }
    add(State.RUNNING, current, begin, path, List.of());
  }

  /** Explains why an op had not started yet; returns the op to go on with, or -1. */
  private int goBack(int current) {
    int launch = graph.ops().callOf(current);
    long launched = launch < 0 ? Long.MIN_VALUE : call.at(launch).start();
    int binding = before.op();
    long bound = binding < 0 ? Long.MIN_VALUE : before.end();
    long ready = Math.max(from, Math.max(launched, bound));
    if (before.hasUnknownWait()) {
      int resumed = resumedFrom(current, bound);
      if (resumed >= 0) {
        add(State.NOT_STARTED, current, op.at(resumed).end(), NO_PATH, List.of());
        return resumed;
      }
      add(State.UNATTRIBUTED, current, ready, NO_PATH, List.of());
    } else {
      addGap(current, ready);
    }
    if (launched > bound) {
      add(State.LATE_LAUNCH, current, bound, NO_PATH, List.of());
    }
    return binding;
  }

  /** The op of another stream after whose end an op went on, behind a wait of unknown source. */
  private int resumedFrom(int current, long bound) {
    return bound < cursor - RESUME_GAP_NS
        ? neighbours.endedRightBefore(current, cursor, RESUME_GAP_NS, before.unknownWaitTime())
        : -1;
  }

  /** Tells what filled the device while an op was ready, or could be for all that is known. */
  private void addGap(int current, long ready) {
    if (ready >= cursor) {
      return;
    }
    boolean mayHaveWaited = before.mayHaveWaited();
    for (Neighbours.Part part : neighbours.partsBefore(current, ready, cursor)) {
      State state = mayHaveWaited ? State.UNATTRIBUTED : State.NOT_STARTED;
      if (part.full()) {
        state = part.otherContext() ? State.OTHER_CONTEXT : State.DEVICE_BUSY;
      }
      List<Beside> beside = part.ops().stream().map(this::beside).toList();
      add(state, current, part.fromNs(), NO_PATH, beside);
    }
  }

  private Beside beside(int row) {
    op.at(row);
    return new Beside(
        KernelNames.shorten(op.name()), op.correlation(), timeline.stream(op.stream()).label());
  }

  private Via resumed(int row) {
    String stream = timeline.stream(op.at(row).stream()).label();
    return new Via(
        "resumed",
        "inferred",
        "resumed-after",
        RESUME_CONFIDENCE,
        -1,
        -1,
        "a wait of unknown source stands here; it went on right after this op of stream "
            + stream
            + " had ended");
  }

  /** Adds a segment from {@code begin} to the cursor and moves the cursor back. */
  private void add(State state, int row, long begin, List<Via> path, List<Beside> beside) {
    long start = Math.max(from, begin);
    if (start >= cursor) {
      return;
    }
    long ns = cursor - start;
    cursor = start;
    if (row < 0) {
      latestFirst.add(new Segment(state, "", -1, -1, "", start, ns, path, beside));
      return;
    }
    op.at(row);
    String stream = timeline.stream(op.stream()).label();
    if (latestFirst.size() >= MOST_SINGLE && joinsLast(state, stream, ns)) {
      int at = latestFirst.size() - 1;
      latestFirst.set(at, earlierOps(stream, start, latestFirst.get(at).ns() + ns));
      return;
    }
    latestFirst.add(
        new Segment(
            state,
            KernelNames.shorten(op.name()),
            row,
            op.correlation(),
            stream,
            start,
            ns,
            path,
            beside));
  }

  private boolean joinsLast(State state, String stream, long ns) {
    Segment last = latestFirst.get(latestFirst.size() - 1);
    boolean running = state == State.RUNNING || ns <= MOST_LATENCY_NS;
    return running && last.state() == State.RUNNING && last.stream().equals(stream);
  }

  private static Segment earlierOps(String stream, long start, long ns) {
    String name = "earlier ops of stream " + stream;
    return new Segment(State.RUNNING, name, -1, -1, stream, start, ns, NO_PATH, List.of());
  }
}
