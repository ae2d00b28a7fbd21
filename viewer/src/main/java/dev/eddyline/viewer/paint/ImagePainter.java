package dev.eddyline.viewer.paint;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.CubicCurve2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Draws into a picture in memory, without a window system: areas with {@link PixelRaster}, letters
 * and curves with Java 2D. The only class that knows AWT.
 */
public final class ImagePainter implements Painter {
  private static final Font FONT = font();
  private final BufferedImage image;
  private final PixelRaster raster;
  private final Graphics2D graphics;
  private final double scale;

  /**
   * An empty picture.
   *
   * @param scale physical pixels per logical one
   */
  public ImagePainter(int width, int height, double scale) {
    this.scale = scale;
    int w = (int) Math.round(width * scale);
    int h = (int) Math.round(height * scale);
    image = new BufferedImage(w, h, BufferedImage.TYPE_INT_RGB);
    raster = new PixelRaster(w, h, ((DataBufferInt) image.getRaster().getDataBuffer()).getData());
    graphics = image.createGraphics();
    graphics.scale(scale, scale);
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
  }

  private static Font font() {
    // No window is ever opened from here, and a server has no display.
    System.setProperty("java.awt.headless", "true");
    try (InputStream source = FontWidths.open()) {
      return Font.createFont(Font.TRUETYPE_FONT, source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FontFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the picture as PNG. */
  public void writePng(OutputStream target) throws IOException {
    PngWriter.write(image.getWidth(), image.getHeight(), raster.pixels(), target);
  }

  /** The pixels, {@code 0x00RRGGBB} in the lower bits, row by row. */
  public int[] pixels() {
    return raster.pixels().clone();
  }

  private int physical(double value) {
    return (int) Math.round(value * scale);
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
    graphics.setColor(new Color(argb, true));
    graphics.setFont(FONT.deriveFont((float) size));
    graphics.drawString(text, (float) x, (float) y);
  }

  @Override
  public void curve(Curve c, Stroke stroke, boolean head, int argb) {
    graphics.setColor(new Color(argb, true));
    float width = (float) Painter.width(stroke);
    float[] dash = {(float) DASH, (float) DASH_GAP};
    graphics.setStroke(
        Painter.isDashed(stroke)
            ? new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0)
            : new BasicStroke(width));
    graphics.draw(
        new CubicCurve2D.Double(c.x0(), c.y0(), c.x1(), c.y1(), c.x2(), c.y2(), c.x3(), c.y3()));
    if (head) {
      double[] p = c.head(HEAD);
      Path2D.Double path = new Path2D.Double();
      path.moveTo(p[0], p[1]);
      path.lineTo(p[2], p[3]);
      path.lineTo(p[4], p[5]);
      path.closePath();
      graphics.fill(path);
    }
  }

  @Override
  public void clip(double x, double y, double width, double height) {
    raster.clip(physical(x), physical(y), physical(x + width), physical(y + height));
    graphics.setClip(null);
    graphics.clip(new java.awt.geom.Rectangle2D.Double(x, y, width, height));
  }

  @Override
  public void unclip() {
    raster.unclip();
    graphics.setClip(null);
  }
}
