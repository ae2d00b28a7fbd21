package dev.eddyline.recorder.decode;

import dev.eddyline.recorder.rows.LongIntMap;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Wait;
import java.util.Arrays;

/**
 * Tells waits that were captured from others. CUPTI writes both alike, and a captured one with the
 * sync id that its event had before; the shim notes which calls it saw with a capturing stream. A
 * wait's record may be delivered a little before that note, so waits are held back until the notes
 * were read once more. For the thread that drains.
 */
public final class Captures {
  private static final int REMEMBERED = 1 << 16;
  private final TraceRows rows;
  private final LongIntMap captured = new LongIntMap();
  private long[] held = new long[64 * RecordType.WAIT.width()];
  private int heldRows;
  private final long[] row = TraceRows.row(RecordType.WAIT);

  public Captures(TraceRows rows) {
    this.rows = rows;
  }

  /** The shim saw that a wait's stream was capturing. */
  public void captured(int correlation) {
    if (captured.size() >= REMEMBERED) {
      captured.clear();
    }
    captured.put(correlation & 0xFFFFFFFFL, 1);
  }

  /** A wait was recorded; the row is copied. */
  public void waited(long[] wait) {
    int width = wait.length;
    if ((heldRows + 1) * width > held.length) {
      held = Arrays.copyOf(held, 2 * held.length);
    }
    System.arraycopy(wait, 0, held, heldRows * width, width);
    heldRows++;
  }

  /** Writes the waits that are held back; to be called after the notes were read. */
  public void release() {
    for (int i = 0; i < heldRows; i++) {
      System.arraycopy(held, i * row.length, row, 0, row.length);
      if (captured.get(row[Wait.CORRELATION]) != LongIntMap.ABSENT) {
        row[Wait.FLAGS] = Wait.FLAG_CAPTURED;
        row[Wait.SYNC_ID] = RecordType.NONE;
      }
      rows.append(RecordType.WAIT, row);
    }
    heldRows = 0;
  }
}
