package dev.eddyline.viewer.app;

import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.chart.Labels;
import dev.eddyline.viewer.model.RowState;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.track.Track;
import dev.eddyline.viewer.view.Navigation;
import dev.eddyline.viewer.view.TraceView;
import java.util.function.BiConsumer;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.input.ZoomEvent;
import org.jspecify.annotations.Nullable;

/**
 * What the mouse does on the timeline: click selects, left drag selects time (its edges can be
 * moved), Shift or middle drag moves, right drag zooms to a region, the wheel scrolls rows, with
 * Ctrl it zooms, with Shift it moves.
 */
final class TimelineMouse {
  private static final double STEP = 1.2;
  private static final double WHEEL = 40;
  private static final double NEAR = 4;

  private enum Drag {
    NONE,
    RANGE,
    PAN,
    ZOOM,
    OVERVIEW,
    COLUMN
  }

  private final TimelinePane pane;
  private final BiConsumer<Double, Double> menu;
  private Drag drag = Drag.NONE;
  private double pressX;
  private double pressY;
  private long pressTime;
  private double pressScroll;
  private @Nullable Viewport pressView;

  TimelineMouse(TimelinePane pane, BiConsumer<Double, Double> menu) {
    this.pane = pane;
    this.menu = menu;
    pane.setOnMousePressed(this::pressed);
    pane.setOnMouseDragged(this::dragged);
    pane.setOnMouseReleased(this::released);
    pane.setOnMouseMoved(this::moved);
    pane.setOnMouseExited(e -> pane.hover(-1, -1, ""));
    pane.setOnScroll(this::scrolled);
    pane.setOnZoom(this::pinched);
  }

  /** Time under the mouse; of the middle of the view where the mouse is elsewhere. */
  long anchor(ChartInput input) {
    boolean inside = pane.isHover() && pressXNow >= input.left();
    return inside ? input.time(pressXNow) : input.view().startNs() + input.view().lengthNs() / 2;
  }

  private double pressXNow = -1;

  private void pressed(MouseEvent event) {
    pane.requestFocus();
    TraceView view = pane.view();
    ChartInput input = pane.shown();
    if (view == null || input == null) {
      return;
    }
    pressX = pane.logical(event.getX());
    pressY = pane.logical(event.getY());
    pressTime = input.time(pressX);
    pressView = view.viewport();
    pressScroll = view.scroll();
    boolean overview =
        pressY >= ChartInput.TITLE && pressY < ChartInput.TITLE + ChartInput.OVERVIEW;
    if (Math.abs(pressX - input.left()) <= NEAR && pressY >= ChartInput.ROWS_TOP) {
      drag = Drag.COLUMN;
    } else if (overview && pressX >= input.left()) {
      drag = Drag.OVERVIEW;
      overview(view, input, pressX);
    } else if (event.getButton() == MouseButton.MIDDLE || event.isShiftDown()) {
      drag = Drag.PAN;
    } else if (event.getButton() == MouseButton.SECONDARY) {
      drag = Drag.ZOOM;
    } else if (pressX >= input.left()) {
      drag = Drag.RANGE;
      Span range = view.range();
      if (range != null) {
        // Near one edge: the other one stays.
        pressTime = Math.abs(input.x(range.startNs()) - pressX) <= NEAR ? range.endNs() : pressTime;
        pressTime = Math.abs(input.x(range.endNs()) - pressX) <= NEAR ? range.startNs() : pressTime;
      }
    } else {
      drag = Drag.NONE;
    }
  }

  private static void overview(TraceView view, ChartInput input, double x) {
    Viewport all = Viewport.all(view.model().whole());
    double share = (x - input.left()) / input.axis();
    view.slide(view.viewport().centred(all.startNs() + Math.round(share * all.lengthNs())));
  }

  private void dragged(MouseEvent event) {
    TraceView view = pane.view();
    ChartInput input = pane.shown();
    Viewport from = pressView;
    if (view == null || input == null || from == null) {
      return;
    }
    double x = pane.logical(event.getX());
    double y = pane.logical(event.getY());
    switch (drag) {
      case PAN -> {
        pane.moves();
        view.slide(from.panned((pressX - x) / input.axis()));
        view.scrollTo(pressScroll + pressY - y);
      }
      case RANGE, ZOOM -> {
        if (Math.abs(x - pressX) > NEAR) {
          long time = input.time(Math.max(input.left(), x));
          view.range(new Span(Math.min(time, pressTime), Math.max(time, pressTime)));
        }
      }
      case OVERVIEW -> {
        pane.moves();
        overview(view, input, x);
      }
      case COLUMN -> pane.labelColumn(x);
      case NONE -> {}
    }
  }

