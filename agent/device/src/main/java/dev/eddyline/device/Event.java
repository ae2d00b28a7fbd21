package dev.eddyline.device;

/** A mark that is recorded on streams, waited for by streams and by the host. */
public interface Event extends AutoCloseable {
  /** Its device. */
  Device device();

  /** The name that it was made with. */
  String name();

  /** Its handle: unique among the events that exist now, reused afterwards. */
  long handle();

  /** Whether the work before the latest record is done; true if it was never recorded. */
  boolean isDone();

  /** Blocks until the work before the latest record is done; not at all if never recorded. */
  void synchronize();

  /**
   * Time on the device from the latest record of another event to that of this one.
   *
   * @return nanoseconds
   * @throws DeviceException if one of them was not recorded or is not done
   */
  long nanosSince(Event earlier);

  /** Destroys the event; waits that were made keep what they wait for. Does not block. */
  @Override
  void close();
}
