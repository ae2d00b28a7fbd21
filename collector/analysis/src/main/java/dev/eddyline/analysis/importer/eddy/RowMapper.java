package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.trace.Column;
import dev.eddyline.trace.RecordType;
import java.util.BitSet;
import java.util.List;

/**
 * Turns the file's own times and ids into those of the timeline. Rows that name a process, thread
 * or stream that the file does not define are left out; a string that it does not define becomes
 * {@link #LOST}. Immutable; for any number of threads.
 *
 * @param epochOffset added to every time
 * @param strings the timeline's ids by the file's, {@link #UNDEFINED} for an id without one
 * @param processes likewise
 * @param threads likewise
 * @param streams likewise
 */
record RowMapper(long epochOffset, int[] strings, int[] processes, int[] threads, int[] streams) {
  static final int UNDEFINED = -1;

  /** Stands for a string that is not defined, until the timeline has an id for it. */
  static final long LOST = Long.MIN_VALUE;

  private static final long NONE = RecordType.NONE;
  private static final String NAME = "name";

  /**
   * What had to be changed.
   *
   * @param rowsLeftOut rows that name something undefined
   * @param stringsLost values that are {@link #LOST}
   */
  record Outcome(int rowsLeftOut, int stringsLost) {}

  /** Maps a block in place. */
  Outcome map(Block block) {
    BitSet bad = new BitSet();
    int lost = 0;
    List<Column> columns = block.type.columns();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      long[] values = block.columns[i];
      switch (column.meaning()) {
        case NUMBER -> {}
        case TIME -> shift(values, block.rows);
        case STRING -> lost += strings(values, block.rows, column.name().equals(NAME) ? 0 : NONE);
        case PROCESS -> references(values, block.rows, processes, true, bad);
        case THREAD -> references(values, block.rows, threads, isOnThread(block.type), bad);
        case STREAM -> references(values, block.rows, streams, isOnStream(block.type), bad);
      }
    }
    int left = bad.cardinality();
    if (left > 0) {
      leaveOut(block, bad);
    }
    return new Outcome(left, lost);
  }

  private static boolean isOnThread(RecordType type) {
    return type == RecordType.CALL || type == RecordType.RANGE || type == RecordType.GROUP;
  }

  private static boolean isOnStream(RecordType type) {
    return type == RecordType.OP || type == RecordType.ROLE;
  }

  private void shift(long[] values, int rows) {
    for (int i = 0; i < rows; i++) {
      values[i] = values[i] == NONE ? NONE : values[i] + epochOffset;
    }
  }

  private int strings(long[] values, int rows, long unknown) {
    int lost = 0;
    for (int i = 0; i < rows; i++) {
      long id = values[i];
      if (id == NONE) {
        values[i] = unknown;
      } else if (id >= 0 && id < strings.length && strings[(int) id] != UNDEFINED) {
        values[i] = strings[(int) id];
      } else {
        values[i] = LOST;
        lost++;
      }
    }
    return lost;
  }

  private static void references(long[] values, int rows, int[] ids, boolean required, BitSet bad) {
    for (int i = 0; i < rows; i++) {
      long id = values[i];
      if (id >= 0 && id < ids.length && ids[(int) id] != UNDEFINED) {
        values[i] = ids[(int) id];
      } else if (id != NONE || required) {
        bad.set(i);
      }
    }
  }

  private static void leaveOut(Block block, BitSet bad) {
    int kept = 0;
    for (int row = bad.nextClearBit(0); row < block.rows; row = bad.nextClearBit(row + 1)) {
      for (long[] column : block.columns) {
        column[kept] = column[row];
      }
      kept++;
    }
    block.rows = kept;
  }

  /** Puts an id in the place of every {@link #LOST}. */
  static void name(Block block, long id) {
    List<Column> columns = block.type.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).meaning() == Column.Meaning.STRING) {
        long[] values = block.columns[i];
        for (int row = 0; row < block.rows; row++) {
          values[row] = values[row] == LOST ? id : values[row];
        }
      }
    }
  }
}
