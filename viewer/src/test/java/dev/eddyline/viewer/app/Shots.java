package dev.eddyline.viewer.app;

import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.view.Action;
import dev.eddyline.viewer.view.TraceView;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes the pictures of the documentation from the real window. */
public final class Shots {
  private Shots() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Files.createDirectories(folder);
    Path settings = Files.createTempDirectory("shots").resolve("viewer.properties");
    ViewerWindow window = Windows.open(settings, 1280, 720);
    Windows.screenshot(window, folder.resolve("viewer-start.png"));
    Windows.load(window, Samples.FOLDER + Samples.BEFORE);
    Windows.screenshot(window, folder.resolve("viewer-first-glance.png"));
    TraceView view = Windows.load(window, Samples.FOLDER + Samples.POOL);
    Windows.screenshot(window, folder.resolve("viewer-chain.png"));
    Windows.call(
        () -> {
          window.run(Action.DEPENDENCIES_TAB);
          return true;
        });
    Thread.sleep(500);
    Windows.screenshot(window, folder.resolve("viewer-dependencies.png"));
    Windows.call(
        () -> {
          window.run(Action.PALETTE);
          view.jump(view.selection());
          return true;
        });
    Windows.screenshot(window, folder.resolve("viewer-palette.png"));
    System.exit(0);
  }
}
