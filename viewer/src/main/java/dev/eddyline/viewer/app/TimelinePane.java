package dev.eddyline.viewer.app;

import dev.eddyline.viewer.chart.Chart;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.paint.PixelRaster;
import dev.eddyline.viewer.view.TraceView;
import java.nio.IntBuffer;
import javafx.animation.AnimationTimer;
import javafx.animation.PauseTransition;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.image.ImageView;
import javafx.scene.image.PixelBuffer;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.Pane;
import javafx.scene.paint.Color;
import javafx.stage.Window;
import javafx.util.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The picture in the window. A change marks it dirty; it is drawn at most once per pulse: areas
 * into a pixel buffer, words and arrows on a canvas above, what follows the mouse on a second one.
 */
final class TimelinePane extends Pane {
  private static final double LABELS = 230;
  private static final int LARGEST_SIDE = 4096;
  private static final double STILL_AFTER_MS = 100;

  private final ImageView areas = new ImageView();
  private final Canvas words = new Canvas();
  private final Canvas hover = new Canvas();
  private final PauseTransition still = new PauseTransition(Duration.millis(STILL_AFTER_MS));
  private final AnimationTimer pulse =
      new AnimationTimer() {
        @Override
        public void handle(long now) {
          draw();
        }
      };
  private @Nullable TraceView view;
  private @Nullable ChartInput shown;
  private @Nullable PixelBuffer<IntBuffer> buffer;
  private int[] pixels = {};
  private int pixelWidth;
  private int pixelHeight;
  private double labelColumn = LABELS;
  private double uiScale = 1;
  private boolean dirty = true;
  private boolean first = true;
  private double mouseX = -1;
  private double mouseY = -1;
  private String tip = "";

  TimelinePane() {
    getChildren().addAll(areas, words, hover);
    setFocusTraversable(true);
    setAccessibleRole(AccessibleRole.IMAGE_VIEW);
    tell("nothing selected");
    setMinSize(200, 120);
    widthProperty().addListener(o -> resized());
    heightProperty().addListener(o -> resized());
    still.setOnFinished(
        e -> {
          TraceView now = view;
          if (now != null) {
            now.moving(false);
          }
        });
    pulse.start();
  }

  /** Says to screen readers what is selected. */
  void tell(String selected) {
    setAccessibleText(
        "Timeline: " + selected + ". The events table, Ctrl+2, holds the slices in view as text.");
  }

  /** Shows a trace. */
  void show(TraceView next) {
    view = next;
    first = true;
    next.onChange(() -> dirty = true);
    resized();
  }

  @Nullable TraceView view() {
    return view;
  }

  /** What is drawn, as it was last drawn. */
  @Nullable ChartInput shown() {
    return shown;
  }

  /** Redraws at the next pulse. */
  void invalidate() {
    dirty = true;
  }

  /** Stops drawing for good. */
  void stop() {
    pulse.stop();
  }

  /** Enlarges letters and rows. */
  void uiScale(double factor) {
    uiScale = factor;
    resized();
  }

  /** Width of the column with the names of rows, logical pixels of the picture. */
  void labelColumn(double width) {
    labelColumn = Math.max(60, Math.min(width, logicalWidth() - 100));
    dirty = true;
  }

  double labelColumn() {
    return labelColumn;
  }

  /** Place in the picture of a place in the pane. */
  double logical(double place) {
    return place / uiScale;
  }

  private double logicalWidth() {
    return Math.max(1, Math.floor(getWidth() / uiScale));
  }

  private double logicalHeight() {
    return Math.max(1, Math.floor(getHeight() / uiScale));
  }

  private double renderScale() {
    Window window = getScene() == null ? null : getScene().getWindow();
    double output = window == null ? 1 : window.getOutputScaleX();
    double most = LARGEST_SIDE / Math.max(1, Math.max(getWidth(), getHeight()));
    return Math.min(output, Math.max(1, most)) * uiScale;
  }

