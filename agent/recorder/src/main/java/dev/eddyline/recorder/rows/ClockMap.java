package dev.eddyline.recorder.rows;

import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.RecordType;

/**
 * From CUPTI's clock to the file's axis, {@code CLOCK_MONOTONIC}. Where CUPTI could be asked to
 * stamp with that clock the difference is nothing; else it is measured again and again, since
 * CUPTI's clock is the wall clock and may step.
 *
 * <p>Threads: one reads the clocks, any may convert.
 */
public final class ClockMap {
  private static final long SAME_CLOCK_NANOS = 1_000_000;
  private volatile long offset;

  /** Reads all clocks at one moment. */
  public ClockTriple read() {
    long before = System.nanoTime();
    long cupti = Shim.timestamp();
    long after = System.nanoTime();
    ClockTriple clocks = ClockTriple.now();
    if (cupti < 0) {
      return clocks;
    }
    long monotonic = before + (after - before) / 2;
    long difference = monotonic - cupti;
    offset = Math.abs(difference) < SAME_CLOCK_NANOS ? 0 : difference;
    return new ClockTriple(cupti, monotonic, clocks.realtime() - (clocks.monotonic() - monotonic));
  }

  /** A time of CUPTI on the file's axis; 0 is not known. */
  public long monotonic(long cupti) {
    return cupti == 0 ? RecordType.NONE : cupti + offset;
  }
}
