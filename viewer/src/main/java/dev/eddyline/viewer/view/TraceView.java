package dev.eddyline.viewer.view;

import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.chart.ChartOptions;
import dev.eddyline.viewer.chart.ColourBy;
import dev.eddyline.viewer.model.Chain;
import dev.eddyline.viewer.model.Chains;
import dev.eddyline.viewer.model.FirstGlance;
import dev.eddyline.viewer.model.RowState;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.Theme;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open trace as a user sees it: what is in view, selected, marked, searched. Every change tells
 * the listener. Belongs to the thread that draws; knows no toolkit.
 */
public final class TraceView {
  private static final int MOST_HISTORY = 100;

  private final TraceModel model;
  private final Chains chains;
  private final RowState rowState = new RowState();
  private final Deque<Viewport> back = new ArrayDeque<>();
  private final Deque<Viewport> forward = new ArrayDeque<>();
  private final List<ChartInput.Mark> marks = new ArrayList<>();
  private Runnable listener = () -> {};
  private Rows rows;
  private Viewport viewport;
  private Selection selection = Selection.NONE;
  private Chain chain = Chain.NONE;
  private int cursorRow = -1;
  private double scroll;
  private double room = 600;
  private @Nullable Span range;
  private @Nullable Search search;
  private int hit = -1;
  private Theme theme = Theme.DARK;
  private ColourBy colourBy = ColourBy.KIND;
  private boolean arrows = true;
  private boolean moving;

  /** Opens on the first finding. */
  public TraceView(TraceModel model) {
    this.model = model;
    this.chains = new Chains(model);
    this.rows = Rows.of(model.tracks(), rowState);
    this.viewport = Viewport.all(model.whole());
    firstGlance();
  }

  /** Tells someone of every change. */
  public void onChange(Runnable newListener) {
    listener = newListener;
  }

  private void changed() {
    listener.run();
  }

  private void firstGlance() {
    selection = FirstGlance.selection(model);
    chain = chains.of(selection);
    viewport = FirstGlance.viewport(model, chain);
  }

  /** Sets the height of the window for rows; pins the selection's rows if it is the first time. */
  public void resize(double rowsHeight, boolean first) {
    room = rowsHeight;
    if (first) {
      rowState.pinned().addAll(FirstGlance.pins(model, chain, rows, room));
    }
    layout();
  }

  /** Lays the rows out anew after {@link #rowState} was changed. */
  public void layout() {
    rows = Rows.of(model.tracks(), rowState);
    scroll = Math.max(0, Math.min(scroll, rows.mostScroll(room)));
    changed();
  }

  public TraceModel model() {
    return model;
  }

  public RowState rowState() {
    return rowState;
  }

  public Rows rows() {
    return rows;
  }

  public Viewport viewport() {
    return viewport;
  }

  public Selection selection() {
    return selection;
  }

  public Chain chain() {
    return chain;
  }

  public List<ChartInput.Mark> marks() {
    return marks;
  }

  public @Nullable Span range() {
    return range;
  }

  public @Nullable Search search() {
    return search;
  }

  /** Number of the hit that is selected, from 0; -1 for none. */
  public int hit() {
    return hit;
  }

  public Theme theme() {
    return theme;
  }

  public ColourBy colourBy() {
    return colourBy;
  }

  public boolean arrows() {
    return arrows;
  }

  /** Row of the timeline that the keyboard is at, -1 for none. */
  public int cursorRow() {
    return cursorRow;
  }

  public double scroll() {
    return scroll;
  }

  /** All that the picture depends on. */
  public ChartInput input(int width, int height, double pixelScale, double labelColumn) {
    ChartOptions options =
        new ChartOptions(theme, colourBy, moving, arrows, pixelScale, labelColumn);
    return new ChartInput(
        model,
        viewport,
        rows,
        scroll,
        chain,
        List.copyOf(marks),
        range,
        search,
        width,
        height,
        options);
  }

