package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import java.util.List;
import java.util.Map;

/**
 * A span of time.
 *
 * @param startNs begin
 * @param endNs end; before the begin for the empty window
 */
record Window(long startNs, long endNs) {
  static final Window EMPTY = new Window(Long.MAX_VALUE, Long.MIN_VALUE);

  boolean isEmpty() {
    return endNs < startNs;
  }

  Window including(long start, long end) {
    return new Window(Math.min(startNs, start), Math.max(endNs, end));
  }

  /**
   * The window around all calls, ops and ranges: their first two columns are start and duration.
   */
  static Window around(Map<RecordType, Table> tables) {
    Window window = EMPTY;
    for (RecordType type : List.of(RecordType.CALL, RecordType.OP, RecordType.RANGE)) {
      Table table = java.util.Objects.requireNonNull(tables.get(type));
      for (int i = 0; i < table.size(); i++) {
        long start = table.get(i, 0);
        window = window.including(start, start + table.get(i, 1));
      }
    }
    return window;
  }
}
