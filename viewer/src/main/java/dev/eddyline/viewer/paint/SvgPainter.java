package dev.eddyline.viewer.paint;

import java.util.Locale;

/** Draws into an SVG document. Neighbouring columns of one colour become one rectangle. */
public final class SvgPainter implements Painter {
  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;
  private int clips;
  private boolean clipped;

  public SvgPainter(int width, int height) {
    this.width = width;
    this.height = height;
  }

  /** The whole document. */
  public String document() {
    String font = "font-family=\"" + FontWidths.FAMILY + ", DejaVu Sans, sans-serif\"";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
        + width
        + "\" height=\""
        + height
        + "\" viewBox=\"0 0 "
        + width
        + " "
        + height
        + "\" "
        + font
        + ">\n"
        + "<defs>\n"
        + "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path"
        + " d=\"M-1 7 L7 -1 M-1 1 L1 -1 M5 7 L7 5\" stroke=\"#fff\""
        + " stroke-width=\"1.5\"/></pattern>\n"
        + "<pattern id=\"dots\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\"><rect"
        + " width=\"2\" height=\"2\" fill=\"#fff\"/></pattern>\n"
        + "<mask id=\"hatch-mask\"><rect width=\"100%\" height=\"100%\""
        + " fill=\"url(#hatch)\"/></mask>\n"
        + "<mask id=\"dots-mask\"><rect width=\"100%\" height=\"100%\""
        + " fill=\"url(#dots)\"/></mask>\n"
        + "</defs>\n"
        + body
        + "</svg>\n";
  }

  @Override
  public void fill(double x, double y, double w, double h, int argb) {
    rectangle(x, y, w, h, argb, "");
  }

  private void rectangle(double x, double y, double w, double h, int argb, String more) {
    add(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"%s%s/>",
        x, y, w, h, paint("fill", argb), more);
  }

  @Override
  public void pattern(Pattern pattern, double x, double y, double w, double h, int argb) {
    String mask = pattern.name().toLowerCase(Locale.ROOT) + "-mask";
    rectangle(x, y, w, h, argb, " mask=\"url(#" + mask + ")\"");
  }

  @Override
  public void text(double x, double y, double size, String text, int argb) {
    add(
        "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s>%s</text>",
        x, y, size, paint("fill", argb), escape(text));
  }

  @Override
  public void curve(Curve c, Stroke stroke, boolean head, int argb) {
    String dash =
        Painter.isDashed(stroke) ? " stroke-dasharray=\"" + DASH + " " + DASH_GAP + "\"" : "";
    add(
        "<path d=\"M%s %s C%s %s %s %s %s %s\" fill=\"none\"%s stroke-width=\"%s\"%s/>",
        c.x0(),
        c.y0(),
        c.x1(),
        c.y1(),
        c.x2(),
        c.y2(),
        c.x3(),
        c.y3(),
        paint("stroke", argb),
        Painter.width(stroke),
        dash);
    if (head) {
      double[] p = c.head(HEAD);
      add(
          "<path d=\"M%s %s L%s %s L%s %s Z\"%s/>",
          p[0], p[1], p[2], p[3], p[4], p[5], paint("fill", argb));
    }
  }

  @Override
  public void clip(double x, double y, double w, double h) {
    unclip();
    String id = "clip" + clips++;
    add(
        "<clipPath id=\"%s\"><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/></clipPath>",
        id, x, y, w, h);
    body.append("<g clip-path=\"url(#").append(id).append(")\">\n");
    clipped = true;
  }

  @Override
  public void unclip() {
    if (clipped) {
      body.append("</g>\n");
      clipped = false;
    }
  }

  private void add(String format, Object... values) {
    Object[] words = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      words[i] = values[i] instanceof Double number ? number(number) : values[i];
    }
    body.append(String.format(Locale.ROOT, format, words)).append('\n');
  }

  private static String number(double value) {
    double rounded = Math.round(value * 100) / 100.0;
    return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
  }

  private static String paint(String what, int argb) {
    int alpha = argb >>> 24;
    String colour = String.format(Locale.ROOT, " %s=\"#%06x\"", what, argb & 0xFF_FFFF);
    return alpha == 0xFF
        ? colour
        : colour + String.format(Locale.ROOT, " %s-opacity=\"%.2f\"", what, alpha / 255.0);
  }

  /** Text as XML has it; characters that XML 1.0 cannot hold become '?'. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 8);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        default -> safe.append(c < ' ' || c >= 0xFFFE || Character.isSurrogate(c) ? '?' : c);
      }
    }
    return safe.toString();
  }
}
