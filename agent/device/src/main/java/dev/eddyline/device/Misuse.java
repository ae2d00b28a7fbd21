package dev.eddyline.device;

import dev.eddyline.device.DeviceException.Reason;

/** What every device says of arguments that make no sense; for those who write one. */
public final class Misuse {
  private Misuse() {}

  /**
   * Something is used after its end.
   *
   * @param what a word for it and its name: "event 'e1'"
   */
  public static DeviceException destroyed(String what) {
    return new DeviceException(Reason.INVALID_ARGUMENT, what + " was destroyed and is used again");
  }

  /** An event of the device {@code own} is to be recorded on a stream of the device {@code on}. */
  public static DeviceException recordedElsewhere(String event, Device own, Device on) {
    return new DeviceException(
        Reason.INVALID_ARGUMENT,
        "event '"
            + event
            + "' of device "
            + own.ordinal()
            + " cannot be recorded on a stream of device "
            + on.ordinal());
  }

  /**
   * Checks the bounds of a slice.
   *
   * @param from its first element
   * @param length how many elements it has
   * @param count how many elements there are
   * @throws IndexOutOfBoundsException if it does not lie in them
   */
  public static void checkSlice(long from, long length, long count) {
    if (from < 0 || length < 0 || from + length > count) {
      throw new IndexOutOfBoundsException(
          "elements " + from + " to " + (from + length) + " of " + count);
    }
  }
}
