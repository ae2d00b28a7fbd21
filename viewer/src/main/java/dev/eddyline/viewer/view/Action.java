package dev.eddyline.viewer.view;

import java.util.List;

/**
 * Everything that a user can do: the one source of keys, menus, palette, help and the table in
 * docs/viewer.md.
 */
public enum Action {
  OPEN(Group.FILE, "Open a trace", "Ctrl+O"),
  COMPARE(Group.FILE, "Compare with another trace", "Ctrl+Shift+O"),
  EXPORT(Group.FILE, "Export the view as PNG or SVG", "Ctrl+E"),
  COPY_LINK(Group.FILE, "Copy the command that opens this view", "Ctrl+Shift+C"),
  SAVE_SESSION(Group.FILE, "Save the session beside the trace", "Ctrl+S"),
  CANCEL(Group.FILE, "Cancel loading"),
  QUIT(Group.FILE, "Quit", "Ctrl+Q"),

  ZOOM_IN(Group.TIME, "Zoom in", "W", "+"),
  ZOOM_OUT(Group.TIME, "Zoom out", "S", "-"),
  PAN_LEFT(Group.TIME, "Move left", "A", "Left"),
  PAN_RIGHT(Group.TIME, "Move right", "D", "Right"),
  CENTRE(Group.TIME, "Centre the selection, then fit it", "F"),
  ZOOM_RANGE(Group.TIME, "Zoom to the selected range", "Z"),
  WHOLE(Group.TIME, "Show the whole trace", "0"),
  BACK(Group.TIME, "Back to the view before", "Alt+Left"),
  FORWARD(Group.TIME, "Forward again", "Alt+Right"),

  NEXT_FINDING(Group.SELECT, "Next finding", "N"),
  PREVIOUS_FINDING(Group.SELECT, "Previous finding", "Shift+N"),
  NEXT_OCCURRENCE(Group.SELECT, "Next occurrence of the finding", "O"),
  PREVIOUS_OCCURRENCE(Group.SELECT, "Previous occurrence", "Shift+O"),
  NEXT_EVENT(Group.SELECT, "Next slice of the row", "."),
  PREVIOUS_EVENT(Group.SELECT, "Previous slice of the row", ","),
  FOLLOW(Group.SELECT, "Follow the dependency forward", "]"),
  FOLLOW_BACK(Group.SELECT, "Follow the dependency back: what it waited for", "["),
  RANGE_OF_SELECTION(Group.SELECT, "Select the time of the selection", "R"),
  RANGE_ALL(Group.SELECT, "Select the time in view", "Ctrl+A"),
  CLEAR(Group.SELECT, "Clear selection, range and search", "Esc"),

  SEARCH(Group.SEARCH, "Search names", "Ctrl+F", "/"),
  NEXT_HIT(Group.SEARCH, "Next hit", "F3"),
  PREVIOUS_HIT(Group.SEARCH, "Previous hit", "Shift+F3"),

  ROW_DOWN(Group.ROWS, "Row below", "Down"),
  ROW_UP(Group.ROWS, "Row above", "Up"),
  PAGE_DOWN(Group.ROWS, "Scroll down a page", "PageDown"),
  PAGE_UP(Group.ROWS, "Scroll up a page", "PageUp"),
  FIRST_ROW(Group.ROWS, "First row", "Home"),
  LAST_ROW(Group.ROWS, "Last row", "End"),
  FIND_ROW(Group.ROWS, "Filter rows by name", "Ctrl+P"),
  PIN(Group.ROWS, "Pin or unpin the row", "P"),
  PIN_CHAIN(Group.ROWS, "Pin the rows of the selection", "Shift+P"),
  UNPIN_ALL(Group.ROWS, "Unpin all rows", "Ctrl+Shift+U"),
  HIDE(Group.ROWS, "Hide the row", "H"),
  SOLO(Group.ROWS, "Show this row only, or add it to those shown", "Shift+H"),
  SHOW_ALL(Group.ROWS, "Clear hidden rows, solo and filter", "Ctrl+H"),
  EXPAND(Group.ROWS, "Unfold or fold the row", "Enter"),
  QUERIES(Group.ROWS, "Show or fold away queries and watchdogs", "Q"),
  TALLER(Group.ROWS, "Taller rows", "Ctrl+Shift+Up"),
  FLATTER(Group.ROWS, "Flatter rows", "Ctrl+Shift+Down"),

  MARK(Group.MARKS, "Mark the selection, or the middle of the view", "M"),
  NOTE(Group.MARKS, "Write a note on the last mark", "Shift+M"),
  UNMARK(Group.MARKS, "Remove the last mark", "Delete"),

  COLOUR(Group.LOOK, "Colour by the next thing", "C"),
  ARROWS(Group.LOOK, "Show or hide arrows outside the selection", "E"),
  THEME(Group.LOOK, "Dark or light", "Ctrl+T"),
  LARGER(Group.LOOK, "Larger letters", "Ctrl+Plus"),
  SMALLER(Group.LOOK, "Smaller letters", "Ctrl+Minus"),

  DETAILS_TAB(Group.PANELS, "Details", "Ctrl+1"),
  EVENTS_TAB(Group.PANELS, "Events table", "Ctrl+2"),
  DEPENDENCIES_TAB(Group.PANELS, "Which stream waits for which", "Ctrl+3"),
  SUMS_TAB(Group.PANELS, "Sums over the selected time", "Ctrl+4"),
  MARKS_TAB(Group.PANELS, "Marks and notes", "Ctrl+5"),
  COVERAGE_TAB(Group.PANELS, "What the trace can answer", "Ctrl+6"),
  COMPARE_TAB(Group.PANELS, "Comparison", "Ctrl+7"),

  PALETTE(Group.HELP, "All actions by name", "Ctrl+Shift+P"),
  HELP(Group.HELP, "Keys", "?", "F1");

  /** Where an action stands in menus and help. */
  public enum Group {
    FILE("File"),
    TIME("Time"),
    SELECT("Select"),
    SEARCH("Search"),
    ROWS("Rows"),
    MARKS("Marks"),
    LOOK("Look"),
    PANELS("Panels"),
    HELP("Help");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** In menus. */
    public String title() {
      return title;
    }
  }

  private final Group group;
  private final String title;
  private final List<String> keys;

  Action(Group group, String title, String... keys) {
    this.group = group;
    this.title = title;
    this.keys = List.of(keys);
  }

  public Group group() {
    return group;
  }

  /** What it does, in a few words. */
  public String title() {
    return title;
  }

  /** Keys that do it, as in "Ctrl+Shift+P"; single characters mean what is typed. */
  public List<String> keys() {
    return keys;
  }
}
