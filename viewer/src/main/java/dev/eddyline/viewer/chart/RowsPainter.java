package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Tone;
import dev.eddyline.viewer.paint.FontWidths;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.Theme;
import dev.eddyline.viewer.track.Fold;
import dev.eddyline.viewer.track.Lane;
import dev.eddyline.viewer.track.TimeScale;
import dev.eddyline.viewer.track.Track;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Draws the rows: their names, their slices, the words on the widest slices. */
final class RowsPainter {
  private static final double TEXT = 11;
  private static final double SMALL_TEXT = 10;
  private static final int LEAST_LABEL = 30;
  private static final double DIMMED = 0.5;
  private static final double UNMATCHED = 0.8;

  private final ChartInput in;
  private final Painter painter;
  private final Theme theme;
  private final Rows rows;
  private final TimeScale scale;
  private final double unit;
  private final Colours colours;
  private final SliceLabels labels;
  private final boolean lit;

  private double pendingFrom = -1;
  private double pendingTo = -1;
  private int pendingColour;

  RowsPainter(ChartInput in, Painter painter) {
    this.in = in;
    this.painter = painter;
    this.theme = in.options().theme();
    this.rows = in.rows();
    this.scale = in.columns();
    this.unit = in.axis() / scale.width();
    this.colours = new Colours(in.model(), theme, in.options().colourBy());
    int most = in.options().moving() ? ChartOptions.LABELS_MOVING : ChartOptions.LABELS_STILL;
    this.labels = new SliceLabels(most);
    this.lit = !in.chain().ops().isEmpty() || !in.chain().calls().isEmpty();
  }

  void paint() {
    double pinned = rows.pinnedHeight();
    double bottom = in.scroll() + in.rowsHeight();
    painter.clip(0, ChartInput.ROWS_TOP + pinned, in.width(), in.rowsHeight() - pinned);
    grid();
    for (int i = Math.max(rows.pinned(), rows.firstBelow(in.scroll() + pinned));
        i < rows.size();
        i++) {
      if (rows.top(i) >= bottom) {
        break;
      }
      paintRow(i);
    }
    labels.paint(in, painter);
    if (rows.pinned() > 0) {
      painter.clip(0, ChartInput.ROWS_TOP, in.width(), Math.min(pinned, in.rowsHeight()));
      painter.fill(0, ChartInput.ROWS_TOP, in.width(), pinned, theme.panel());
      for (int i = 0; i < rows.pinned(); i++) {
        paintRow(i);
      }
      painter.fill(0, ChartInput.ROWS_TOP + pinned - 1, in.width(), 1, theme.dim());
      labels.paint(in, painter);
    }
  }

  private void grid() {
    Ticks ticks = Ticks.of(in.view(), in.model().zeroNs(), in.axis());
    for (long time = ticks.firstNs(); time < in.view().endNs(); time += ticks.stepNs()) {
      painter.fill(Math.floor(in.x(time)), ChartInput.ROWS_TOP, 1, in.rowsHeight(), theme.grid());
    }
  }

  private void paintRow(int place) {
    Track track = rows.track(place);
    double top = in.rowTop(place);
    double height = rows.height(place);
    switch (track.kind()) {
      case PROCESS -> painter.fill(0, top, in.width(), height, theme.panel());
      case OVERLAP -> OverlapPainter.paint(in, painter, scale, track, top, height);
      default -> {
        for (int lane = 0; lane < rows.lanes(place); lane++) {
          paintLane(track, lane, top + lane * rows.laneHeight(place), rows.laneHeight(place));
        }
      }
    }
    painter.fill(0, top, in.left(), height, theme.panel());
    painter.fill(0, top + height, in.width(), 1, theme.grid());
    if (rows.laneHeight(place) >= SMALL_TEXT) {
      rowName(track, top, rows.laneHeight(place), rows.height(place));
    }
  }

  private void rowName(Track track, double top, double lane, double height) {
    double x = 6 + track.level() * 10.0;
    double base = top + (lane + SMALL_TEXT) / 2 - 1;
    double room = in.left() - x - 6;
    boolean two = height >= 2 * SMALL_TEXT + 8 && !track.note().isEmpty();
    double noteWidth =
        two ? 0 : Math.min(room / 2, FontWidths.get().width(track.note(), SMALL_TEXT) + 6);
    String label = FontWidths.get().fit(track.label(), TEXT, room - noteWidth);
    painter.text(x, base, TEXT, label, theme.text());
    if (two) {
      String note = FontWidths.get().fit(track.note(), SMALL_TEXT, room);
      painter.text(x, base + SMALL_TEXT + 5, SMALL_TEXT, note, theme.dim());
    } else if (!track.note().isEmpty()) {
      String note = FontWidths.get().fit(track.note(), SMALL_TEXT, noteWidth);
      double width = FontWidths.get().width(note, SMALL_TEXT);
      painter.text(in.left() - 6 - width, base, SMALL_TEXT, note, theme.dim());
    }
  }

