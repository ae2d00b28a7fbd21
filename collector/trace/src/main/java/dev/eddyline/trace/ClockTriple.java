package dev.eddyline.trace;

/**
 * The same moment on three clocks, in nanoseconds.
 *
 * @param cupti CUPTI's clock, {@link RecordType#NONE} where it was not read
 * @param monotonic {@code CLOCK_MONOTONIC}, which {@link System#nanoTime()} is on Linux: the axis
 *     of a recorded file
 * @param realtime {@code CLOCK_REALTIME}, since the Unix epoch
 */
public record ClockTriple(long cupti, long monotonic, long realtime) {
  /** The JVM's two clocks now. The real time is read between two readings of the monotonic one. */
  public static ClockTriple now() {
    long before = System.nanoTime();
    java.time.Instant now = java.time.Instant.now();
    long after = System.nanoTime();
    long realtime =
        Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
    return new ClockTriple(RecordType.NONE, before + (after - before) / 2, realtime);
  }
}
