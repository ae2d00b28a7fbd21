package dev.eddyline.viewer.paint;

/**
 * What drawings are made of. Places are logical pixels from the top left; colours are {@code
 * 0xAARRGGBB}. Text and arrows may lie above all filled areas, whatever the order of calls. One
 * thread at a time.
 */
public interface Painter {
  /** A pattern that tells areas apart without colour. */
  enum Pattern {
    /** Diagonal lines: the host was held. */
    HATCH,
    /** Dots: ready, not started. */
    DOTS
  }

  /** How a line is drawn. */
  enum Stroke {
    /** A thin solid line. */
    SOLID,
    /** A heavier solid line. */
    STRONG,
    /** A thin dashed line. */
    DASHED,
    /** A heavier dashed line. */
    STRONG_DASHED
  }

  /** Fills a rectangle. */
  void fill(double x, double y, double width, double height, int argb);

  /** Draws a pattern over a rectangle. */
  void pattern(Pattern pattern, double x, double y, double width, double height, int argb);

  /** Writes text in the font of {@link FontWidths}; {@code y} is its base line. */
  void text(double x, double y, double size, String text, int argb);

  /**
   * Draws a curve, with an arrow's head at its end where {@code head} is set. The head points
   * upwards, downwards or sideways, along the last piece of the curve.
   */
  void curve(Curve curve, Stroke stroke, boolean head, int argb);

  /** From now on draws inside a rectangle only, until {@link #unclip}. Does not nest. */
  void clip(double x, double y, double width, double height);

  /** Draws everywhere again. */
  void unclip();

  /**
   * A cubic curve.
   *
   * @param x0 begin
   * @param y0 begin
   * @param x1 first control point
   * @param y1 first control point
   * @param x2 second control point
   * @param y2 second control point
   * @param x3 end
   * @param y3 end
   */
  record Curve(
      double x0, double y0, double x1, double y1, double x2, double y2, double x3, double y3) {
    /** A straight line. */
    public static Curve line(double x0, double y0, double x3, double y3) {
      return new Curve(x0, y0, x0, y0, x3, y3, x3, y3);
    }

    /** The three corners of an arrow's head at the end, x and y by turns. */
    public double[] head(double size) {
      double dx = x3 - x2;
      double dy = y3 - y2;
      if (dx == 0 && dy == 0) {
        dx = x3 - x0;
        dy = y3 - y0;
      }
      double length = Math.max(1e-9, Math.hypot(dx, dy));
      double ux = dx / length * size;
      double uy = dy / length * size;
      return new double[] {
        x3, y3, x3 - ux - uy / 2, y3 - uy + ux / 2, x3 - ux + uy / 2, y3 - uy - ux / 2
      };
    }
  }

  /** Width of a stroke in logical pixels. */
  static double width(Stroke stroke) {
    return stroke == Stroke.SOLID || stroke == Stroke.DASHED ? 1.2 : 2;
  }

  /** Whether a stroke is dashed. */
  static boolean isDashed(Stroke stroke) {
    return stroke == Stroke.DASHED || stroke == Stroke.STRONG_DASHED;
  }

  /** Length of a dash. */
  double DASH = 5;

  /** Length of the gap behind a dash. */
  double DASH_GAP = 4;

  /** Length of an arrow's head. */
  double HEAD = 8;
}
