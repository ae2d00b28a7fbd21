package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Segment.State;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Collects the parts of a chain. */
final class ChainBuilder {
  private static final String STREAM_ORDER = "stream-order";
  private final TraceModel model;
  private final OpView op;
  private final CallView call;
  private final List<Link> links = new ArrayList<>();
  private final Set<Integer> ops = new TreeSet<>();
  private final Set<Integer> beside = new TreeSet<>();
  private final Set<Integer> calls = new TreeSet<>();
  private final Set<Integer> ranges = new TreeSet<>();
  private final List<Chain.Tail> tails = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();
  private @Nullable Span evidence;

  ChainBuilder(TraceModel model) {
    this.model = model;
    this.op = model.timeline().ops();
    this.call = model.timeline().calls();
  }

  Chain build() {
    return new Chain(links, ops, beside, calls, ranges, tails, segments, evidence);
  }

  void addSpan(long fromNs, long toNs) {
    evidence = evidence == null ? new Span(fromNs, toNs) : evidence.around(fromNs, toNs);
  }

  void addCall(int row) {
    calls.add(row);
    call.at(row);
    addSpan(call.start(), call.end());
  }

  void addRange(int row) {
    RangeView range = model.timeline().ranges().at(row);
    ranges.add(row);
    addSpan(range.start(), range.end());
  }

  private void addOp(int row) {
    ops.add(row);
    op.at(row);
    addSpan(op.start(), op.end());
  }

  /** The op or the wait that a call made. */
  void addWhatCallMade(int row) {
    int made = model.graph().links().opOf(row);
    if (made >= 0) {
      addOp(made);
      addLaunch(made);
    }
    Links all = model.links();
    for (int i = 0; i < all.size(); i++) {
      int wait = all.wait(i);
      int by = wait < 0 ? -1 : model.graph().links().callOfWait(wait);
      int record = wait < 0 ? -1 : model.graph().bindings().record(wait);
      int recordedBy = record < 0 ? -1 : model.graph().links().callOfRecord(record);
      if (by == row || recordedBy == row) {
        addLink(i);
      }
    }
  }

  /** An op with its launch, the arrows into it and those out of it. */
  void addSelectedOp(int row) {
    addOp(row);
    addLaunch(row);
    for (int peer : model.peers().of(row)) {
      addOp(peer);
    }
    Links all = model.links();
    op.at(row);
    int[] near = all.in(op.start(), op.end() + 1, Integer.MAX_VALUE);
    for (int i : near == null ? new int[0] : near) {
      if (all.targetOp(i) == row || all.sourceOp(i) == row) {
        addLink(i);
      }
    }
  }

  /** Two ops that nothing orders, and the arrow that should be there; it may run back in time. */
  void addMissing(int first, int second) {
    addOp(first);
    op.at(first);
    int from = op.stream();
    long fromNs = op.end();
    addOp(second);
    op.at(second);
    links.add(
        new Link(
            Link.Style.MISSING,
            model.index().ofStream(from),
            fromNs,
            model.index().ofStream(op.stream()),
            op.start(),
            "should have come after; nothing orders the two"));
  }

  private void addLink(int i) {
    Link link = model.links().link(i);
    links.add(link);
    addSpan(link.toNs(), link.toNs());
    if (model.links().sourceOp(i) >= 0) {
      ops.add(model.links().sourceOp(i));
    }
    if (model.links().targetOp(i) >= 0) {
      ops.add(model.links().targetOp(i));
    }
    if (model.links().targetCall(i) >= 0) {
      calls.add(model.links().targetCall(i));
    }
  }

  private void addLaunch(int row) {
    int by = model.graph().ops().callOf(row);
    if (by < 0) {
      return;
    }
    addCall(by);
    op.at(row);
    links.add(
        new Link(
            Link.Style.LAUNCH,
            model.index().ofCalls(call.at(by).thread()),
            call.start(),
            model.index().ofStream(op.stream()),
            op.start(),
            call.name() + " enqueued it"));
  }

  /** One state of the blocked time. */
  void addSegment(Segment segment) {
    segments.add(segment);
    int row = segment.opRow();
    if (row < 0) {
      return;
    }
    addOp(row);
    if (segment.state() == State.DEVICE_BUSY || segment.state() == State.NOT_STARTED) {
      addTail(segment);
    }
    for (Segment.Beside other : segment.beside()) {
      int by = model.timeline().callOf(op.at(row).process(), other.correlation());
      int made = by < 0 ? -1 : model.graph().links().opOf(by);
      if (made >= 0) {
        beside.add(made);
      }
    }
  }

  /**
   * From when the op was ready: its launch or the end of the op before it, whichever came later.
   * Where waits stand in between that is not known, and the tail begins with the segment.
   */
  private void addTail(Segment segment) {
    int row = segment.opRow();
    op.at(row);
    int stream = op.stream();
    long start = op.start();
    long ready = segment.startNs();
    int index = model.graph().ops().indexOf(row);
    int by = model.graph().ops().callOf(row);
    boolean waited = waitsAt(stream, index);
    if (by >= 0 && !waited) {
      ready = call.at(by).start();
      if (index > 0) {
        ready = Math.max(ready, op.at(model.graph().ops().op(stream, index - 1)).end());
      }
    }
    boolean busy = segment.state() == State.DEVICE_BUSY;
    String why = busy ? "device busy" : "ready, not started";
    List<String> streams =
        segment.beside().stream().map(Segment.Beside::stream).distinct().toList();
    if (busy && !streams.isEmpty()) {
      why += streams.size() == 1 ? ": stream " : ": streams ";
      why += String.join(", ", streams);
    }
    if (ready < start) {
      addSpan(ready, start);
      tails.add(new Chain.Tail(model.index().ofStream(stream), ready, start, why));
    }
  }

  private boolean waitsAt(int stream, int position) {
    int first = model.graph().firstWaitFrom(stream, position);
    return first < model.graph().waitCount(stream)
        && model.graph().waitPosition(model.graph().waitOf(stream, first)) == position;
  }

  /** The arrow from an op to the next one of the chain; none along one stream. */
  void addStep(Segment earlier, Segment later) {
    boolean plain = earlier.via().stream().allMatch(via -> via.kind().equals(STREAM_ORDER));
    int from = op.at(earlier.opRow()).stream();
    long fromNs = op.end();
    int to = op.at(later.opRow()).stream();
    if (from == to && plain) {
      return;
    }
    boolean recorded =
        !earlier.via().isEmpty()
            && earlier.via().stream()
                .allMatch(via -> via.known().equals("recorded") || via.kind().equals(STREAM_ORDER));
    List<String> words = new ArrayList<>();
    earlier.via().forEach(via -> words.add(via.text()));
    links.add(
        new Link(
            recorded ? Link.Style.RECORDED : Link.Style.INFERRED,
            model.index().ofStream(from),
            fromNs,
            model.index().ofStream(to),
            op.start(),
            String.join("; ", words)));
  }

  /** The arrow from the op that let a call go. */
  void addRelease(HostBlock block) {
    op.at(block.releaseOp());
    boolean found = block.inferredRelease();
    links.add(
        new Link(
            found ? Link.Style.INFERRED : Link.Style.RECORDED,
            model.index().ofStream(op.stream()),
            op.end(),
            model.index().ofCalls(call.at(block.call()).thread()),
            block.endNs(),
            "the call returned when this op had ended" + (found ? " (found by time)" : "")));
  }
}
