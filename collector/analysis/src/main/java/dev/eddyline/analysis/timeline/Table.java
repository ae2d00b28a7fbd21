package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import java.util.function.LongUnaryOperator;

/** The rows of one {@link RecordType}, a {@link LongColumn} per column. */
public final class Table {
  private final RecordType type;
  private final LongColumn[] columns;

  Table(RecordType type) {
    this.type = type;
    this.columns = new LongColumn[type.width()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new LongColumn();
    }
  }

  private Table(RecordType type, LongColumn[] columns) {
    this.type = type;
    this.columns = columns;
  }

  /** What a row of this table is. */
  public RecordType type() {
    return type;
  }

  /** How many rows there are. */
  public int size() {
    return columns[0].size();
  }

  /** A column, by its constant in {@link RecordType}. */
  public LongColumn column(int column) {
    return columns[column];
  }

  /** A value, by row and by the column's constant in {@link RecordType}. */
  public long get(int row, int column) {
    return columns[column].get(row);
  }

  /** Copies a row into {@code target}, which has at least {@link RecordType#width()} places. */
  public void copyRow(int row, long[] target) {
    for (int i = 0; i < columns.length; i++) {
      target[i] = columns[i].get(row);
    }
  }

  int add(long[] row) {
    for (int i = 0; i < columns.length; i++) {
      columns[i].add(row[i]);
    }
    return size() - 1;
  }

  void addAll(long[][] values, int rows) {
    for (int i = 0; i < columns.length; i++) {
      columns[i].addAll(values[i], rows);
    }
  }

  void rewrite(int column, int fromRow, LongUnaryOperator change) {
    columns[column] = columns[column].rewritten(fromRow, change);
  }

  /** This table in another order; releases each old column as soon as the new one stands. */
  Table permuted(int[] order) {
    LongColumn[] sorted = new LongColumn[columns.length];
    for (int i = 0; i < columns.length; i++) {
      sorted[i] = columns[i].permuted(order);
    }
    return new Table(type, sorted);
  }
}
