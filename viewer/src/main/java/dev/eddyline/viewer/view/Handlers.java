package dev.eddyline.viewer.view;

import dev.eddyline.viewer.model.FirstGlance;
import dev.eddyline.viewer.model.RowState;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.Theme;
import java.util.Set;

/** Carries out the actions that need a trace and no window. */
public final class Handlers {
  private static final double ZOOM = 0.7;
  private static final double PAN = 0.2;
  private static final double PAGE = 0.8;
  private static final double ROW_STEP = 1.25;

  private final TraceView view;
  private final Navigation navigation;

  public Handlers(TraceView view) {
    this.view = view;
    this.navigation = new Navigation(view.model());
  }

  /**
   * Does an action.
   *
   * @param anchorNs time under the mouse, or the middle of the view
   * @param roomHeight height of the window for rows
   * @return whether it is one of those that need no window
   */
  public boolean run(Action action, long anchorNs, double roomHeight) {
    return time(action, anchorNs)
        || select(action, anchorNs)
        || rows(action, roomHeight)
        || look(action);
  }

  private boolean time(Action action, long anchorNs) {
    Viewport now = view.viewport();
    switch (action) {
      case ZOOM_IN -> view.show(now.zoomed(ZOOM, anchorNs));
      case ZOOM_OUT -> view.show(now.zoomed(1 / ZOOM, anchorNs));
      case PAN_LEFT -> view.show(now.panned(-PAN));
      case PAN_RIGHT -> view.show(now.panned(PAN));
      case CENTRE -> centre();
      case ZOOM_RANGE -> {
        Span range = view.range();
        if (range != null) {
          view.show(now.fitted(range));
        }
      }
      case WHOLE -> view.show(Viewport.all(view.model().whole()));
      case BACK -> view.history(true);
      case FORWARD -> view.history(false);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** First brings the selection to the middle; where it is there already, fits it. */
  private void centre() {
    Span evidence = view.chain().evidence();
    if (evidence == null) {
      return;
    }
    Viewport centred = view.viewport().centred(evidence.startNs() + evidence.lengthNs() / 2);
    if (centred.equals(view.viewport()) || evidence.lengthNs() > centred.lengthNs()) {
      view.show(FirstGlance.viewport(view.model(), view.chain()));
    } else {
      view.show(centred);
    }
  }

  private boolean select(Action action, long anchorNs) {
    Selection now = view.selection();
    int row = view.cursorRow();
    switch (action) {
      case NEXT_FINDING -> view.jump(navigation.finding(now, 1));
      case PREVIOUS_FINDING -> view.jump(navigation.finding(now, -1));
      case NEXT_OCCURRENCE -> view.jump(navigation.occurrence(now, 1));
      case PREVIOUS_OCCURRENCE -> view.jump(navigation.occurrence(now, -1));
      case NEXT_EVENT -> view.jump(navigation.beside(now, 1, row, anchorNs));
      case PREVIOUS_EVENT -> view.jump(navigation.beside(now, -1, row, anchorNs));
      case FOLLOW -> view.jump(navigation.after(now));
      case FOLLOW_BACK -> view.jump(navigation.before(now));
      case RANGE_OF_SELECTION -> view.range(view.chain().evidence());
      case RANGE_ALL -> view.range(new Span(view.viewport().startNs(), view.viewport().endNs()));
      case CLEAR -> {
        view.range(null);
        view.search(null);
        view.select(Selection.NONE);
      }
      case NEXT_HIT -> view.nextHit(1);
      case PREVIOUS_HIT -> view.nextHit(-1);
      case MARK -> {
        Span evidence = view.chain().evidence();
        long time = evidence == null ? anchorNs : evidence.startNs();
        view.mark(time, "mark " + (view.marks().size() + 1));
      }
      case UNMARK -> view.unmark();
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean rows(Action action, double roomHeight) {
    RowState state = view.rowState();
    switch (action) {
      case ROW_DOWN -> step(1);
      case ROW_UP -> step(-1);
      case PAGE_DOWN -> view.scrollTo(view.scroll() + roomHeight * PAGE);
      case PAGE_UP -> view.scrollTo(view.scroll() - roomHeight * PAGE);
      case FIRST_ROW -> toPlace(0);
      case LAST_ROW -> toPlace(view.rows().size() - 1);
      case PIN -> toggle(state.pinned());
      case PIN_CHAIN -> {
        state.pinned().addAll(FirstGlance.tracks(view.model(), view.chain()));
        view.layout();
      }
      case UNPIN_ALL -> {
        state.pinned().clear();
        view.layout();
      }
      case HIDE -> toggle(state.hidden());
      case SOLO -> toggle(state.solo());
      case SHOW_ALL -> {
        state.clearFilters();
        view.layout();
      }
      case EXPAND -> expand();
      case QUERIES -> {
        state.showAll(!state.showsAll());
        view.layout();
      }
      case TALLER -> scale(ROW_STEP);
      case FLATTER -> scale(1 / ROW_STEP);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void toggle(Set<Integer> set) {
    if (view.cursorRow() >= 0) {
      RowState.toggle(set, view.cursorRow());
      view.layout();
    }
  }

  private void expand() {
    int row = view.cursorRow();
    if (row < 0) {
      return;
    }
    boolean process =
        view.model().tracks().get(row).kind() == dev.eddyline.viewer.track.Track.Kind.PROCESS;
    toggle(process ? view.rowState().collapsed() : view.rowState().expanded());
  }

  private void scale(double factor) {
    view.rowState().scale(view.rowState().scale() * factor);
    view.layout();
  }

  private void step(int by) {
    Rows rows = view.rows();
    int place = rows.placeOf(view.cursorRow());
    toPlace(place < 0 ? 0 : Math.max(0, Math.min(rows.size() - 1, place + by)));
  }

  private void toPlace(int place) {
    if (place >= 0 && place < view.rows().size()) {
      view.cursor(view.rows().track(place).index());
    }
  }

  private boolean look(Action action) {
    switch (action) {
      case COLOUR -> {
        view.colourBy(view.colourBy().next());
      }
      case ARROWS -> view.arrows(!view.arrows());
      case THEME -> view.theme(view.theme().dark() ? Theme.LIGHT : Theme.DARK);
      default -> {
        return false;
      }
    }
    return true;
  }
}
