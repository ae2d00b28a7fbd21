package dev.eddyline.device;

/** Keys and values that all ranks of a job see: where they agree on communicators. */
public interface Store {
  /** Sets a value; wakes those that wait for it. The array is copied. */
  void set(String key, byte[] value);

  /**
   * Waits for a value.
   *
   * @return a copy
   * @throws DeviceException {@link DeviceException.Reason#TIMEOUT} if none was set in that time
   */
  byte[] get(String key, long timeoutNanos);

  /** Adds to the number under a key, 0 if there is none; returns the sum. */
  long add(String key, long amount);
}
