package dev.eddyline.trace;

import java.util.Arrays;

/** Rows of one type that wait for their frame, column by column; grows up to one full block. */
final class RowBuffer {
  private static final int FIRST_CAPACITY = 256;
  private final RecordType type;
  private final int limit;
  private final long[][] columns;
  private int rows;

  RowBuffer(RecordType type, int limit) {
    this.type = type;
    this.limit = limit;
    this.columns = new long[type.width()][0];
  }

  int rows() {
    return rows;
  }

  boolean isFull() {
    return rows == limit;
  }

  void clear() {
    rows = 0;
  }

  void add(long[] row, int from) {
    if (rows == columns[0].length) {
      grow();
    }
    int at = rows;
    for (int i = 0; i < columns.length; i++) {
      columns[i][at] = row[from + i];
    }
    rows = at + 1;
  }

  private void grow() {
    int capacity = Math.min(limit, Math.max(FIRST_CAPACITY, columns[0].length * 2));
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Arrays.copyOf(columns[i], capacity);
    }
  }

  /** Writes the rows as one block: {@code [type, rows, [column, …]]}. */
  void encode(CborOutput out) {
    out.array(3);
    out.integer(type.code());
    out.integer(rows);
    out.array(columns.length);
    for (int i = 0; i < columns.length; i++) {
      ColumnCodec.encode(type.columns().get(i).encoding(), columns[i], rows, out);
    }
  }

  long firstTime() {
    int time = type.timeColumn();
    long first = FrameHeader.NO_FIRST;
    for (int i = 0; time >= 0 && i < rows; i++) {
      first = Math.min(first, columns[time][i]);
    }
    return first;
  }

  long lastTime() {
    int time = type.timeColumn();
    int duration = type.durationColumn();
    long last = FrameHeader.NO_LAST;
    for (int i = 0; time >= 0 && i < rows; i++) {
      long length = duration < 0 ? 0 : Math.max(0, columns[duration][i]);
      last = Math.max(last, columns[time][i] + length);
    }
    return last;
  }
}
