package dev.eddyline.viewer.app;

import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.view.TraceView;
import java.nio.file.Files;
import java.nio.file.Path;
import javafx.geometry.Point2D;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import org.testfx.api.FxRobot;

/**
 * A walk through the real window with keys and mouse, on a display where there is one ({@code
 * .ci/viewer} brings one): opens samples, presses documented keys, and takes the pictures of the
 * documentation on the way. Fails where a key does not do what the page says.
 */
public final class Shots {
  private static final FxRobot ROBOT = new FxRobot();

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

    ROBOT.write("[");
    check(window.view().selection() instanceof Selection.OfOp, "[ goes to the op before");
    ROBOT.write("]");
    check(window.view().selection() instanceof Selection.OfCall, "] goes to the call it let go");
    long length = view.viewport().lengthNs();
    press(KeyCode.W);
    check(view.viewport().lengthNs() < length, "W zooms in");
    press(KeyCode.CONTROL, KeyCode.DIGIT3);
    check(window.panels().isOpen(dev.eddyline.viewer.view.Action.DEPENDENCIES_TAB), "Ctrl+3");
    Windows.screenshot(window, folder.resolve("viewer-dependencies.png"));
    press(KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.P);
    check(window.overlays().isOpen(), "Ctrl+Shift+P opens the palette");
    Windows.screenshot(window, folder.resolve("viewer-palette.png"));
    press(KeyCode.ESCAPE);
    check(!window.overlays().isOpen(), "Esc closes it");
    Point2D middle = Windows.call(() -> window.timeline().localToScreen(500, 300));
    ROBOT.clickOn(middle, MouseButton.SECONDARY);
    Windows.settle();
    check(ROBOT.listWindows().size() > 1, "a right click opens the menu");
    System.out.println("viewer: all as documented");
    System.exit(0);
  }

  private static void press(KeyCode... keys) {
    ROBOT.push(keys);
    Windows.settle();
  }

  private static void check(boolean so, String what) {
    if (!so) {
      System.out.println("viewer: not so: " + what);
      System.exit(1);
    }
    System.out.println("viewer: " + what);
  }
}
