package dev.eddyline.device.sim;

/**
 * How one run differs from another within CUDA's rules: durations, the start order of ops that are
 * ready, reuse of memory, arrival of ranks, and whether a kernel's effects show at its beginning or
 * at its end. Seed 0 is the plain schedule: nothing varies.
 */
final class Schedule {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private final boolean varies;
  private long state;

  Schedule(long seed) {
    varies = seed != 0;
    state = seed * GOLDEN;
  }

  boolean varies() {
    return varies;
  }

  private long next() {
    state += GOLDEN;
    long mixed = state;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  private double fraction() {
    return (next() >>> 11) * 0x1.0p-53;
  }

  /** A number from 0 to bound − 1; 0 in the plain schedule. */
  int pick(int bound) {
    return varies && bound > 1 ? (int) Long.remainderUnsigned(next(), bound) : 0;
  }

  /** Whether to do it the other way; never in the plain schedule. */
  boolean otherWay() {
    return varies && next() < 0;
  }

  /** Work of the device: half as long to two and a half times as long. */
  long duration(long nanos) {
    return varies ? Math.max(1, (long) (nanos * (0.5 + 2 * fraction()))) : Math.max(1, nanos);
  }

  /** Work of the host: a tenth less to twice as long, and once in 64 calls much longer. */
  long hostCost(long nanos) {
    if (!varies) {
      return nanos;
    }
    long cost = (long) (nanos * (0.9 + 1.1 * fraction()));
    return (next() & 63) == 0 ? cost + (long) (200_000 * fraction()) : cost;
  }

  /** How much later than the others a rank begins. */
  long lateness() {
    return varies ? (long) (300_000 * fraction()) : 0;
  }
}
