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
import org.jspecify.annotations.Nullable;

/**
 * Where the time of each occurrence went: a column per occurrence, a row per state, op and stream;
 * the rows of a column add up to its blocked time.
 */
final class BlameTable {
  private static final int MAX_COLUMNS = 6;
  private static final int MAX_HEAD = 10;
  private static final int MAX_ROWS = 7;

  private record Key(Segment.State state, String op, String stream) {}

  private static final class Row {
    private final String label;
    private final @Nullable Segment segment;
    private final List<String> streams = new ArrayList<>();
    private final long[] ns;
    private String words = "";

    private Row(String label, @Nullable Segment segment, int columns) {
      this.label = label;
      this.segment = segment;
      this.ns = new long[columns];
    }

    /** Whether it says the same as another row, of another stream and never in one column. */
    private boolean mayJoin(Row other) {
      Segment own = segment;
      Segment its = other.segment;
      if (own == null || its == null || own.state() != its.state() || !own.op().equals(its.op())) {
        return false;
      }
      for (int i = 0; i < ns.length; i++) {
        if (ns[i] > 0 && other.ns[i] > 0) {
          return false;
        }
      }
      return true;
    }

    private void join(Row other) {
      streams.addAll(other.streams);
      for (int i = 0; i < ns.length; i++) {
        ns[i] += other.ns[i];
      }
    }
  }

  private final List<String> heads = new ArrayList<>();
  private final List<Long> blocked = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final long zeroNs;
  private final boolean manyRanks;

  /**
   * Lays the table out.
   *
   * @param zeroNs what times count from where an occurrence lies in no step
   */
  BlameTable(List<Occurrence> occurrences, long zeroNs) {
    this.zeroNs = zeroNs;
    this.manyRanks = occurrences.stream().mapToInt(Occurrence::rank).distinct().count() > 1;
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
          Key key = key(segment);
          byKey.computeIfAbsent(key, k -> row(segment, columns.size())).ns[column] += segment.ns();
        }
      }
      blocked.add(sum);
    }
    Row last = null;
    for (Map.Entry<Key, Row> entry : byKey.entrySet()) {
      if (entry.getKey().state() == Segment.State.RETURN) {
        last = entry.getValue();
      } else {
        joinOrAdd(entry.getValue());
      }
    }
    foldSmallRows(columns.size());
    if (last != null) {
      rows.add(last);
    }
    for (Row row : rows) {
      if (row.segment != null) {
        row.words = Words.state(row.segment, row.streams);
      }
    }
  }

  /**
   * States whose words name no op are told apart by their stream alone. Gaps between ops are one
   * row: they are many and short, and all say the same.
   */
  private static Key key(Segment segment) {
    if (segment.state() == Segment.State.NOT_STARTED) {
      return new Key(segment.state(), "", "");
    }
    boolean named =
        switch (segment.state()) {
          case UNATTRIBUTED, OTHER_CONTEXT, RETURN -> false;
          default -> true;
        };
    return new Key(segment.state(), named ? segment.op() : "", segment.stream());
  }

  private void joinOrAdd(Row row) {
    for (Row known : rows) {
      if (known.mayJoin(row)) {
        known.join(row);
        return;
      }
    }
    rows.add(row);
  }

  private void addColumn(List<List<Occurrence>> columns, Occurrence occurrence) {
    columns.add(List.of(occurrence));
    String rank = manyRanks ? "r" + occurrence.rank() + " " : "";
    String head = rank + "at " + Millis.of(occurrence.startNs() - zeroNs);
    for (Place place : occurrence.where()) {
      if (place.kind() == Place.Kind.STEP) {
        head = rank + shortened(place.name());
      }
    }
    heads.add(head);
  }

  /** "ProfilerStep#551" as "#551": the columns must fit beside each other. */
  private static String shortened(String step) {
    int number = step.indexOf('#');
    return step.length() > MAX_HEAD && number > 0 ? step.substring(number) : step;
  }

  private static Row row(Segment segment, int columns) {
    Row row = new Row(Words.label(segment.state()), segment, columns);
    row.streams.add(segment.stream());
    return row;
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
    Row others = new Row("others", null, columns);
    others.words = small.size() + " ops or states";
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
