package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Sync;

/** Cursor over what the source wrote of host syncs and queries. */
public final class SyncView extends RowView<SyncView> {
  SyncView(Timeline timeline) {
    super(timeline, RecordType.SYNC);
  }

  public int process() {
    return (int) value(Sync.PROCESS);
  }

  public long correlation() {
    return value(Sync.CORRELATION);
  }

  /** One of the {@code KIND_} constants of {@link Sync}. */
  public int kind() {
    return (int) value(Sync.KIND);
  }

  /** Row of its call, or -1. */
  public int call() {
    return timeline.callOf(process(), correlation());
  }

  /** The stream it waited for, or -1. */
  public int stream() {
    return (int) value(Sync.STREAM);
  }

  /** The source's event id, or -1. */
  public long event() {
    return value(Sync.EVENT);
  }

  /** The id that joins it to its record, or -1. */
  public long syncId() {
    return value(Sync.SYNC_ID);
  }

  /** Correlation of the record, where the source names it, or -1. */
  public long recordCorrelation() {
    return value(Sync.RECORD_CORRELATION);
  }

  public long start() {
    return value(Sync.START);
  }

  public long end() {
    return value(Sync.START) + value(Sync.DURATION);
  }
}