  private void paintLane(Track track, int laneIndex, double top, double height) {
    if (laneIndex >= track.lanes().size()) {
      return;
    }
    Lane lane = track.lanes().get(laneIndex);
    IntPredicate match = match(track);
    Set<Integer> chained = chained(track);
    double inner = Math.max(1, height - 1);
    boolean calls = track.kind() == Track.Kind.CALLS;
    pendingTo = -1;
    Fold.columns(
        lane,
        scale,
        (from, to, first, count) -> {
          boolean inChain = lit && count == 1 && chained.contains(lane.item(first));
          int colour = colours.of(track, lane, first);
          if (match != null || lit && !inChain) {
            colour = paler(colour, match != null && match.test(lane.item(first)), match != null);
          }
          if (to - from > 1) {
            flush(top, inner);
            wide(track, lane, first, from, to, top, inner, colour, inChain);
          } else {
            narrow(from, to, top, inner, colour);
            if (calls && Tone.of(lane.tone(first)) == Tone.HELD) {
              flush(top, inner);
              painter.fill(in.left() + from * unit, top, unit, inner, theme.blocked());
            }
          }
        });
    flush(top, inner);
  }

  private int paler(int colour, boolean matches, boolean searching) {
    if (searching) {
      return matches ? colour : Theme.mix(colour, theme.background(), UNMATCHED);
    }
    return Theme.mix(colour, theme.background(), DIMMED);
  }

  private @Nullable IntPredicate match(Track track) {
    ChartInput.Matcher matcher = in.match();
    if (matcher == null) {
      return null;
    }
    return switch (track.kind()) {
      case STREAM -> matcher.ops();
      case CALLS, POLLS -> matcher.calls();
      default -> matcher.ranges();
    };
  }

  private Set<Integer> chained(Track track) {
    return switch (track.kind()) {
      case STREAM -> in.chain().ops();
      case CALLS, POLLS -> in.chain().calls();
      default -> in.chain().ranges();
    };
  }

  /** Neighbouring columns of one colour become one rectangle. */
  private void narrow(int from, int to, double top, double height, int colour) {
    if (pendingTo >= 0 && colour == pendingColour && from <= pendingTo) {
      pendingTo = Math.max(pendingTo, to);
      return;
    }
    flush(top, height);
    pendingFrom = from;
    pendingTo = to;
    pendingColour = colour;
  }

  private void flush(double top, double height) {
    if (pendingTo >= 0) {
      double width = (pendingTo - pendingFrom) * unit;
      painter.fill(in.left() + pendingFrom * unit, top, width, height, pendingColour);
      pendingTo = -1;
    }
  }

  private void wide(
      Track track,
      Lane lane,
      int index,
      int from,
      int to,
      double top,
      double height,
      int colour,
      boolean inChain) {
    int item = lane.item(index);
    double x = in.left() + from * unit;
    double width = (to - from) * unit;
    painter.fill(x, top, width, height, colour);
    if (width > 3) {
      int edge = Theme.mix(colour, theme.background(), 0.45);
      painter.fill(x + width - unit, top, unit, height, edge);
    }
    boolean held = track.kind() == Track.Kind.CALLS && Tone.of(lane.tone(index)) == Tone.HELD;
    if (held) {
      painter.pattern(Painter.Pattern.HATCH, x, top, width, height, theme.blocked());
    }
    if (track.isStream()) {
      late(item, x, x + width, top, height);
    }
    if (inChain) {
      frame(x, top, width, height, theme.selected());
    } else if (track.isStream() && in.chain().beside().contains(item)) {
      frame(x, top, width, height, theme.ready());
    }
    if (width >= LEAST_LABEL && height >= SMALL_TEXT) {
      boolean patterned = held || track.isStream() && in.model().peers().isLate(item);
      labels.add(
          track,
          item,
          x,
          width,
          top,
          held && inChain ? height - 4 : height,
          textOn(colour),
          patterned ? colour : 0);
    }
  }

  /** The part of a collective in which it waited for a rank that had not arrived. */
  private void late(int op, double from, double to, double top, double height) {
    long arrival = in.model().peers().lastArrival(op);
    if (arrival == Long.MIN_VALUE) {
      return;
    }
    double until = Math.min(to, in.x(arrival));
    if (until > from + 1) {
      painter.pattern(Painter.Pattern.HATCH, from, top, until - from, height, theme.background());
    }
  }

  private int textOn(int colour) {
    double dark = Theme.contrast(theme.onSlice(), colour);
    return dark >= Theme.contrast(theme.text(), colour) ? theme.onSlice() : theme.text();
  }

  private void frame(double x, double y, double width, double height, int argb) {
    painter.fill(x, y, width, 1, argb);
    painter.fill(x, y + height - 1, width, 1, argb);
    painter.fill(x, y, 1, height, argb);
    painter.fill(x + width - 1, y, 1, height, argb);
  }
}
