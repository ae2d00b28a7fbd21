package dev.eddyline.viewer.app;

import dev.eddyline.viewer.paint.FontWidths;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.paint.PixelRaster;
import java.util.HashMap;
import java.util.Map;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;

/**
 * Draws into a window: areas into pixels, where they cost by the pixel; words and curves on a
 * canvas above. FX thread only.
 */
final class FxPainter implements Painter {
  private final Map<Double, Font> fonts = new HashMap<>();
  private final Map<Integer, Color> colours = new HashMap<>();
  private final PixelRaster raster;
  private final GraphicsContext canvas;
  private final double scale;
  private boolean clipped;

  FxPainter(PixelRaster raster, GraphicsContext canvas, double scale) {
    this.raster = raster;
    this.canvas = canvas;
    this.scale = scale;
  }

  private int physical(double value) {
    return (int) Math.round(value * scale);
  }

  private Color colour(int argb) {
    return colours.computeIfAbsent(
        argb, c -> Color.rgb(c >> 16 & 0xFF, c >> 8 & 0xFF, c & 0xFF, (c >>> 24) / 255.0));
  }

  @Override
  public void fill(double x, double y, double width, double height, int argb) {
    raster.fill(physical(x), physical(y), physical(x + width), physical(y + height), argb);
  }

  @Override
  public void pattern(Pattern pattern, double x, double y, double width, double height, int argb) {
    int unit = (int) Math.max(1, Math.round(scale));
    raster.pattern(
        pattern, physical(x), physical(y), physical(x + width), physical(y + height), unit, argb);
  }

  @Override
  public void text(double x, double y, double size, String text, int argb) {
    canvas.setFont(fonts.computeIfAbsent(size, FxPainter::font));
    canvas.setFill(colour(argb));
    canvas.fillText(text, x, y);
  }

  /** The font that comes with the viewer; the system's where it cannot be loaded. */
  static Font font(double size) {
    Font loaded = Font.loadFont(FontWidths.open(), size);
    return loaded == null ? Font.font(size) : loaded;
  }

  @Override
  public void curve(Curve c, Stroke stroke, boolean head, int argb) {
    canvas.setStroke(colour(argb));
    canvas.setLineWidth(Painter.width(stroke));
    if (Painter.isDashed(stroke)) {
      canvas.setLineDashes(DASH, DASH_GAP);
    } else {
      canvas.setLineDashes();
    }
    canvas.beginPath();
    canvas.moveTo(c.x0(), c.y0());
    canvas.bezierCurveTo(c.x1(), c.y1(), c.x2(), c.y2(), c.x3(), c.y3());
    canvas.stroke();
    if (head) {
      double[] p = c.head(HEAD);
      canvas.setFill(colour(argb));
      canvas.fillPolygon(new double[] {p[0], p[2], p[4]}, new double[] {p[1], p[3], p[5]}, 3);
    }
  }

  @Override
  public void clip(double x, double y, double width, double height) {
    unclip();
    raster.clip(physical(x), physical(y), physical(x + width), physical(y + height));
    canvas.save();
    canvas.beginPath();
    canvas.rect(Math.rint(x), Math.rint(y), Math.rint(width), Math.rint(height));
    canvas.clip();
    clipped = true;
  }

  @Override
  public void unclip() {
    raster.unclip();
    if (clipped) {
      canvas.restore();
      clipped = false;
    }
  }
}
