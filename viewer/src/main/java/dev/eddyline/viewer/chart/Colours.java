package dev.eddyline.viewer.chart;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.trace.RecordType.Range;
import dev.eddyline.viewer.model.Tone;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.paint.Theme;
import dev.eddyline.viewer.track.Lane;
import dev.eddyline.viewer.track.Track;

/** The colour of each slice. One object per drawing thread. */
final class Colours {
  private final TraceModel model;
  private final Collectives collectives;
  private final OpView op;
  private final CallView call;
  private final RangeView range;
  private final Theme theme;
  private final ColourBy by;

  Colours(TraceModel model, Theme theme, ColourBy by) {
    this.model = model;
    this.collectives = model.graph().collectives();
    this.op = model.timeline().ops();
    this.call = model.timeline().calls();
    this.range = model.timeline().ranges();
    this.theme = theme;
    this.by = by;
  }

  int of(Track track, Lane lane, int index) {
    return switch (track.kind()) {
      case STREAM -> by == ColourBy.KIND ? kind(lane, index) : op(lane.item(index));
      case CALLS, POLLS -> call(lane, index);
      case RANGES -> range(lane.item(index));
      default -> theme.call();
    };
  }

  private int op(int row) {
    op.at(row);
    return switch (by) {
      case KIND -> theme.compute();
      case NAME -> Theme.category(model.names().of(op).replaceFirst(" #\\d+$", ""));
      case STREAM -> Theme.category(op.stream());
      case RANK -> Theme.category(op.process());
      case COMMUNICATOR ->
          collectives.isCollective(op)
              ? Theme.category(collectives.communicator(row))
              : theme.call();
      case DURATION -> Theme.duration(op.duration());
    };
  }

  private int kind(Lane lane, int index) {
    return switch (Tone.of(lane.tone(index))) {
      case COMPUTE -> theme.compute();
      case COMMUNICATION -> theme.communication();
      case COPY -> theme.copy();
      case EXPECTED -> theme.expected();
      case CALL, HELD -> theme.call();
    };
  }

  private int call(Lane lane, int index) {
    boolean byName = by == ColourBy.NAME && Tone.of(lane.tone(index)) != Tone.EXPECTED;
    return byName ? Theme.category(call.at(lane.item(index)).name()) : kind(lane, index);
  }

  private int range(int row) {
    int kind = range.at(row).kind();
    if (by == ColourBy.NAME) {
      return Theme.category(range.name());
    }
    boolean user = kind == Range.KIND_STEP || kind == Range.KIND_ANNOTATION;
    return user ? theme.range() : Theme.mix(theme.range(), theme.background(), 0.35);
  }
}
