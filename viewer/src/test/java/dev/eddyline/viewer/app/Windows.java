package dev.eddyline.viewer.app;

import dev.eddyline.viewer.paint.PngWriter;
import dev.eddyline.viewer.view.TraceView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javafx.scene.image.WritableImage;
import javafx.stage.Stage;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/** Opens the real window without a display. */
final class Windows {
  static {
    System.setProperty("testfx.robot", "glass");
    if (System.getenv("DISPLAY") == null) {
      System.setProperty("testfx.headless", "true");
      System.setProperty("headless.geometry", "1600x900-32");
    }
    System.setProperty("prism.order", "sw");
    System.setProperty("prism.text", "t2k");
    System.setProperty("java.awt.headless", "true");
  }

  private Windows() {}

  /** Asks for Monocle and software rendering before the toolkit starts. */
  static void useNoDisplay() {
    assert System.getenv("DISPLAY") != null || Boolean.getBoolean("testfx.headless");
  }

  static ViewerWindow open(Path settings, int width, int height) throws TimeoutException {
    System.setProperty("eddyline.viewer.settings", settings.toString());
    Stage stage = FxToolkit.registerPrimaryStage();
    ViewerWindow window =
        call(
            () -> {
              ViewerWindow made = new ViewerWindow(stage);
              stage.setX(0);
              stage.setY(0);
              stage.setWidth(width);
              stage.setHeight(height);
              stage.show();
              return made;
            });
    WaitForAsyncUtils.waitForFxEvents();
    return window;
  }

  static TraceView load(ViewerWindow window, String... files) {
    CompletableFuture<TraceView> opened = new CompletableFuture<>();
    call(
        () -> {
          window.onOpened(opened::complete);
          window.open(List.of(files));
          return true;
        });
    try {
      TraceView view = opened.get(60, TimeUnit.SECONDS);
      settle();
      return view;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  static void settle() {
    WaitForAsyncUtils.waitForFxEvents();
  }

  static <T> T call(Callable<T> work) {
    return WaitForAsyncUtils.waitForAsyncFx(60_000, work);
  }

  static void screenshot(ViewerWindow window, Path file) throws IOException {
    settle();
    int[][] size = new int[1][];
    int[] pixels =
        call(
            () -> {
              window.timeline().draw();
              WritableImage image = window.stage().getScene().snapshot(null);
              int width = (int) image.getWidth();
              int height = (int) image.getHeight();
              size[0] = new int[] {width, height};
              int[] read = new int[width * height];
              image
                  .getPixelReader()
                  .getPixels(
                      0,
                      0,
                      width,
                      height,
                      javafx.scene.image.PixelFormat.getIntArgbInstance(),
                      read,
                      0,
                      width);
              return read;
            });
    try (OutputStream target = Files.newOutputStream(file)) {
      PngWriter.write(size[0][0], size[0][1], pixels, target);
    }
  }
}
