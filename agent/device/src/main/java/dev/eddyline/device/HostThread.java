package dev.eddyline.device;

/** A thread that {@link Host#start} started. */
public interface HostThread {
  /** Its name. */
  String name();

  /** Whether its body has ended. */
  boolean isDone();

  /**
   * Waits until its body has ended; other threads run meanwhile.
   *
   * @throws DeviceException if the body threw; its cause is what it threw
   */
  void join();
}