  private void resized() {
    TraceView now = view;
    if (now == null || getWidth() < 1 || getHeight() < 1) {
      return;
    }
    double rows = logicalHeight() - ChartInput.ROWS_TOP - ChartInput.LEGEND;
    now.resize(rows, first);
    first = false;
    dirty = true;
  }

  /** Says that the view moves: few words until it stands still. */
  void moves() {
    TraceView now = view;
    if (now != null) {
      now.moving(true);
      still.playFromStart();
    }
  }

  /** Draws now, if there is something new; for the pulse, and for measuring. */
  void draw() {
    TraceView now = view;
    if (!dirty || now == null || getWidth() < 1 || getHeight() < 1) {
      return;
    }
    dirty = false;
    int width = (int) logicalWidth();
    int height = (int) logicalHeight();
    double scale = renderScale();
    PixelBuffer<IntBuffer> target = buffer(width, height, scale);
    ChartInput input = now.input(width, height, scale, labelColumn);
    GraphicsContext canvas = words.getGraphicsContext2D();
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    canvas.clearRect(0, 0, words.getWidth(), words.getHeight());
    canvas.setTransform(uiScale, 0, 0, uiScale, 0, 0);
    PixelRaster raster = new PixelRaster(pixelWidth, pixelHeight, pixels);
    Chart.paint(input, new FxPainter(raster, canvas, scale));
    target.updateBuffer(b -> null);
    shown = input;
    drawHover();
  }

  private PixelBuffer<IntBuffer> buffer(int width, int height, double scale) {
    int w = (int) Math.max(1, Math.round(width * scale));
    int h = (int) Math.max(1, Math.round(height * scale));
    PixelBuffer<IntBuffer> old = buffer;
    if (old != null && w == pixelWidth && h == pixelHeight) {
      return old;
    }
    pixelWidth = w;
    pixelHeight = h;
    pixels = new int[w * h];
    PixelBuffer<IntBuffer> fresh =
        new PixelBuffer<>(w, h, IntBuffer.wrap(pixels), PixelFormat.getIntArgbPreInstance());
    buffer = fresh;
    areas.setImage(new WritableImage(fresh));
    areas.setFitWidth(width * uiScale);
    areas.setFitHeight(height * uiScale);
    words.setWidth(getWidth());
    words.setHeight(getHeight());
    hover.setWidth(getWidth());
    hover.setHeight(getHeight());
    return fresh;
  }

  /** Follows the mouse: a line through all rows and a few words; places in the picture. */
  void hover(double x, double y, String words) {
    mouseX = x;
    mouseY = y;
    tip = words;
    drawHover();
  }

  private void drawHover() {
    GraphicsContext canvas = hover.getGraphicsContext2D();
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    canvas.clearRect(0, 0, hover.getWidth(), hover.getHeight());
    ChartInput input = shown;
    if (input == null || mouseX < 0) {
      return;
    }
    canvas.setTransform(uiScale, 0, 0, uiScale, 0, 0);
    boolean dark = input.options().theme().dark();
    Color ink = dark ? Color.web("#ffffff", 0.35) : Color.web("#000000", 0.35);
    if (mouseX >= input.left()) {
      canvas.setFill(ink);
      canvas.fillRect(Math.floor(mouseX), ChartInput.ROWS_TOP, 1, input.rowsHeight());
    }
    if (!tip.isEmpty()) {
      double width = dev.eddyline.viewer.paint.FontWidths.get().width(tip, 11) + 12;
      double x = Math.max(0, Math.min(mouseX + 12, input.width() - width));
      double y = Math.min(mouseY + 16, input.height() - 24);
      canvas.setFill(dark ? Color.web("#f2f4f7") : Color.web("#1b212a"));
      canvas.fillRoundRect(x, y, width, 20, 6, 6);
      canvas.setFill(dark ? Color.web("#0a0d12") : Color.web("#ffffff"));
      canvas.setFont(FxPainter.font(11));
      canvas.fillText(tip, x + 6, y + 14);
    }
  }

  @Override
  protected void layoutChildren() {
    areas.relocate(0, 0);
    words.relocate(0, 0);
    hover.relocate(0, 0);
  }
}
