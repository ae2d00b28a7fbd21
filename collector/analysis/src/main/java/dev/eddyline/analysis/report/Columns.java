package dev.eddyline.analysis.report;

import java.util.ArrayList;
import java.util.List;

/** Aligns the cells of a table; empty columns take no room. */
public final class Columns {
  private static final String GAP = "   ";

  private Columns() {}

  /** One line per row, cells left-aligned, every line behind {@code indent}. */
  public static List<String> align(List<String[]> rows, String indent) {
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
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
