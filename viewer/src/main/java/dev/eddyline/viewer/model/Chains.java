package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.Blame;
import dev.eddyline.analysis.blame.ClockTolerance;
import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.blame.MatchedArrivals;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Segment.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what lights up with a selection. One object for many questions; not for several threads.
 */
public final class Chains {
  private final TraceModel model;
  private final Map<Integer, Occurrence> occurrenceOfCall = new HashMap<>();
  private @Nullable Blame blame;

  public Chains(TraceModel model) {
    this.model = model;
    for (Finding finding : model.report().findings()) {
      for (Occurrence occurrence : finding.occurrences()) {
        if (occurrence.callRow() >= 0 && !occurrence.blame().isEmpty()) {
          occurrenceOfCall.putIfAbsent(occurrence.callRow(), occurrence);
        }
      }
    }
  }

  /** The chain of a selection. */
  public Chain of(Selection selection) {
    ChainBuilder builder = new ChainBuilder(model);
    if (selection instanceof Selection.OfFinding finding) {
      addFinding(builder, finding);
    } else if (selection instanceof Selection.OfCall call) {
      addCall(builder, call.row());
    } else if (selection instanceof Selection.OfOp op) {
      builder.addSelectedOp(op.row());
    } else if (selection instanceof Selection.OfRange range) {
      builder.addRange(range.row());
    } else {
      return Chain.NONE;
    }
    return builder.build();
  }

  private void addFinding(ChainBuilder builder, Selection.OfFinding selected) {
    Finding finding = model.report().findings().get(selected.finding());
    if (selected.occurrence() >= finding.occurrences().size()) {
      return;
    }
    Occurrence occurrence = finding.occurrences().get(selected.occurrence());
    Occurrence.MissingOrder missing = occurrence.missing();
    if (missing != null) {
      builder.addMissing(missing.first(), missing.second());
      return;
    }
    builder.addSpan(occurrence.startNs(), occurrence.endNs());
    if (occurrence.callRow() >= 0) {
      builder.addCall(occurrence.callRow());
    }
    if (!occurrence.blame().isEmpty()) {
      addBlame(builder, occurrence.callRow(), occurrence.blame());
    } else if (occurrence.callRow() >= 0) {
      builder.addWhatCallMade(occurrence.callRow());
    }
  }

  private void addCall(ChainBuilder builder, int call) {
    builder.addCall(call);
    HostBlock block = model.block(call);
    if (block != null && block.isBlocked()) {
      addBlame(builder, call, segments(block));
    } else {
      builder.addWhatCallMade(call);
    }
  }

  /** What the time of a blocked call went to. */
  public List<Segment> segments(HostBlock block) {
    Occurrence known = occurrenceOfCall.get(block.call());
    if (known != null) {
      return known.blame();
    }
    Blame ready = blame;
    if (ready == null) {
      ClockTolerance tolerance = ClockTolerance.of(model.graph());
      ready = new Blame(model.graph(), tolerance, MatchedArrivals.of(model.graph()));
      blame = ready;
    }
    return ready.explain(block);
  }

  private void addBlame(ChainBuilder builder, int call, List<Segment> segments) {
    HostBlock block = call < 0 ? null : model.block(call);
    for (Segment segment : segments) {
      builder.addSegment(segment);
    }
    Segment later = null;
    for (int i = segments.size() - 1; i >= 0; i--) {
      Segment segment = segments.get(i);
      if (segment.opRow() < 0 || segment.state() != State.RUNNING) {
        continue;
      }
      if (later != null && later.opRow() != segment.opRow()) {
        builder.addStep(segment, later);
      }
      later = segment;
    }
    if (block != null && block.isBlocked()) {
      builder.addRelease(block);
    }
  }
}
