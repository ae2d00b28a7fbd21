package dev.eddyline.viewer.view;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.viewer.model.Links;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.track.Lane;
import dev.eddyline.viewer.track.Track;
import java.util.List;

/** Steps from a selection to the next one: along a row, along dependencies, along findings. */
public final class Navigation {
  private final TraceModel model;

  public Navigation(TraceModel model) {
    this.model = model;
  }

  /** The row of the timeline that a selection lies in, -1 for none. */
  public int trackOf(Selection selection) {
    if (selection instanceof Selection.OfOp op) {
      return model.index().ofStream(model.timeline().ops().at(op.row()).stream());
    }
    if (selection instanceof Selection.OfCall call) {
      return trackOfCall(call.row());
    }
    if (selection instanceof Selection.OfRange range) {
      return model.index().ofRanges(model.timeline().ranges().at(range.row()).thread());
    }
    int call = callOf(selection);
    return call < 0 ? -1 : trackOfCall(call);
  }

  private int trackOfCall(int row) {
    var call = model.timeline().calls().at(row);
    boolean polls = call.kind().isPoll();
    int thread = call.thread();
    return polls ? model.index().ofPolls(thread) : model.index().ofCalls(thread);
  }

  private int callOf(Selection selection) {
    if (selection instanceof Selection.OfCall call) {
      return call.row();
    }
    if (selection instanceof Selection.OfFinding f) {
      List<Occurrence> all = model.report().findings().get(f.finding()).occurrences();
      return f.occurrence() < all.size() ? all.get(f.occurrence()).callRow() : -1;
    }
    return -1;
  }

  static Selection selection(Track track, int item) {
    return switch (track.kind()) {
      case STREAM -> new Selection.OfOp(item);
      case CALLS, POLLS -> new Selection.OfCall(item);
      case RANGES -> new Selection.OfRange(item);
      default -> Selection.NONE;
    };
  }

  /** What lies at a time in a lane of a row. */
  public Selection at(Track track, int lane, long timeNs, long toleranceNs) {
    if (lane >= track.lanes().size()) {
      return Selection.NONE;
    }
    Lane intervals = track.lanes().get(lane);
    int next = intervals.firstEndingAfter(timeNs);
    if (next < intervals.size() && intervals.start(next) <= timeNs + toleranceNs) {
      return selection(track, intervals.item(next));
    }
    int before = next - 1;
    return before >= 0 && intervals.end(before) >= timeNs - toleranceNs
        ? selection(track, intervals.item(before))
        : Selection.NONE;
  }

  /** The slice after the selection on its row, or the one before; the same where there is none. */
  public Selection beside(Selection from, int step, int cursorRow, long timeNs) {
    if (model.tracks().isEmpty()) {
      return from;
    }
    int index = trackOf(from);
    Track track = model.tracks().get(Math.max(0, index < 0 ? cursorRow : index));
    int item = itemOf(from);
    for (Lane lane : track.lanes()) {
      int at = item < 0 ? -1 : find(lane, from, item);
      if (item < 0) {
        at = lane.firstEndingAfter(timeNs) - (step > 0 ? 1 : 0);
      } else if (at < 0) {
        continue;
      }
      int next = at + step;
      return next >= 0 && next < lane.size() ? selection(track, lane.item(next)) : from;
    }
    return from;
  }

  private int itemOf(Selection selection) {
    if (selection instanceof Selection.OfOp op) {
      return op.row();
    }
    if (selection instanceof Selection.OfRange range) {
      return range.row();
    }
    return callOf(selection);
  }

  private int find(Lane lane, Selection selection, int item) {
    long start =
        selection instanceof Selection.OfOp
            ? model.timeline().ops().at(item).start()
            : selection instanceof Selection.OfRange
                ? model.timeline().ranges().at(item).start()
                : model.timeline().calls().at(item).start();
    int at = lane.at(start);
    return at >= 0 && lane.item(at) == item ? at : -1;
  }

  /** What the selection waited for: the op that let a call go, the op before a wait, its launch. */
  public Selection before(Selection from) {
    int call = callOf(from);
    if (call >= 0) {
      HostBlock block = model.block(call);
      return block != null && block.isBlocked() ? new Selection.OfOp(block.releaseOp()) : from;
    }
    if (!(from instanceof Selection.OfOp op)) {
      return from;
    }
    Links links = model.links();
    int latest = -1;
    for (int i : near(op.row())) {
      if (links.targetOp(i) == op.row() && links.sourceOp(i) >= 0) {
        boolean later = latest < 0 || links.link(i).fromNs() > links.link(latest).fromNs();
        latest = later ? i : latest;
      }
    }
    if (latest >= 0) {
      return new Selection.OfOp(links.sourceOp(latest));
    }
    int launch = model.graph().ops().callOf(op.row());
    return launch < 0 ? from : new Selection.OfCall(launch);
  }

  /**
   * What waited for the selection: the call that it let go, else the op behind a wait; its launch.
   */
  public Selection after(Selection from) {
    int call = callOf(from);
    if (call >= 0) {
      int made = model.graph().links().opOf(call);
      return made < 0 ? from : new Selection.OfOp(made);
    }
    if (!(from instanceof Selection.OfOp op)) {
      return from;
    }
    Links links = model.links();
    Selection found = from;
    for (int i : near(op.row())) {
      if (links.sourceOp(i) != op.row()) {
        continue;
      }
      if (links.targetCall(i) >= 0) {
        return new Selection.OfCall(links.targetCall(i));
      }
      if (links.targetOp(i) >= 0 && found.equals(from)) {
        found = new Selection.OfOp(links.targetOp(i));
      }
    }
    return found;
  }

  private int[] near(int row) {
    var op = model.timeline().ops().at(row);
    int[] found = model.links().in(op.start(), op.end() + 1, Integer.MAX_VALUE);
    return found == null ? new int[0] : found;
  }

  /** The finding after the selected one, or before; the first one where none is selected. */
  public Selection finding(Selection from, int step) {
    int count = model.report().findings().size();
    if (count == 0) {
      return from;
    }
    int next = from instanceof Selection.OfFinding f ? Math.floorMod(f.finding() + step, count) : 0;
    return new Selection.OfFinding(next, 0);
  }

  /** The next occurrence of the selected finding, or the one before. */
  public Selection occurrence(Selection from, int step) {
    if (!(from instanceof Selection.OfFinding f)) {
      return finding(from, step);
    }
    int count = model.report().findings().get(f.finding()).occurrences().size();
    return count == 0
        ? from
        : new Selection.OfFinding(f.finding(), Math.floorMod(f.occurrence() + step, count));
  }
}
