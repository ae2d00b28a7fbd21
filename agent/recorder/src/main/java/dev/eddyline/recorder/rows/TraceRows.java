package dev.eddyline.recorder.rows;

import dev.eddyline.trace.Definition.ProcessEntry;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.RecordType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Rows on their way to the writer, a batch per type, so that its lock is taken once for many. For
 * the thread that drains.
 */
public final class TraceRows {
  private static final int BATCH = 256;

  /** Rows of one type that are not handed over yet. */
  private static final class Batch {
    private final long[] values;
    private int rows;

    Batch(int width) {
      values = new long[BATCH * width];
    }
  }

  private final EddyWriter writer;
  private final int process;
  private final Map<RecordType, Batch> batches = new EnumMap<>(RecordType.class);
  private long appended;

  /** Defines the process. */
  public TraceRows(EddyWriter writer, ProcessEntry process) {
    this.writer = writer;
    this.process = writer.define(process);
    for (RecordType type : RecordType.values()) {
      batches.put(type, new Batch(type.width()));
    }
  }

  /** Id of the process that is recorded. */
  public int process() {
    return process;
  }

  /** The writer, for definitions and strings. */
  public EddyWriter writer() {
    return writer;
  }

  /** A row of a type with nothing known, to be used again and again. */
  public static long[] row(RecordType type) {
    long[] row = new long[type.width()];
    Arrays.fill(row, RecordType.NONE);
    return row;
  }

  /** Appends a copy of a row. */
  public void append(RecordType type, long[] row) {
    Batch batch = Objects.requireNonNull(batches.get(type));
    System.arraycopy(row, 0, batch.values, batch.rows * row.length, row.length);
    appended++;
    if (++batch.rows == BATCH) {
      hand(type, batch);
    }
  }

  /** Hands all rows to the writer. */
  public void flush() {
    batches.forEach(this::hand);
  }

  private void hand(RecordType type, Batch batch) {
    if (batch.rows > 0) {
      writer.append(type, batch.values, batch.rows);
      batch.rows = 0;
    }
  }

  /** How many rows came. */
  public long appended() {
    return appended;
  }
}
