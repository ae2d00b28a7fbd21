package dev.eddyline.viewer.app;

import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.paint.Theme;
import dev.eddyline.viewer.view.Action;
import dev.eddyline.viewer.view.TraceView;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javafx.application.Application;
import javafx.geometry.Insets;
import javafx.geometry.Orientation;
import javafx.geometry.Pos;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.SplitPane;
import javafx.scene.control.TextField;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.DragEvent;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.Stage;
import org.jspecify.annotations.Nullable;

/** The window: puts the parts together and passes on keys, files and messages. FX thread only. */
public final class ViewerWindow {
  private final Stage stage;
  private final Settings settings;
  private final ExecutorService background =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "eddyline-viewer-work");
            thread.setDaemon(true);
            return thread;
          });
  private final TimelinePane timeline = new TimelinePane();
  private final Panels panels;
  private final FindingsPane findings;
  private final TraceLoader loader = new TraceLoader();
  private final BorderPane main = new BorderPane();
  private final StackPane root = new StackPane(main);
  private final Overlays overlays;
  private final SplitPane centre;
  private final Label message = new Label();
  private final HBox banner = new HBox(10);
  private final ProgressBar progress = new ProgressBar();
  private final Label status = new Label();
  private final HBox loading = new HBox(10);
  private final Label chips = new Label();
  private final Label hits = new Label();
  private final TextField search = new TextField();
  private final WindowActions actions;
  private final TimelineMouse mouse;
  private List<Path> files = List.of();
  private Consumer<TraceView> whenOpened = view -> {};

  /** An empty window. */
  public ViewerWindow(Stage stage) {
    this.stage = stage;
    this.settings = new Settings(Settings.place());
    overlays = new Overlays(root, timeline::requestFocus);
    findings = new FindingsPane(this::jump);
    panels = new Panels(background, this::jump, this::goTo, timeline::tell);
    actions = new WindowActions(this);
    mouse = new TimelineMouse(timeline, actions::contextMenu);
    SplitPane above = new SplitPane(timeline, findings);
    above.setDividerPositions(0.78);
    SplitPane.setResizableWithParent(findings, false);
    centre = new SplitPane(above, panels.node());
    centre.setOrientation(Orientation.VERTICAL);
    centre.setDividerPositions(0.66);
    main.setTop(new VBox(Menus.bar(actions::run), toolbar(), banner, loading));
    main.setCenter(new StartPane(settings.recent(), () -> actions.run(Action.OPEN), this::open));
    bannerAndProgress();
    Scene scene = new Scene(root, 1400, 860);
    scene.addEventFilter(KeyEvent.KEY_PRESSED, this::key);
    scene.addEventFilter(KeyEvent.KEY_TYPED, this::key);
    root.setOnDragOver(ViewerWindow::dragOver);
    root.setOnDragDropped(this::dropped);
    stage.setScene(scene);
    stage.setTitle("Eddyline");
    stage.setOnHidden(e -> close());
    stylesheet();
    uiScale(settings.uiScale());
    Thread.currentThread()
        .setUncaughtExceptionHandler((thread, fault) -> say("internal error: " + fault));
  }

  private HBox toolbar() {
    search.setId("search");
    search.setPromptText("search names  ( / )");
    search.setPrefColumnCount(22);
    search.setOnAction(e -> actions.searchNext(search.getText(), 1));
    hits.setId("hits");
    Button whole = new Button("Whole trace");
    whole.setOnAction(e -> actions.run(Action.WHOLE));
    Button back = new Button("First finding");
    back.setOnAction(e -> jump(new Selection.OfFinding(0, 0)));
    chips.setId("chips");
    chips.setOnMouseClicked(e -> actions.run(Action.SHOW_ALL));
    Region space = new Region();
    HBox.setHgrow(space, Priority.ALWAYS);
    HBox bar = new HBox(8, whole, back, chips, space, hits, search);
    bar.setAlignment(Pos.CENTER_LEFT);
    bar.setPadding(new Insets(4, 8, 4, 8));
    return bar;
  }

  private void bannerAndProgress() {
    message.setId("message");
    message.setWrapText(true);
    HBox.setHgrow(message, Priority.ALWAYS);
    Button dismiss = new Button("Dismiss");
    dismiss.setOnAction(e -> say(""));
    banner.getChildren().addAll(message, dismiss);
    banner.getStyleClass().add("banner");
    banner.setPadding(new Insets(6, 8, 6, 8));
    banner.setAlignment(Pos.CENTER_LEFT);
    status.setId("status");
    progress.setPrefWidth(300);
    Button cancel = new Button("Cancel");
    cancel.setId("cancel");
    cancel.setOnAction(e -> actions.run(Action.CANCEL));
    loading.getChildren().addAll(progress, status, cancel);
    loading.setPadding(new Insets(6, 8, 6, 8));
    loading.setAlignment(Pos.CENTER_LEFT);
    showIf(banner, false);
    showIf(loading, false);
  }

  private static void showIf(Region part, boolean visible) {
    part.setVisible(visible);
    part.setManaged(visible);
  }

  /** Opens traces; what is open stays until they are read. */
  public void open(List<String> names) {
    say("");
    loader.open(names, new Opening(false));
  }

  /** Opens traces to compare with. */
  void compareWith(List<String> names) {
    say("");
    loader.open(names, new Opening(true));
  }

  /** Called on the FX thread with every trace that was opened. */
  public void onOpened(Consumer<TraceView> listener) {
    whenOpened = listener;
  }

  private final class Opening implements TraceLoader.Listener {
    private final boolean compares;

    Opening(boolean compares) {
      this.compares = compares;
    }

    @Override
    public void progress(double share, String words) {
      showIf(loading, true);
      progress.setProgress(share);
      status.setText(words);
    }

    @Override
    public void opened(TraceModel model, List<Path> opened) {
      showIf(loading, false);
      if (compares) {
        panels.compare(model);
      } else {
        files = opened;
        show(new TraceView(model));
        opened.forEach(file -> settings.opened(file.toAbsolutePath().toString()));
      }
    }

    @Override
    public void failed(String why) {
      showIf(loading, false);
      say(why);
    }
  }

  /** Stops loading. */
  void cancelLoading() {
    loader.cancel();
    showIf(loading, false);
  }

  private void show(TraceView view) {
    main.setCenter(centre);
    stage.setTitle(view.model().name() + " - Eddyline");
    view.theme(settings.dark() ? Theme.DARK : Theme.LIGHT);
    actions.show(view);
    timeline.show(view);
    view.onChange(() -> changed(view));
    findings.show(view.model());
    panels.show(view);
    changed(view);
    timeline.requestFocus();
    whenOpened.accept(view);
  }

  private void changed(TraceView view) {
    timeline.invalidate();
    findings.follow(view);
    panels.refresh();
    String filter = view.rowState().filter();
    chips.setText(
        view.rowState().isFiltered()
            ? "rows filtered" + (filter.isEmpty() ? "" : ": " + filter) + "   (clear: Ctrl+H)"
            : "");
    var found = view.search();
    hits.setText(
        found == null
            ? ""
            : found.size() == 0
                ? "nothing found"
                : (view.hit() < 0 ? "" : view.hit() + 1 + " of ") + found.size());
  }

  private void jump(Selection selection) {
    TraceView view = timeline.view();
    if (view != null && !selection.equals(Selection.NONE)) {
      view.jump(selection);
    }
  }

  private void goTo(long timeNs) {
    TraceView view = timeline.view();
    if (view != null) {
      view.show(view.viewport().centred(timeNs));
    }
  }

  private void key(KeyEvent event) {
    Action action = Keys.of(event);
    if (action == null || overlays.isOpen() && action != Action.CLEAR) {
      return;
    }
    if (overlays.isOpen()) {
      overlays.close();
      event.consume();
      return;
    }
    boolean typing = stage.getScene().getFocusOwner() instanceof TextInputControl;
    boolean plain = !event.isControlDown() && !event.isAltDown() && !event.isMetaDown();
    boolean function = event.getCode().isFunctionKey();
    if (typing && plain && !function && action != Action.CLEAR) {
      return;
    }
    boolean elsewhere = !typing && !(stage.getScene().getFocusOwner() instanceof TimelinePane);
    if (elsewhere && plain && Keys.movesInTables(action)) {
      return;
    }
    if (typing && action == Action.CLEAR) {
      timeline.requestFocus();
    }
    actions.run(action);
    event.consume();
  }

  private static void dragOver(DragEvent event) {
    if (event.getDragboard().hasFiles()) {
      event.acceptTransferModes(TransferMode.COPY);
    }
    event.consume();
  }

  private void dropped(DragEvent event) {
    boolean any = event.getDragboard().hasFiles();
    if (any) {
      open(event.getDragboard().getFiles().stream().map(Object::toString).toList());
    }
    event.setDropCompleted(any);
    event.consume();
  }

  /** Shows a message for the user above the timeline; "" takes it away. */
  void say(String words) {
    message.setText(words);
    showIf(banner, !words.isEmpty());
  }

  /** Sets light or dark for the controls and the picture. */
  void theme(boolean dark) {
    settings.dark(dark);
    stylesheet();
  }

  private void stylesheet() {
    String sheet =
        settings.dark()
            ? new atlantafx.base.theme.PrimerDark().getUserAgentStylesheet()
            : new atlantafx.base.theme.PrimerLight().getUserAgentStylesheet();
    Application.setUserAgentStylesheet(sheet);
    String css = ViewerWindow.class.getResource("viewer.css").toExternalForm();
    stage.getScene().getStylesheets().setAll(css);
  }

  /** Enlarges letters everywhere. */
  void uiScale(double factor) {
    settings.uiScale(factor);
    double size = 13 * settings.uiScale();
    root.setStyle("-fx-font-size: " + size + "px;");
    timeline.uiScale(settings.uiScale());
  }

  Settings settings() {
    return settings;
  }

  Stage stage() {
    return stage;
  }

  TimelinePane timeline() {
    return timeline;
  }

  Panels panels() {
    return panels;
  }

  Overlays overlays() {
    return overlays;
  }

  TextField searchField() {
    return search;
  }

  /** The files that are open. */
  List<Path> files() {
    return files;
  }

  java.util.concurrent.Executor background() {
    return background;
  }

  /** Time under the mouse, else of the middle of the view. */
  long anchor() {
    ChartInput input = timeline.shown();
    return input == null ? 0 : mouse.anchor(input);
  }

  /** The trace that is open, or null. */
  @Nullable TraceView view() {
    return timeline.view();
  }

  /** Does an action, as its key does. */
  public void run(Action action) {
    actions.run(action);
  }

  private void close() {
    loader.cancel();
    timeline.stop();
    background.shutdownNow();
  }
}
