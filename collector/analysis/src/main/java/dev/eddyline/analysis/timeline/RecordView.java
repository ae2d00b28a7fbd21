package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.EventRecord;

/** Cursor over event records. */
public final class RecordView extends RowView<RecordView> {
  RecordView(Timeline timeline) {
    super(timeline, RecordType.RECORD);
  }

  public int process() {
    return (int) value(EventRecord.PROCESS);
  }

  public long correlation() {
    return value(EventRecord.CORRELATION);
  }

  /** Row of its call, or -1. */
  public int call() {
    return timeline.callOf(process(), correlation());
  }

  /** The stream it was recorded on, or -1. */
  public int stream() {
    return (int) value(EventRecord.STREAM);
  }

  /** The source's event id, or -1. */
  public long event() {
    return value(EventRecord.EVENT);
  }

  /** The id that joins it to its waits, or -1. */
  public long syncId() {
    return value(EventRecord.SYNC_ID);
  }
}
