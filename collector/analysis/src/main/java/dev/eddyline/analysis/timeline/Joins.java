package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import java.util.List;
import java.util.function.Function;

/** Finds the call that enqueued an op, made a record, a wait or a sync, by correlation. */
final class Joins {
  private final CorrelationIndex calls;

  Joins(Function<RecordType, Table> tables, List<ThreadInfo> threads) {
    Table rows = tables.apply(RecordType.CALL);
    calls = new CorrelationIndex(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      long correlation = rows.get(i, RecordType.Call.CORRELATION);
      if (correlation >= 0) {
        int thread = (int) rows.get(i, RecordType.Call.THREAD);
        calls.put(threads.get(thread).process(), correlation, i);
      }
    }
  }

  /** The row of the call with a correlation id in a process, or -1. */
  int call(int process, long correlation) {
    return calls.find(process, correlation);
  }
}
