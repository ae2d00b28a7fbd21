package dev.eddyline.viewer.paint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes down what is drawn, a line per call: for comparing drawings as text. */
public final class TextPainter implements Painter {
  private final List<String> lines = new ArrayList<>();

  /** What was drawn, in order. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  private void add(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  @Override
  public void fill(double x, double y, double width, double height, int argb) {
    add("fill %.1f,%.1f %.1fx%.1f %08x", x, y, width, height, argb);
  }

  @Override
  public void pattern(Pattern pattern, double x, double y, double width, double height, int argb) {
    add("%s %.1f,%.1f %.1fx%.1f %08x", word(pattern), x, y, width, height, argb);
  }

  @Override
  public void text(double x, double y, double size, String text, int argb) {
    add("text %.1f,%.1f %.0f %08x %s", x, y, size, argb, text);
  }

  @Override
  public void curve(Curve c, Stroke stroke, boolean head, int argb) {
    String end = head ? "->" : "--";
    add("%s %.1f,%.1f %s %.1f,%.1f %08x", word(stroke), c.x0(), c.y0(), end, c.x3(), c.y3(), argb);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public void clip(double x, double y, double width, double height) {
    add("clip %.1f,%.1f %.1fx%.1f", x, y, width, height);
  }

  @Override
  public void unclip() {
    lines.add("unclip");
  }
}
