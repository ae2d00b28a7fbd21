package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.Arrays;

/** What each wait waits for, and on which stream each record lies, with how that is known. */
public final class WaitBindings {
  private final int[] record;
  private final int[] sourceStream;
  private final BindRule[] rule;
  private final boolean[] empty;
  private final boolean[] ncclInternal;
  private final int[] recordStream;
  private final boolean[] recordStreamInferred;

  WaitBindings(Timeline timeline) {
    WaitView wait = timeline.waits();
    record = new int[wait.size()];
    sourceStream = new int[wait.size()];
    rule = new BindRule[wait.size()];
    Arrays.fill(rule, BindRule.NONE);
    empty = new boolean[wait.size()];
    ncclInternal = new boolean[wait.size()];
    Arrays.fill(record, -1);
    Arrays.fill(sourceStream, -1);
    for (int i = 0; i < empty.length; i++) {
      empty[i] = wait.at(i).isEmptyWait();
    }
    RecordView records = timeline.records();
    recordStream = new int[records.size()];
    recordStreamInferred = new boolean[records.size()];
    for (int i = 0; i < recordStream.length; i++) {
      recordStream[i] = records.at(i).stream();
    }
  }

  void bind(int wait, int toRecord, BindRule by) {
    record[wait] = toRecord;
    sourceStream[wait] = -1;
    rule[wait] = by;
  }

  void bindToStream(int wait, int stream, BindRule by) {
    record[wait] = -1;
    sourceStream[wait] = stream;
    rule[wait] = by;
  }

  void unbind(int wait) {
    bind(wait, -1, BindRule.NONE);
  }

  void markNcclInternal(int wait) {
    ncclInternal[wait] = true;
  }

  void inferRecordStream(int row, int stream) {
    if (recordStream[row] < 0) {
      recordStream[row] = stream;
      recordStreamInferred[row] = true;
    }
  }

  /** How many waits there are. */
  public int size() {
    return record.length;
  }

  /** The record that a wait binds to, or -1. */
  public int record(int wait) {
    return record[wait];
  }

  /** How a wait was joined. */
  public BindRule rule(int wait) {
    return rule[wait];
  }

  /** Whether it is not known what a wait waits for. */
  public boolean isUnknown(int wait) {
    return rule[wait] == BindRule.NONE && !empty[wait];
  }

  /** Whether a wait waits for nothing. */
  public boolean isEmpty(int wait) {
    return empty[wait];
  }

  /** Whether NCCL itself made the wait. */
  public boolean isNcclInternal(int wait) {
    return ncclInternal[wait];
  }

  /** The stream of a record, as the source says or as a rule found, or -1. */
  public int recordStream(int row) {
    return recordStream[row];
  }

  /** Whether a rule, not the source, says on which stream a record lies. */
  public boolean isRecordStreamInferred(int row) {
    return recordStreamInferred[row];
  }

  /** The stream that a wait waits for, or -1. */
  public int source(int wait) {
    return record[wait] >= 0 ? recordStream[record[wait]] : sourceStream[wait];
  }
}
