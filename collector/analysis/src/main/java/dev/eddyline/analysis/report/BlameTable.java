package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the time of each occurrence went: a column per occurrence, a row per state, op and stream;
 * the rows of a column add up to its blocked time.
 */
final class BlameTable {
  private static final int MAX_COLUMNS = 6;
  private static final int MAX_ROWS = 8;

  private record Key(Segment.State state, String op, String stream) {}

  private static final class Row {
    private final String label;
    private final String words;
    private final long[] ns;

    private Row(String label, String words, int columns) {
      this.label = label;
      this.words = words;
      this.ns = new long[columns];
    }
  }

  private final List<String> heads = new ArrayList<>();
  private final List<Long> blocked = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final long zeroNs;

  /**
   * Lays the table out.
   *
   * @param zeroNs what times count from where an occurrence lies in no step
   */
  BlameTable(List<Occurrence> occurrences, long zeroNs) {
    this.zeroNs = zeroNs;
    List<List<Occurrence>> columns = new ArrayList<>();
    if (occurrences.size() > MAX_COLUMNS) {
      columns.add(occurrences);
      heads.add("all " + occurrences.size());
      occurrences.stream()
          .sorted(Comparator.comparingLong(Occurrence::durationNs).reversed())
          .limit(MAX_COLUMNS - 2)
          .forEach(longest -> addColumn(columns, longest));
    } else {
      occurrences.forEach(occurrence -> addColumn(columns, occurrence));
    }
    Map<Key, Row> byKey = new LinkedHashMap<>();
    for (int column = 0; column < columns.size(); column++) {
      long sum = 0;
      for (Occurrence occurrence : columns.get(column)) {
        sum += occurrence.durationNs();
        for (Segment segment : occurrence.blame()) {
          Key key = new Key(segment.state(), segment.op(), segment.stream());
          byKey.computeIfAbsent(key, k -> row(segment, columns.size())).ns[column] += segment.ns();
        }
      }
      blocked.add(sum);
    }
    rows.addAll(byKey.values());
    foldSmallRows(columns.size());
  }

  private void addColumn(List<List<Occurrence>> columns, Occurrence occurrence) {
    columns.add(List.of(occurrence));
    String head = "at " + Millis.of(occurrence.startNs() - zeroNs);
    for (Place place : occurrence.where()) {
      if (place.kind() == Place.Kind.STEP) {
        head = place.name();
      }
    }
    heads.add(head);
  }

  private static Row row(Segment segment, int columns) {
    return new Row(Words.label(segment.state()), Words.state(segment), columns);
  }

  /** Keeps the rows that say most, in their order; the others become one. */
  private void foldSmallRows(int columns) {
    if (rows.size() <= MAX_ROWS) {
      return;
    }
    long least =
        rows.stream()
            .mapToLong(row -> Arrays.stream(row.ns).max().orElse(0))
            .sorted()
            .skip(rows.size() - MAX_ROWS + 1L)
            .findFirst()
            .orElse(0);
    List<Row> small =
        rows.stream().filter(row -> Arrays.stream(row.ns).max().orElse(0) < least).toList();
    Row others = new Row("others", Words.count(small.size(), "op") + " or states", columns);
    for (Row row : small) {
      for (int i = 0; i < columns; i++) {
        others.ns[i] += row.ns[i];
      }
    }
    rows.removeAll(small);
    rows.add(others);
  }

  /**
   * The lines, without indentation; empty where there is nothing to show.
   *
   * @param maxWidth where words wrap
   */
  List<String> lines(int maxWidth) {
    if (heads.isEmpty()) {
      return List.of();
    }
    int columns = heads.size();
    String[][] cells = new String[rows.size()][columns];
    for (int column = 0; column < columns; column++) {
      int at = column;
      long[] parts = rows.stream().mapToLong(row -> row.ns[at]).toArray();
      long[] rounded = Millis.roundParts(blocked.get(column), parts);
      for (int i = 0; i < rounded.length; i++) {
        cells[i][column] = parts[i] == 0 ? "-" : Millis.micros(rounded[i]);
      }
    }
    int label = rows.stream().mapToInt(row -> row.label.length() + 2).max().orElse(0);
    label = Math.max(label, "blocked".length());
    int[] width = new int[columns];
    for (int column = 0; column < columns; column++) {
      width[column] = Math.max(heads.get(column).length(), Millis.of(blocked.get(column)).length());
    }
    List<String> lines = new ArrayList<>();
    lines.add(line("", label, heads.toArray(new String[0]), width, ""));
    String[] whole = blocked.stream().map(Millis::of).toArray(String[]::new);
    lines.add(line("blocked", label, whole, width, " ms"));
    for (int i = 0; i < cells.length; i++) {
      String numbers = line("  " + rows.get(i).label, label, cells[i], width, "    ");
      for (String words :
          Words.wrap(rows.get(i).words, Math.max(40, maxWidth - numbers.length()))) {
        lines.add(numbers + words);
        numbers = " ".repeat(numbers.length());
      }
    }
    return lines;
  }

  private static String line(
      String label, int labelWidth, String[] cells, int[] width, String end) {
    StringBuilder line = new StringBuilder(label);
    line.append(" ".repeat(labelWidth - label.length()));
    for (int i = 0; i < cells.length; i++) {
      line.append("   ").append(" ".repeat(width[i] - cells[i].length())).append(cells[i]);
    }
    return line.append(end).toString();
  }
}
