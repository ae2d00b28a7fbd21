package dev.eddyline.device.sim;

/** Something that happens at a time; things of one time happen in the order of their numbers. */
abstract class Due {
  /** Virtual nanoseconds. */
  long time;

  /** Breaks ties. */
  long number;

  /** Whether it is of no use any more. */
  boolean cancelled;

  /** Happens; {@link World#now} is its time. */
  abstract void fire();
}
