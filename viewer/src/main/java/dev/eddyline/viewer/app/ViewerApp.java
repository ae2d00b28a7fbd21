package dev.eddyline.viewer.app;

import dev.eddyline.viewer.view.SessionFile;
import dev.eddyline.viewer.view.TraceView;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javafx.application.Application;
import javafx.stage.Stage;

/** The application. */
public final class ViewerApp extends Application {
  /**
   * What to open.
   *
   * @param files traces; none for the start page
   * @param then told of the first trace once it is open, on the FX thread
   */
  public record Start(List<String> files, Consumer<TraceView> then) {}

  private static Start start = new Start(List.of(), view -> {});

  /** JavaFX warns of every start from a class path; kept so that the setting is not collected. */
  private static final Logger JAVAFX = Logger.getLogger("javafx");

  /** Opens a window and returns when it is closed. */
  public static void open(Start what) {
    start = what;
    JAVAFX.setLevel(Level.SEVERE);
    Application.launch(ViewerApp.class);
  }

  @Override
  public void start(Stage stage) {
    ViewerWindow window = new ViewerWindow(stage);
    Start what = start;
    window.onOpened(
        view -> {
          restore(window, view);
          window.onOpened(later -> restore(window, later));
          what.then().accept(view);
        });
    stage.show();
    if (!what.files().isEmpty()) {
      window.open(what.files());
    }
  }

  /** Brings back the session that lies beside the trace, if there is one. */
  static void restore(ViewerWindow window, TraceView view) {
    var session = SessionFile.of(window.files().get(0));
    if (Files.isRegularFile(session)) {
      try {
        SessionFile.read(view, session);
        window.say("session of " + session.getFileName());
      } catch (IOException e) {
        window.say(String.valueOf(e.getMessage()));
      }
    }
  }
}
