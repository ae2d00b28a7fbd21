package dev.eddyline.viewer.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.chart.ColourBy;
import dev.eddyline.viewer.model.Link;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.view.Action;
import dev.eddyline.viewer.view.TraceView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javafx.geometry.Point2D;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

class WindowTest {
  @TempDir static Path folder;
  private static final Set<Action> SEEN = EnumSet.noneOf(Action.class);
  private static ViewerWindow window;
  private static Path trace;
  private final FxRobot robot = new FxRobot();
  private TraceView view;

  @BeforeAll
  static void open() throws TimeoutException, IOException {
    trace = folder.resolve(Samples.BEFORE);
    Files.copy(Path.of(Samples.FOLDER, Samples.BEFORE), trace);
    window = Windows.open(folder.resolve("config/viewer.properties"), 1280, 800);
  }

  @AfterAll
  static void every_action_was_done_by_a_test() {
    Windows.call(
        () -> {
          window.stage().close();
          return true;
        });
    Set<Action> left = EnumSet.allOf(Action.class);
    left.removeAll(SEEN);
    left.removeAll(EnumSet.of(Action.OPEN, Action.COMPARE, Action.QUIT));
    assertThat(left).isEmpty();
  }

  @BeforeEach
  void load() {
    view = Windows.load(window, trace.toString());
    Windows.call(
        () -> {
          window.overlays().close();
          window.say("");
          window.panels().open(Action.DETAILS_TAB);
          window.timeline().requestFocus();
          return true;
        });
    Windows.settle();
  }

  private void does(Action action, KeyCode... keys) {
    SEEN.add(action);
    robot.push(keys);
    Windows.settle();
  }

  private void types(Action action, String sign) {
    SEEN.add(action);
    robot.write(sign);
    Windows.settle();
  }

  private void runs(Action action) {
    SEEN.add(action);
    Windows.call(
        () -> {
          window.run(action);
          return true;
        });
    Windows.settle();
  }

