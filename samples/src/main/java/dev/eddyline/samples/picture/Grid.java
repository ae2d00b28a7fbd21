package dev.eddyline.samples.picture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A page of characters: rows of time lines with a gap above each for arrows between them. */
final class Grid {
  static final char LINE = '─';
  static final char OP = '█';
  static final char RECORD = '●';
  static final char WAIT = '◆';

  private final int width;
  private final List<char[]> lines = new ArrayList<>();

  Grid(int rows, int width) {
    this.width = width;
    for (int i = 0; i < 2 * rows; i++) {
      char[] line = new char[width];
      Arrays.fill(line, i % 2 == 0 ? ' ' : LINE);
      lines.add(line);
    }
  }

  private char[] row(int row) {
    return lines.get(2 * row + 1);
  }

  /** Draws a bar with its label inside, or beside it where there is room. */
  void bar(int row, int from, int to, char fill, String label) {
    char[] line = row(row);
    int end = Math.max(from + 1, to);
    Arrays.fill(line, from, Math.min(end, width), fill);
    String words = " " + label + " ";
    int room = end - from - 2;
    if (words.length() <= room) {
      put(line, from + 1 + (room - words.length()) / 2, words);
    } else if (isFree(line, end, label.length() + 2)) {
      put(line, end, words);
    } else if (isFree(line, from - words.length(), words.length())) {
      put(line, from - words.length(), words);
    }
  }

  private boolean isFree(char[] line, int from, int length) {
    if (from < 0 || from + length > width) {
      return false;
    }
    for (int i = from; i < from + length; i++) {
      if (line[i] != LINE) {
        return false;
      }
    }
    return true;
  }

  private static void put(char[] line, int from, String words) {
    words.getChars(0, words.length(), line, from);
  }

  /** Puts a sign into the nearest free cell, looking left or right; gives its column. */
  int sign(int row, int column, char sign, boolean left) {
    char[] line = row(row);
    int at = Math.min(column, width - 1);
    while (at > 0 && at < width - 1 && line[at] != LINE) {
      at += left ? -1 : 1;
    }
    line[at] = sign;
    return at;
  }

  /** Puts a sign only where nothing is. */
  void dot(int row, int column, char sign) {
    char[] line = row(row);
    if (line[Math.min(column, width - 1)] == LINE) {
      line[Math.min(column, width - 1)] = sign;
    }
  }

  /** An arrow from a cell of one row to a cell of another. */
  void arrow(int fromRow, int from, int toRow, int to) {
    boolean down = toRow > fromRow;
    int gap = down ? 2 * toRow : 2 * toRow + 2;
    int step = down ? 1 : -1;
    for (int line = 2 * fromRow + 1 + step; line != gap; line += step) {
      char[] crossed = lines.get(line);
      crossed[from] = line % 2 == 0 || crossed[from] == LINE ? '│' : crossed[from];
    }
    char[] last = lines.get(gap);
    if (from != to) {
      last[from] = down ? (to > from ? '└' : '┘') : to > from ? '┌' : '┐';
      for (int i = Math.min(from, to) + 1; i < Math.max(from, to); i++) {
        last[i] = last[i] == ' ' ? LINE : last[i];
      }
    }
    last[to] = down ? '▼' : '▲';
  }

  /** All lines behind their labels; gaps without arrows are left out. */
  List<String> lines(List<String> labels) {
    int indent = labels.stream().mapToInt(String::length).max().orElse(0) + 2;
    List<String> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String text = new String(lines.get(i));
      if (i % 2 == 1) {
        String label = labels.get(i / 2);
        all.add(label + " ".repeat(indent - label.length()) + text);
      } else if (!text.isBlank()) {
        all.add((" ".repeat(indent) + text).stripTrailing());
      }
    }
    return all;
  }
}