  private void released(MouseEvent event) {
    TraceView view = pane.view();
    ChartInput input = pane.shown();
    if (view == null || input == null) {
      return;
    }
    double x = pane.logical(event.getX());
    boolean still = Math.abs(x - pressX) <= NEAR;
    Drag was = drag;
    drag = Drag.NONE;
    Span range = view.range();
    if (was == Drag.ZOOM && !still && range != null) {
      view.range(null);
      view.show(view.viewport().fitted(range));
    } else if (was == Drag.ZOOM && still) {
      menu.accept(event.getScreenX(), event.getScreenY());
    } else if (still && event.getButton() == MouseButton.PRIMARY && was != Drag.OVERVIEW) {
      clicked(view, input, event);
    }
  }

  private void clicked(TraceView view, ChartInput input, MouseEvent event) {
    if (pressY < ChartInput.ROWS_TOP) {
      if (event.getClickCount() == 2) {
        view.show(Viewport.all(view.model().whole()));
      }
      return;
    }
    int place = input.rows().placeAt(pressY - ChartInput.ROWS_TOP, input.scroll());
    if (place < 0) {
      return;
    }
    Track track = input.rows().track(place);
    if (pressX < input.left()) {
      view.cursor(track.index());
      if (event.getClickCount() == 2) {
        boolean process = track.kind() == Track.Kind.PROCESS;
        RowState state = view.rowState();
        RowState.toggle(process ? state.collapsed() : state.expanded(), track.index());
        view.layout();
      }
      return;
    }
    view.cursor(track.index());
    Selection hit = hit(input, pressX, pressY);
    view.select(hit);
    if (event.getClickCount() == 2) {
      view.jump(hit);
    }
  }

  private static Selection hit(ChartInput input, double x, double y) {
    Rows rows = input.rows();
    int place = rows.placeAt(y - ChartInput.ROWS_TOP, input.scroll());
    if (place < 0 || x < input.left() || y < ChartInput.ROWS_TOP) {
      return Selection.NONE;
    }
    int lane = (int) ((y - input.rowTop(place)) / rows.laneHeight(place));
    long tolerance = (long) (input.view().lengthNs() / input.axis() * 2);
    return new Navigation(input.model()).at(rows.track(place), lane, input.time(x), tolerance);
  }

  private void moved(MouseEvent event) {
    ChartInput input = pane.shown();
    if (input == null) {
      return;
    }
    double x = pane.logical(event.getX());
    double y = pane.logical(event.getY());
    pressXNow = x;
    Selection hit = hit(input, x, y);
    int track = new Navigation(input.model()).trackOf(hit);
    String words = "";
    if (track >= 0) {
      int item =
          hit instanceof Selection.OfOp o
              ? o.row()
              : hit instanceof Selection.OfCall c
                  ? c.row()
                  : hit instanceof Selection.OfRange r ? r.row() : -1;
      words = item < 0 ? "" : Labels.of(input.model(), input.model().tracks().get(track), item);
    } else if (x < input.left() && y >= ChartInput.ROWS_TOP) {
      int place = input.rows().placeAt(y - ChartInput.ROWS_TOP, input.scroll());
      words =
          place < 0
              ? ""
              : input.rows().track(place).label() + "   " + input.rows().track(place).note();
    }
    pane.hover(x, y, words);
  }

  private void scrolled(ScrollEvent event) {
    TraceView view = pane.view();
    ChartInput input = pane.shown();
    if (view == null || input == null) {
      return;
    }
    double steps = event.getDeltaY() / WHEEL;
    double x = pane.logical(event.getX());
    pane.moves();
    if (event.isControlDown() && event.isShiftDown()) {
      view.rowState()
          .scale(view.rowState().scale() * Math.pow(STEP, steps + event.getDeltaX() / WHEEL));
      view.layout();
    } else if (event.isControlDown()) {
      view.slide(
          view.viewport().zoomed(Math.pow(STEP, -steps), input.time(Math.max(x, input.left()))));
    } else if (event.isShiftDown() || Math.abs(event.getDeltaX()) > Math.abs(event.getDeltaY())) {
      double delta = event.getDeltaX() == 0 ? event.getDeltaY() : event.getDeltaX();
      view.slide(view.viewport().panned(-delta / WHEEL * 0.1));
    } else {
      view.scrollTo(view.scroll() - event.getDeltaY());
    }
  }

  private void pinched(ZoomEvent event) {
    TraceView view = pane.view();
    ChartInput input = pane.shown();
    if (view != null && input != null && event.getZoomFactor() > 0) {
      pane.moves();
      view.slide(
          view.viewport()
              .zoomed(1 / event.getZoomFactor(), input.time(pane.logical(event.getX()))));
    }
  }
}