  /** Whether the view moves, so that few words are drawn. */
  public void moving(boolean isMoving) {
    if (moving != isMoving) {
      moving = isMoving;
      changed();
    }
  }

  /** Changes the view without a place in the history, as while the mouse drags. */
  public void slide(Viewport next) {
    if (!viewport.equals(next)) {
      viewport = next;
      changed();
    }
  }

  /** Changes the view; "back" leads to the one before. */
  public void show(Viewport next) {
    if (!viewport.equals(next)) {
      back.push(viewport);
      if (back.size() > MOST_HISTORY) {
        back.removeLast();
      }
      forward.clear();
      slide(next);
    }
  }

  /** Back to the view before, or forward again. */
  public void history(boolean goBack) {
    Deque<Viewport> from = goBack ? back : forward;
    Deque<Viewport> to = goBack ? forward : back;
    if (!from.isEmpty()) {
      to.push(viewport);
      slide(from.pop());
    }
  }

  /** Scrolls rows to a height. */
  public void scrollTo(double top) {
    double next = Math.max(0, Math.min(top, rows.mostScroll(room)));
    if (next != scroll) {
      scroll = next;
      changed();
    }
  }

  /** Selects, without moving the view. */
  public void select(Selection next) {
    selection = next;
    chain = chains.of(next);
    int track = new Navigation(model).trackOf(next);
    if (track >= 0) {
      cursorRow = track;
    }
    changed();
  }

  /** Selects and brings into view: its time if it is not in view, its rows if they are not. */
  public void jump(Selection next) {
    select(next);
    Span evidence = chain.evidence();
    if (evidence == null) {
      return;
    }
    boolean finding = next instanceof Selection.OfFinding;
    boolean tooSmall = evidence.lengthNs() < viewport.lengthNs() / 200;
    if (finding || !viewport.holds(evidence) || tooSmall) {
      show(FirstGlance.viewport(model, chain));
    }
    reveal(cursorRow);
  }

  /** Scrolls so that a row is in view. */
  public void reveal(int track) {
    int place = rows.placeOf(track);
    if (place < rows.pinned()) {
      return;
    }
    double top = rows.top(place) - rows.pinnedHeight();
    double bottom = rows.top(place) + rows.height(place) - room;
    if (scroll > top) {
      scrollTo(top);
    } else if (scroll < bottom) {
      scrollTo(bottom);
    }
  }

  /** Moves the keyboard to a row. */
  public void cursor(int track) {
    cursorRow = track;
    reveal(track);
    changed();
  }

  /** Selects a span of time, null for none. */
  public void range(@Nullable Span span) {
    range = span;
    changed();
  }

  /** Shows what a search found, null for none; jumps nowhere yet. */
  public void search(@Nullable Search found) {
    search = found;
    hit = -1;
    changed();
  }

  /** Goes to the next hit, or the one before; round and round. */
  public void nextHit(int step) {
    Search found = search;
    if (found == null || found.size() == 0) {
      return;
    }
    hit = hit < 0 ? found.firstFrom(viewport.startNs()) : Math.floorMod(hit + step, found.size());
    jump(found.hit(hit));
  }

  /** Adds a mark. */
  public void mark(long timeNs, String name) {
    marks.add(new ChartInput.Mark(timeNs, name));
    changed();
  }

  /** Gives the last mark a note. */
  public void note(String words) {
    if (!marks.isEmpty()) {
      int last = marks.size() - 1;
      marks.set(last, new ChartInput.Mark(marks.get(last).timeNs(), words));
      changed();
    }
  }

  /** Removes the last mark. */
  public void unmark() {
    if (!marks.isEmpty()) {
      marks.remove(marks.size() - 1);
      changed();
    }
  }

  /** Sets the colours. */
  public void theme(Theme next) {
    theme = next;
    changed();
  }

  /** Sets what colours of ops stand for. */
  public void colourBy(ColourBy next) {
    colourBy = next;
    changed();
  }

  /** Shows or hides the arrows that are not part of the selection. */
  public void arrows(boolean show) {
    arrows = show;
    changed();
  }
}
