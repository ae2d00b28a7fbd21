package dev.eddyline.device.sim;

/**
 * How long things take, in nanoseconds and bytes per microsecond: of the order of what an H200 and
 * its driver take, so that traces look familiar. Nothing may depend on the very numbers.
 */
final class Costs {
  // The host's own part of calls.
  static final long LAUNCH = 3_500;
  static final long RECORD = 900;
  static final long WAIT = 700;
  static final long QUERY = 600;
  static final long SYNC = 900;
  static final long COPY = 3_000;
  static final long FILL = 2_800;
  static final long HOST_FUNCTION = 2_500;
  static final long EVENT = 300;
  static final long STREAM = 6_000;
  static final long POOL = 700;
  static final long ALLOCATE = 60_000;
  static final long ALLOCATE_GIB = 270_000;
  static final long PIN = 90_000;
  static final long FREE = 30_000;
  static final long COLLECTIVE = 2_000;
  static final long GROUP = 400;
  static final long JOIN = 800_000;

  // The device's.
  static final long START_LATENCY = 2_200;
  static final long START_GAP = 700;
  static final long RETURN = 4_000;
  static final long CALLBACK = 3_000;
  static final long COPY_START = 1_200;
  static final long COLLECTIVE_START = 9_000;

  /** Bytes of pageable uploads that wait on a busy stream before one more holds the host. */
  static final long STAGING = 2 << 20;

  // Bytes per microsecond.
  static final long PINNED_RATE = 50_000;
  static final long PAGEABLE_RATE = 8_000;
  static final long DEVICE_RATE = 1_500_000;
  static final long LINK_RATE = 350_000;

  private Costs() {}

  static long moving(long bytes, long rate) {
    return bytes * 1_000 / rate;
  }
}
