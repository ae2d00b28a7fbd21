package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.trace.RecordType;

/** The rows of one type in a frame, column by column. */
final class Block {
  final RecordType type;
  final long[][] columns;
  int rows;

  Block(RecordType type, long[][] columns, int rows) {
    this.type = type;
    this.columns = columns;
    this.rows = rows;
  }
}
