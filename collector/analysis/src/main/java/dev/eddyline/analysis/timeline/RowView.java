package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;

/**
 * A cursor over the rows of a table: {@code at(row)} moves it, the accessors read the row under it.
 * One object for all rows; not for several threads.
 *
 * @param <V> the cursor itself
 */
public abstract class RowView<V extends RowView<V>> {
  final Timeline timeline;
  final Table table;
  int row = -1;

  RowView(Timeline timeline, RecordType type) {
    this.timeline = timeline;
    this.table = timeline.table(type);
  }

  /** How many rows there are. */
  public final int size() {
    return table.size();
  }

  /** The row under the cursor. */
  public final int row() {
    return row;
  }

  /** Moves the cursor; returns it. */
  @SuppressWarnings("unchecked")
  public final V at(int newRow) {
    row = newRow;
    return (V) this;
  }

  final long value(int column) {
    return table.get(row, column);
  }

  final String string(int column) {
    return timeline.strings().get(value(column));
  }
}
