package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Wait;

/** Cursor over waits of streams for events. */
public final class WaitView extends RowView<WaitView> {
  WaitView(Timeline timeline) {
    super(timeline, RecordType.WAIT);
  }

  public int process() {
    return (int) value(Wait.PROCESS);
  }

  public long correlation() {
    return value(Wait.CORRELATION);
  }

  /** Row of its call, or -1. */
  public int call() {
    return timeline.callOf(process(), correlation());
  }

  /** The stream that waits, or -1 where the source does not say. */
  public int stream() {
    return (int) value(Wait.STREAM);
  }

  /** The source's event id, or -1. */
  public long event() {
    return value(Wait.EVENT);
  }

  /** The id that joins it to its record, or -1. */
  public long syncId() {
    return value(Wait.SYNC_ID);
  }

  /** Correlation of the record, where the source names it, or -1. */
  public long recordCorrelation() {
    return value(Wait.RECORD_CORRELATION);
  }

  /** The stream it waits for, where the source names it, or -1. */
  public int sourceStream() {
    return (int) value(Wait.SOURCE_STREAM);
  }

  /** Whether the source says that the event had never been recorded. */
  public boolean isEmptyWait() {
    return (value(Wait.FLAGS) & Wait.FLAG_EMPTY) != 0;
  }

  /** Whether the call was made while its stream captured. */
  public boolean isCaptured() {
    return (value(Wait.FLAGS) & Wait.FLAG_CAPTURED) != 0;
  }
}
