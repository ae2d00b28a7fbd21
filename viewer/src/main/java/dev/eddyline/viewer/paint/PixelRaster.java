package dev.eddyline.viewer.paint;

import java.util.Arrays;

/**
 * Fills and patterns in an array of pixels, {@code 0xAARRGGBB} with opaque alpha, row by row from
 * the top. Costs by the pixel, not by the call. Places are physical pixels. One thread at a time.
 */
public final class PixelRaster {
  private static final int OPAQUE = 0xFF;
  private final int width;
  private final int height;
  private final int[] pixels;
  private int clipLeft;
  private int clipTop;
  private int clipRight;
  private int clipBottom;

  /** Wraps an array of at least width × height pixels. */
  public PixelRaster(int width, int height, int[] pixels) {
    this.width = width;
    this.height = height;
    this.pixels = pixels;
    unclip();
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /** The pixels themselves. */
  public int[] pixels() {
    return pixels;
  }

  /** From now on draws inside a rectangle only. */
  public void clip(int left, int top, int right, int bottom) {
    clipLeft = Math.max(0, left);
    clipTop = Math.max(0, top);
    clipRight = Math.min(width, right);
    clipBottom = Math.min(height, bottom);
  }

  /** Draws everywhere again. */
  public void unclip() {
    clip(0, 0, width, height);
  }

  /** Fills a rectangle; right and bottom are outside. */
  public void fill(int left, int top, int right, int bottom, int argb) {
    int x0 = Math.max(left, clipLeft);
    int x1 = Math.min(right, clipRight);
    int y1 = Math.min(bottom, clipBottom);
    if (x0 >= x1) {
      return;
    }
    boolean opaque = argb >>> 24 == OPAQUE;
    for (int y = Math.max(top, clipTop); y < y1; y++) {
      int row = y * width;
      if (!opaque) {
        blend(row + x0, row + x1, argb);
      } else if (x1 - x0 == 1) {
        pixels[row + x0] = argb;
      } else {
        Arrays.fill(pixels, row + x0, row + x1, argb);
      }
    }
  }

  private void blend(int from, int to, int argb) {
    int alpha = argb >>> 24;
    int rest = OPAQUE - alpha;
    for (int i = from; i < to; i++) {
      int under = pixels[i];
      int red = ((argb >> 16 & 0xFF) * alpha + (under >> 16 & 0xFF) * rest) / OPAQUE;
      int green = ((argb >> 8 & 0xFF) * alpha + (under >> 8 & 0xFF) * rest) / OPAQUE;
      int blue = ((argb & 0xFF) * alpha + (under & 0xFF) * rest) / OPAQUE;
      pixels[i] = 0xFF00_0000 | red << 16 | green << 8 | blue;
    }
  }

  /**
   * Draws a pattern over a rectangle; it is fixed to the picture, so that neighbours join.
   *
   * @param unit physical pixels per logical one, at least 1
   */
  public void pattern(
      Painter.Pattern pattern, int left, int top, int right, int bottom, int unit, int argb) {
    int x1 = Math.min(right, clipRight);
    int y1 = Math.min(bottom, clipBottom);
    for (int y = Math.max(top, clipTop); y < y1; y++) {
      for (int x = Math.max(left, clipLeft); x < x1; x++) {
        if (isSet(pattern, x / unit, y / unit)) {
          pixels[y * width + x] = argb;
        }
      }
    }
  }

  /** Whether a pattern has ink at a logical pixel. */
  static boolean isSet(Painter.Pattern pattern, int x, int y) {
    return switch (pattern) {
      case HATCH -> (x + y) % 6 < 2;
      case DOTS -> x % 4 < 2 && y % 4 < 2;
    };
  }
}
