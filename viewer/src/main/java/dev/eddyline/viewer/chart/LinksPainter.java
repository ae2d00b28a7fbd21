package dev.eddyline.viewer.chart;

import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.viewer.model.Chain;
import dev.eddyline.viewer.model.Link;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.paint.FontWidths;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.Painter.Curve;
import dev.eddyline.viewer.paint.Painter.Stroke;
import dev.eddyline.viewer.paint.Theme;
import java.util.HashSet;
import java.util.Set;

/**
 * Draws arrows, tails and the states of a blocked call. All in one layer above pinned and other
 * rows, so that arrows cross from the ones to the others.
 */
final class LinksPainter {
  private static final double TEXT = 10;
  private static final double BEND = 36;
  private static final double LEAST_BEND = 10;
  private static final double STUB = 20;
  private static final int FAINT = 130;
  private final ChartInput in;
  private final Painter painter;
  private final Theme theme;
  private final Rows rows;
  private boolean tooMany;

  LinksPainter(ChartInput in, Painter painter) {
    this.in = in;
    this.painter = painter;
    this.theme = in.options().theme();
    this.rows = in.rows();
  }

  /** Whether there were more arrows in view than are drawn. */
  boolean tooMany() {
    return tooMany;
  }

  void paint() {
    in.chain().tails().forEach(this::tail);
    segments();
    Set<Link> strong = new HashSet<>(in.chain().links());
    if (in.options().arrows()) {
      int[] all =
          in.model().links().in(in.view().startNs(), in.view().endNs(), ChartOptions.MOST_ARROWS);
      tooMany = all == null;
      for (int i : all == null ? new int[0] : all) {
        Link link = in.model().links().link(i);
        if (!strong.contains(link)) {
          draw(link, false);
        }
      }
    }
    in.chain().links().forEach(link -> draw(link, true));
  }

  private void tail(Chain.Tail tail) {
    int place = rows.placeOf(tail.track());
    if (place < 0) {
      return;
    }
    double top = in.rowTop(place);
    double height = rows.laneHeight(place) - 1;
    double from = Math.max(in.left(), in.x(tail.fromNs()));
    double to = Math.min(in.width(), in.x(tail.toNs()));
    painter.pattern(Painter.Pattern.DOTS, from, top, to - from, height, theme.ready());
    String text = FontWidths.get().fit(tail.label(), TEXT, to - from - 8);
    if (!text.isEmpty() && height > TEXT) {
      double width = FontWidths.get().width(text, TEXT);
      painter.fill(from + 3, top + 2, width + 4, height - 4, theme.background());
      painter.text(from + 5, top + (height + TEXT) / 2 - 1.5, TEXT, text, theme.text());
    }
  }

  /** The states of a blocked call as a band along the lower edge of its slice. */
  private void segments() {
    if (in.chain().segments().isEmpty()) {
      return;
    }
    for (int call : in.chain().calls()) {
      if (in.model().block(call) == null) {
        continue;
      }
      int track = in.model().index().ofCalls(in.model().timeline().calls().at(call).thread());
      int place = rows.placeOf(track);
      if (place < 0) {
        return;
      }
      double bottom = in.rowTop(place) + rows.laneHeight(place) - 1;
      for (Segment segment : in.chain().segments()) {
        double from = in.x(segment.startNs());
        double width = Math.max(1, in.x(segment.startNs() + segment.ns()) - from);
        painter.fill(from, bottom - 4, width, 4, background(segment.state()));
        if (segment.state() == Segment.State.DEVICE_BUSY
            || segment.state() == Segment.State.NOT_STARTED) {
          painter.pattern(Painter.Pattern.DOTS, from, bottom - 4, width, 4, theme.ready());
        } else if (segment.state() == Segment.State.UNATTRIBUTED) {
          painter.pattern(Painter.Pattern.HATCH, from, bottom - 4, width, 4, theme.unknown());
        }
      }
    }
  }

  private int background(Segment.State state) {
    return switch (state) {
      case RUNNING -> theme.compute();
      case REMOTE -> theme.communication();
      case RETURN -> theme.call();
      case LATE_LAUNCH, OTHER_CONTEXT -> theme.copy();
      case DEVICE_BUSY, NOT_STARTED, UNATTRIBUTED -> theme.background();
    };
  }

  private void draw(Link link, boolean strong) {
    int toPlace = rows.placeOf(link.toTrack());
    if (toPlace < 0) {
      return;
    }
    double toX = in.x(link.toNs());
    double toY = in.rowTop(toPlace) + rows.laneHeight(toPlace) / 2;
    int colour = colour(link.style());
    int ink = strong ? colour : Theme.alpha(colour, FAINT);
    if (link.isStub()) {
      stub(link, toX, toY - rows.laneHeight(toPlace) / 2, ink);
      return;
    }
    int fromPlace = rows.placeOf(link.fromTrack());
    if (fromPlace < 0) {
      return;
    }
    double fromX = in.x(link.fromNs());
    double fromY = in.rowTop(fromPlace) + rows.laneHeight(fromPlace) / 2;
    if (Math.max(fromX, toX) < in.left() - BEND || Math.min(fromX, toX) > in.width() + BEND) {
      return;
    }
    painter.curve(curve(fromX, fromY, toX, toY), stroke(link.style(), strong), true, ink);
  }

  /**
   * Forward in time an arrow leaves and arrives level; backward it goes out below and comes in
   * below.
   */
  private static Curve curve(double x0, double y0, double x3, double y3) {
    double bend = Math.max(LEAST_BEND, Math.min(BEND, Math.abs(x3 - x0) / 2));
    if (x3 >= x0 - 2) {
      return new Curve(x0, y0, x0 + bend, y0, x3 - bend, y3, x3, y3);
    }
    double below = Math.max(y0, y3) + BEND;
    return new Curve(x0, y0, x0, below, x3, below, x3, y3 + 6);
  }

  private void stub(Link link, double x, double top, int ink) {
    if (x < in.left() || x > in.width()) {
      return;
    }
    boolean missing = link.style() == Link.Style.MISSING;
    double fromX = x - STUB;
    double fromY = top - 3;
    Curve curve = new Curve(fromX, fromY, x - 6, fromY, x - 2, fromY, x, top + 6);
    painter.curve(curve, missing ? Stroke.STRONG_DASHED : Stroke.SOLID, true, ink);
    painter.text(fromX - 8, fromY + 4, TEXT + 1, missing ? "0" : "?", ink | 0xFF000000);
  }

  private int colour(Link.Style style) {
    return switch (style) {
      case RECORDED -> theme.recorded();
      case INFERRED -> theme.inferred();
      case MISSING -> theme.missing();
      case UNKNOWN, LAUNCH -> theme.unknown();
    };
  }

  private static Stroke stroke(Link.Style style, boolean strong) {
    return switch (style) {
      case RECORDED -> strong ? Stroke.STRONG : Stroke.SOLID;
      case INFERRED -> Stroke.DASHED;
      case MISSING -> Stroke.STRONG_DASHED;
      case UNKNOWN, LAUNCH -> Stroke.SOLID;
    };
  }
}
