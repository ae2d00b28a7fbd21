package dev.eddyline.device;

import java.util.function.BooleanSupplier;

/**
 * Where threads wait for one another. The state that a condition reads must be safe for several
 * threads by itself (volatile, atomic, concurrent): no lock is held while it is read.
 */
public interface Signal {
  /** Stands for "as long as it takes". */
  long FOREVER = Long.MAX_VALUE;

  /**
   * Waits until a condition holds. It is looked at now, after every {@link #wake} and at the end.
   *
   * @param condition without side effects; calls nothing of this API
   * @param timeoutNanos at most so long; {@link #FOREVER} without an end
   * @return whether it held
   */
  boolean await(BooleanSupplier condition, long timeoutNanos);

  /** Lets all that wait look at their conditions again. */
  void wake();
}
