package dev.eddyline.device;

/**
 * Time and threads of the host. Programs that shall run on the simulated device take both from
 * here: there host time is virtual, threads run one at a time, and a thread that blocks anywhere
 * else while others wait is an error that names it.
 */
public interface Host {
  /** Now, in nanoseconds on the host's axis; only differences mean something. */
  long nanoTime();

  /**
   * The host computes for so long. On the simulated host its clock moves; on a real one the thread
   * is busy.
   */
  void work(long nanos);

  /** The thread sleeps; others run meanwhile. */
  void sleep(long nanos);

  /**
   * Starts a daemon thread that may use the devices. It begins with the legacy default stream as
   * its current stream.
   *
   * @param name what traces call it
   */
  HostThread start(String name, Runnable body);

  /** A new place where threads of this job wait for one another. */
  Signal signal();
}
