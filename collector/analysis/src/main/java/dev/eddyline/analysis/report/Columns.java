package dev.eddyline.analysis.report;

import java.util.ArrayList;
import java.util.List;

/** Aligns the cells of a table; empty columns take no room. */
public final class Columns {
  private static final String GAP = "   ";

  private Columns() {}

  /** One line per row, cells left-aligned, every line behind {@code indent}. */
  public static List<String> align(List<String[]> rows, String indent) {
    return align(rows, indent, Integer.MAX_VALUE);
  }

  /** As above; the last cell wraps where a line would be longer than {@code maxWidth}. */
  public static List<String> align(List<String[]> rows, String indent, int maxWidth) {
    int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
    int[] width = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        width[i] = Math.max(width[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < row.length; i++) {
        if (width[i] > 0) {
          line.append(row[i]).append(" ".repeat(width[i] - row[i].length())).append(GAP);
        }
      }
      String whole = line.toString().stripTrailing();
      if (whole.length() <= maxWidth) {
        lines.add(whole);
        continue;
      }
      String last = row[row.length - 1];
      String before = whole.substring(0, whole.length() - last.length());
      for (String part : Words.wrap(last, maxWidth - before.length())) {
        lines.add(before + part);
        before = " ".repeat(before.length());
      }
    }
    return lines;
  }
}
