package dev.eddyline.viewer.app;

import dev.eddyline.analysis.report.Millis;
import dev.eddyline.viewer.Picture;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.model.Selections;
import dev.eddyline.viewer.view.Action;
import dev.eddyline.viewer.view.Handlers;
import dev.eddyline.viewer.view.Search;
import dev.eddyline.viewer.view.SessionFile;
import dev.eddyline.viewer.view.TraceView;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javafx.application.Platform;
import javafx.scene.control.ContextMenu;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.stage.FileChooser;
import org.jspecify.annotations.Nullable;

/** Does what users ask for: by itself what needs the window, the rest by {@link Handlers}. */
final class WindowActions {
  private static final double UI_STEP = 1.1;
  private static final List<Action> CONTEXT =
      List.of(
          Action.CENTRE,
          Action.FOLLOW_BACK,
          Action.FOLLOW,
          Action.RANGE_OF_SELECTION,
          Action.ZOOM_RANGE,
          Action.PIN,
          Action.HIDE,
          Action.SOLO,
          Action.MARK,
          Action.COPY_LINK);

  private final ViewerWindow window;
  private @Nullable Handlers handlers;
  private @Nullable ContextMenu menu;

  WindowActions(ViewerWindow window) {
    this.window = window;
  }

  /** From now on actions are for this trace. */
  void show(TraceView view) {
    handlers = new Handlers(view);
  }

  /** Does an action; without a trace those that need one do nothing. */
  void run(Action action) {
    if (general(action) || window.panels().open(action)) {
      return;
    }
    TraceView view = window.view();
    Handlers now = handlers;
    if (view == null || now == null) {
      return;
    }
    if (ofTrace(action, view)) {
      return;
    }
    ChartInput shown = window.timeline().shown();
    double room = shown == null ? 0 : shown.rowsHeight();
    now.run(action, window.anchor(), room);
    if (action == Action.THEME) {
      window.theme(view.theme().dark());
    } else if (action == Action.CLEAR) {
      window.searchField().clear();
    }
  }

  private boolean general(Action action) {
    switch (action) {
      case OPEN -> choose("Open traces, one per rank", window::open);
      case COMPARE -> choose("Compare with", window::compareWith);
      case CANCEL -> window.cancelLoading();
      case QUIT -> window.stage().close();
      case PALETTE -> window.overlays().palette(this::run);
      case HELP -> window.overlays().help();
      case LARGER -> window.uiScale(window.settings().uiScale() * UI_STEP);
      case SMALLER -> window.uiScale(window.settings().uiScale() / UI_STEP);
      case SEARCH -> {
        window.searchField().requestFocus();
        window.searchField().selectAll();
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean ofTrace(Action action, TraceView view) {
    switch (action) {
      case EXPORT ->
          window
              .overlays()
              .ask("Write the view to a file (.png or .svg):", "view.png", this::export);
      case COPY_LINK -> copy(command(view));
      case SAVE_SESSION -> saveSession(view);
      case FIND_ROW ->
          window
              .overlays()
              .ask(
                  "Show rows whose name holds:",
                  view.rowState().filter(),
                  words -> {
                    view.rowState().filter(words);
                    view.layout();
                  });
      case NOTE -> {
        if (!view.marks().isEmpty()) {
          String name = view.marks().get(view.marks().size() - 1).name();
          window.overlays().ask("Note:", name, view::note);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void choose(String title, java.util.function.Consumer<List<String>> open) {
    FileChooser chooser = new FileChooser();
    chooser.setTitle(title);
    List<File> chosen = chooser.showOpenMultipleDialog(window.stage());
    if (chosen != null && !chosen.isEmpty()) {
      open.accept(chosen.stream().map(File::toString).toList());
    }
  }

  /** Writes the view to a file. */
  void export(String name) {
    ChartInput input = window.timeline().shown();
    if (input == null) {
      return;
    }
    if (!Picture.isKnown(name)) {
      window.say(name + ": the name must end in .png or .svg");
      return;
    }
    window
        .background()
        .execute(
            () -> {
              String said;
              try (OutputStream target = Files.newOutputStream(Path.of(name))) {
                Picture.write(input, name, target);
                said = "written: " + Path.of(name).toAbsolutePath();
              } catch (IOException | RuntimeException e) {
                said = name + ": cannot be written: " + e.getMessage();
              }
              String words = said;
              Platform.runLater(() -> window.say(words));
            });
  }

  private String command(TraceView view) {
    String files = window.files().stream().map(Path::toString).collect(Collectors.joining(" "));
    long middle = view.viewport().startNs() + view.viewport().lengthNs() / 2;
    String select = Selections.words(view.selection(), view.model());
    return "eddyline view "
        + files
        + " --at "
        + Millis.of(middle - view.model().zeroNs())
        + "ms --range "
        + view.viewport().lengthNs()
        + "ns"
        + (select.isEmpty() ? "" : " --select " + select);
  }

  private void copy(String text) {
    ClipboardContent content = new ClipboardContent();
    content.putString(text);
    Clipboard.getSystemClipboard().setContent(content);
    window.say("copied: " + text);
  }

  private void saveSession(TraceView view) {
    if (window.files().isEmpty()) {
      return;
    }
    Path file = SessionFile.of(window.files().get(0));
    try {
      SessionFile.write(view, file);
      window.say("session saved: " + file.toAbsolutePath());
    } catch (IOException e) {
      window.say(file + ": cannot be written: " + e.getMessage());
    }
  }

  /** Searches for words, and goes to the next hit where they are those searched for already. */
  void searchNext(String words, int step) {
    TraceView view = window.view();
    if (view == null) {
      return;
    }
    Search found = view.search();
    if (words.isBlank()) {
      view.search(null);
    } else if (found != null && found.words().equals(words.strip())) {
      view.nextHit(step);
    } else {
      String stripped = words.strip();
      window
          .background()
          .execute(
              () -> {
                Search fresh = Search.of(view.model(), stripped);
                Platform.runLater(
                    () -> {
                      if (view == window.view()) {
                        view.search(fresh);
                        view.nextHit(step);
                      }
                    });
              });
    }
  }

  /** Opens the menu of the timeline; all that is in it has a key too. */
  void contextMenu(double screenX, double screenY) {
    ContextMenu old = menu;
    if (old != null) {
      old.hide();
    }
    ContextMenu fresh = Menus.context(CONTEXT, this::run);
    menu = fresh;
    fresh.show(window.timeline(), screenX, screenY);
  }
}