  private static void waitFor(Supplier<Boolean> condition) {
    try {
      WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, condition::get);
    } catch (TimeoutException e) {
      throw new AssertionError("still not so after 20 s", e);
    }
    Windows.settle();
  }

  private static <T> T lookup(Class<T> type, String id) {
    return type.cast(window.stage().getScene().lookup("#" + id));
  }

  @Test
  void opens_on_the_first_finding_with_its_segments_in_the_details() {
    assertThat(view.selection()).isEqualTo(new Selection.OfFinding(0, 0));
    assertThat(window.panels().detailsText()).contains("no wait orders the two", "Fix:");
    assertThat(window.timeline().shown().chain().links())
        .singleElement()
        .satisfies(link -> assertThat(link.style()).isEqualTo(Link.Style.MISSING));
    assertThat(lookup(ListView.class, "findings").getSelectionModel().getSelectedIndex()).isZero();
    does(Action.NEXT_FINDING, KeyCode.N);
    does(Action.NEXT_FINDING, KeyCode.N);
    assertThat(window.panels().detailsText()).contains("0.923 ms  device busy");
    waitFor(() -> window.timeline().shown().chain().tails().size() == 1);
  }

  @Test
  void time_keys() {
    Viewport start = view.viewport();
    does(Action.ZOOM_IN, KeyCode.W);
    assertThat(view.viewport().lengthNs()).isLessThan(start.lengthNs());
    does(Action.ZOOM_OUT, KeyCode.S);
    does(Action.PAN_RIGHT, KeyCode.D);
    long right = view.viewport().startNs();
    does(Action.PAN_LEFT, KeyCode.A);
    assertThat(view.viewport().startNs()).isLessThan(right);
    does(Action.WHOLE, KeyCode.DIGIT0);
    assertThat(view.viewport()).isEqualTo(Viewport.all(view.model().whole()));
    does(Action.CENTRE, KeyCode.F);
    does(Action.CENTRE, KeyCode.F);
    assertThat(view.viewport()).isEqualTo(start);
    does(Action.BACK, KeyCode.ALT, KeyCode.LEFT);
    assertThat(view.viewport()).isNotEqualTo(start);
    does(Action.FORWARD, KeyCode.ALT, KeyCode.RIGHT);
    assertThat(view.viewport()).isEqualTo(start);
    does(Action.RANGE_OF_SELECTION, KeyCode.R);
    assertThat(view.range()).isEqualTo(view.chain().evidence());
    does(Action.ZOOM_RANGE, KeyCode.Z);
    assertThat(new Span(view.viewport().startNs(), view.viewport().endNs()))
        .isEqualTo(view.chain().evidence());
    does(Action.RANGE_ALL, KeyCode.CONTROL, KeyCode.A);
    assertThat(view.range().lengthNs()).isEqualTo(view.viewport().lengthNs());
  }

  @Test
  void selection_keys() {
    does(Action.NEXT_FINDING, KeyCode.N);
    assertThat(view.selection()).isEqualTo(new Selection.OfFinding(1, 0));
    does(Action.PREVIOUS_FINDING, KeyCode.SHIFT, KeyCode.N);
    assertThat(view.selection()).isEqualTo(new Selection.OfFinding(0, 0));
    does(Action.NEXT_FINDING, KeyCode.N);
    does(Action.NEXT_FINDING, KeyCode.N);
    does(Action.NEXT_OCCURRENCE, KeyCode.O);
    assertThat(view.selection()).isEqualTo(new Selection.OfFinding(2, 1));
    does(Action.PREVIOUS_OCCURRENCE, KeyCode.SHIFT, KeyCode.O);
    assertThat(view.selection()).isEqualTo(new Selection.OfFinding(2, 0));
    types(Action.FOLLOW_BACK, "[");
    assertThat(view.selection()).isInstanceOf(Selection.OfOp.class);
    Selection division = view.selection();
    types(Action.NEXT_EVENT, ".");
    assertThat(view.selection()).isInstanceOf(Selection.OfOp.class).isNotEqualTo(division);
    types(Action.PREVIOUS_EVENT, ",");
    assertThat(view.selection()).isEqualTo(division);
    types(Action.FOLLOW, "]");
    assertThat(view.selection()).isInstanceOf(Selection.OfCall.class);
    does(Action.CLEAR, KeyCode.ESCAPE);
    assertThat(view.selection()).isEqualTo(Selection.NONE);
    assertThat(window.panels().detailsText()).contains("Nothing selected");
  }

  @Test
  void row_keys() {
    does(Action.FIRST_ROW, KeyCode.HOME);
    int first = view.cursorRow();
    does(Action.ROW_DOWN, KeyCode.DOWN);
    assertThat(view.cursorRow()).isGreaterThan(first);
    does(Action.ROW_UP, KeyCode.UP);
    assertThat(view.cursorRow()).isEqualTo(first);
    does(Action.LAST_ROW, KeyCode.END);
    int last = view.cursorRow();
    assertThat(view.model().tracks().get(last).label()).isEqualTo("25");
    does(Action.PIN, KeyCode.P);
    assertThat(view.rows().placeOf(last)).isZero();
    does(Action.UNPIN_ALL, KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.U);
    assertThat(view.rows().pinned()).isZero();
    does(Action.PIN_CHAIN, KeyCode.SHIFT, KeyCode.P);
    assertThat(view.rows().pinned()).isEqualTo(2);
    does(Action.HIDE, KeyCode.H);
    does(Action.UNPIN_ALL, KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.U);
    assertThat(view.rows().placeOf(last)).isEqualTo(-1);
    assertThat(lookup(Label.class, "chips").getText()).contains("rows filtered");
    does(Action.SHOW_ALL, KeyCode.CONTROL, KeyCode.H);
    assertThat(view.rows().placeOf(last)).isPositive();
    does(Action.SOLO, KeyCode.SHIFT, KeyCode.H);
    assertThat(view.rows().size()).isEqualTo(1);
    does(Action.SHOW_ALL, KeyCode.CONTROL, KeyCode.H);
    int rows = view.rows().size();
    does(Action.QUERIES, KeyCode.Q);
    assertThat(view.rows().size()).isGreaterThan(rows);
    does(Action.QUERIES, KeyCode.Q);
    does(Action.FIND_ROW, KeyCode.CONTROL, KeyCode.P);
    robot.write("nccl").push(KeyCode.ENTER);
    Windows.settle();
    assertThat(view.rows().size()).isEqualTo(1);
    does(Action.SHOW_ALL, KeyCode.CONTROL, KeyCode.H);
    double height = view.rows().height();
    does(Action.TALLER, KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.UP);
    assertThat(view.rows().height()).isGreaterThan(height);
    does(Action.FLATTER, KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.DOWN);
    assertThat(view.rows().height()).isEqualTo(height);
    does(Action.FIRST_ROW, KeyCode.HOME);
    Rows before = view.rows();
    does(Action.EXPAND, KeyCode.ENTER);
    assertThat(view.rows().lanes(0)).isGreaterThanOrEqualTo(before.lanes(0));
    for (int i = 0; i < 10; i++) {
      runs(Action.TALLER);
    }
    does(Action.PAGE_DOWN, KeyCode.PAGE_DOWN);
    assertThat(view.scroll()).isPositive();
    does(Action.PAGE_UP, KeyCode.PAGE_UP);
    assertThat(view.scroll()).isZero();
  }

  @Test
  void search_says_which_of_how_many() {
    does(Action.SEARCH, KeyCode.CONTROL, KeyCode.F);
    robot.write("cudaStreamSynchronize").push(KeyCode.ENTER);
    waitFor(() -> lookup(Label.class, "hits").getText().endsWith("of 3"));
    Selection first = view.selection();
    does(Action.NEXT_HIT, KeyCode.F3);
    assertThat(view.selection()).isNotEqualTo(first);
    does(Action.PREVIOUS_HIT, KeyCode.SHIFT, KeyCode.F3);
    assertThat(view.selection()).isEqualTo(first);
    does(Action.CLEAR, KeyCode.ESCAPE);
    assertThat(view.search()).isNull();
    assertThat(window.timeline().isFocused()).isTrue();
    robot.push(KeyCode.SLASH);
    Windows.settle();
    assertThat(lookup(TextField.class, "search").isFocused()).isTrue();
  }

  @Test
  void marks_and_looks() {
    does(Action.MARK, KeyCode.M);
    assertThat(view.marks()).hasSize(1);
    does(Action.NOTE, KeyCode.SHIFT, KeyCode.M);
    robot.write("look here").push(KeyCode.ENTER);
    Windows.settle();
    assertThat(view.marks().get(0).name()).isEqualTo("look here");
    does(Action.UNMARK, KeyCode.DELETE);
    assertThat(view.marks()).isEmpty();
    does(Action.COLOUR, KeyCode.C);
    assertThat(view.colourBy()).isEqualTo(ColourBy.NAME);
    does(Action.ARROWS, KeyCode.E);
    assertThat(view.arrows()).isFalse();
    does(Action.THEME, KeyCode.CONTROL, KeyCode.T);
    assertThat(view.theme().dark()).isFalse();
    assertThat(window.settings().dark()).isFalse();
    does(Action.THEME, KeyCode.CONTROL, KeyCode.T);
    does(Action.LARGER, KeyCode.CONTROL, KeyCode.PLUS);
    assertThat(window.settings().uiScale()).isGreaterThan(1);
    does(Action.SMALLER, KeyCode.CONTROL, KeyCode.MINUS);
    assertThat(window.settings().uiScale()).isEqualTo(1);
  }

  @Test
  void panels_fill_when_they_are_opened() {
    does(Action.EVENTS_TAB, KeyCode.CONTROL, KeyCode.DIGIT2);
    waitFor(() -> !lookup(TableView.class, "events").getItems().isEmpty());
    does(Action.DEPENDENCIES_TAB, KeyCode.CONTROL, KeyCode.DIGIT3);
    waitFor(() -> !lookup(TableView.class, "dependencies").getItems().isEmpty());
    does(Action.RANGE_ALL, KeyCode.CONTROL, KeyCode.A);
    does(Action.SUMS_TAB, KeyCode.CONTROL, KeyCode.DIGIT4);
    waitFor(() -> !lookup(TableView.class, "sums").getItems().isEmpty());
    does(Action.MARK, KeyCode.M);
    does(Action.MARKS_TAB, KeyCode.CONTROL, KeyCode.DIGIT5);
    assertThat(lookup(TableView.class, "marks").getItems()).hasSize(1);
    does(Action.COVERAGE_TAB, KeyCode.CONTROL, KeyCode.DIGIT6);
    assertThat(lookup(TableView.class, "coverage").getItems()).isNotEmpty();
    does(Action.DETAILS_TAB, KeyCode.CONTROL, KeyCode.DIGIT1);
    assertThat(window.panels().isOpen(Action.DETAILS_TAB)).isTrue();
  }

  @Test
  void compares_with_another_trace() {
    Windows.call(
        () -> {
          window.compareWith(java.util.List.of(Samples.FOLDER + Samples.AFTER));
          return true;
        });
    waitFor(() -> window.panels().other() != null);
    assertThat(lookup(TableView.class, "compare-findings").getItems()).isNotEmpty();
    assertThat(lookup(TableView.class, "compare-times").getItems()).hasSizeGreaterThan(3);
    does(Action.COMPARE_TAB, KeyCode.CONTROL, KeyCode.DIGIT7);
    assertThat(window.view()).isSameAs(view);
  }

  @Test
  void palette_and_help_come_from_the_same_actions() {
    does(Action.PALETTE, KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.P);
    assertThat(lookup(ListView.class, "palette").getItems()).hasSize(Action.values().length);
    robot.write("whole trace").push(KeyCode.ENTER);
    Windows.settle();
    assertThat(view.viewport()).isEqualTo(Viewport.all(view.model().whole()));
    does(Action.HELP, KeyCode.F1);
    assertThat(window.stage().getScene().lookup("#help")).isNotNull();
    robot.push(KeyCode.ESCAPE);
    Windows.settle();
    assertThat(window.overlays().isOpen()).isFalse();
    robot.push(KeyCode.SHIFT, KeyCode.SLASH);
    Windows.settle();
    assertThat(window.stage().getScene().lookup("#help")).isNotNull();
  }

  @Test
  void writes_pictures_sessions_and_commands() throws IOException {
    Path picture = folder.resolve("view.svg");
    does(Action.EXPORT, KeyCode.CONTROL, KeyCode.E);
    Windows.call(
        () -> {
          lookup(TextField.class, "answer").setText(picture.toString());
          return true;
        });
    robot.push(KeyCode.ENTER);
    waitFor(() -> lookup(Label.class, "message").getText().startsWith("written: "));
    assertThat(Files.readString(picture)).startsWith("<svg ");
    does(Action.COPY_LINK, KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.C);
    assertThat(Windows.call(() -> Clipboard.getSystemClipboard().getString()))
        .matches("eddyline view \\S+ --at \\d+\\.\\d{3}ms --range \\d+ns --select finding:1");
    does(Action.SAVE_SESSION, KeyCode.CONTROL, KeyCode.S);
    Path session = folder.resolve(Samples.BEFORE + ".session.json");
    assertThat(session).exists();
    Files.delete(session);
  }

  @Test
  void a_bad_file_is_a_message_and_the_trace_stays() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.json"), "{\"traceEvents\": [{]");
    Windows.call(
        () -> {
          window.open(java.util.List.of(bad.toString()));
          return true;
        });
    waitFor(() -> lookup(Label.class, "message").getText().contains("bad.json:1:"));
    assertThat(window.view()).isSameAs(view);
    runs(Action.CANCEL);
    assertThat(window.stage().getScene().lookup("#cancel").getParent().isVisible()).isFalse();
  }

  @Test
  void every_sample_of_the_start_page_opens() {
    for (StartPane.Sample sample : StartPane.BUNDLED) {
      TraceView opened =
          Windows.load(window, StartPane.unpack(sample.files()).toArray(String[]::new));

      assertThat(opened.model().timeline().sources()).hasSize(sample.files().size());
    }
    StartPane start =
        Windows.call(() -> new StartPane(java.util.List.of("/x.eddy"), () -> {}, names -> {}));
    assertThat(start.getChildren()).hasSizeGreaterThan(StartPane.BUNDLED.size() + 4);
  }

  private Point2D screen(double x, double y) {
    return Windows.call(() -> window.timeline().localToScreen(x, y));
  }

  @Test
  void the_mouse_selects_drags_and_zooms() {
    robot.push(KeyCode.DIGIT0);
    Windows.settle();
    ChartInput shown = window.timeline().shown();
    int place = view.rows().placeOf(view.model().index().ofStream(1));
    double y = shown.rowTop(place) + 8;
    double x = shown.x(view.model().zeroNs() + 20_000_000);
    robot.clickOn(screen(x, y));
    Windows.settle();
    assertThat(window.panels().detailsText()).startsWith("all-reduce #0");

    robot
        .moveTo(screen(x, y))
        .press(MouseButton.PRIMARY)
        .moveTo(screen(x + 150, y))
        .release(MouseButton.PRIMARY);
    Windows.settle();
    assertThat(view.range()).isNotNull();
    long length = view.range().lengthNs();
    robot
        .moveTo(screen(x + 150, y))
        .press(MouseButton.PRIMARY)
        .moveTo(screen(x + 250, y))
        .release(MouseButton.PRIMARY);
    Windows.settle();
    assertThat(view.range().lengthNs()).isGreaterThan(length);

    Viewport before = view.viewport();
    robot
        .moveTo(screen(x, y))
        .press(MouseButton.SECONDARY)
        .moveTo(screen(x + 100, y))
        .release(MouseButton.SECONDARY);
    Windows.settle();
    assertThat(view.viewport().lengthNs()).isLessThan(before.lengthNs() / 4);
    Viewport zoomed = view.viewport();
    robot.moveTo(screen(x, y)).press(KeyCode.CONTROL).scroll(1).release(KeyCode.CONTROL);
    Windows.settle();
    assertThat(view.viewport().lengthNs()).isNotEqualTo(zoomed.lengthNs());
    robot.clickOn(screen(shown.left() + 10, ChartInput.TITLE + 10));
    Windows.settle();
    assertThat(view.viewport().startNs()).isLessThan(zoomed.startNs());
    robot.doubleClickOn(screen(500, ChartInput.TITLE + ChartInput.OVERVIEW + 8));
    Windows.settle();
    assertThat(view.viewport()).isEqualTo(Viewport.all(view.model().whole()));
  }
}
