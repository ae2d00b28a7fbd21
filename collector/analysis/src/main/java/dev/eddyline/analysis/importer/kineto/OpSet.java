package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.trace.RecordType.Op;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Knows which ops were read already: Kineto writes some kernels twice (pytorch issue 192021). Keeps
 * hashes and row numbers, and compares with the rows themselves.
 */
final class OpSet {
  private static final int FREE = -1;
  private static final int FIRST_SIZE = 1 << 10;
  private static final int[] COLUMNS = {
    Op.START, Op.STREAM, Op.DURATION, Op.NAME, Op.CORRELATION, Op.GRAPH_NODE
  };

  private final long mix = new SplittableRandom().nextLong() | 1;
  private final Table ops;
  private int[] rows = new int[FIRST_SIZE];
  private int[] hashes = new int[FIRST_SIZE];
  private int size;

  OpSet(Table ops) {
    this.ops = ops;
    Arrays.fill(rows, FREE);
  }

  /** Adds an op that is about to get the next row; false if the same op has a row already. */
  boolean add(long[] op) {
    int hash = hash(op);
    int mask = rows.length - 1;
    int at = hash & mask;
    for (; rows[at] != FREE; at = at + 1 & mask) {
      if (hashes[at] == hash && isRow(rows[at], op)) {
        return false;
      }
    }
    rows[at] = ops.size();
    hashes[at] = hash;
    if (++size * 2 >= rows.length) {
      grow();
    }
    return true;
  }

  private boolean isRow(int row, long[] op) {
    for (int column : COLUMNS) {
      if (ops.get(row, column) != op[column]) {
        return false;
      }
    }
    return true;
  }

  private int hash(long[] op) {
    long h = 0;
    for (int column : COLUMNS) {
      h = (h ^ op[column]) * mix;
      h ^= h >>> 32;
    }
    return (int) h;
  }

  private void grow() {
    int[] oldRows = rows;
    int[] oldHashes = hashes;
    rows = new int[oldRows.length * 2];
    hashes = new int[rows.length];
    Arrays.fill(rows, FREE);
    for (int i = 0; i < oldRows.length; i++) {
      if (oldRows[i] != FREE) {
        int at = oldHashes[i] & rows.length - 1;
        while (rows[at] != FREE) {
          at = at + 1 & rows.length - 1;
        }
        rows[at] = oldRows[i];
        hashes[at] = oldHashes[i];
      }
    }
  }
}
