package dev.eddyline.device;

import org.jspecify.annotations.Nullable;

/** What went wrong on a device, on its host or between ranks, with what to do about it. */
public class DeviceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of fault it is. */
  public enum Reason {
    /** An argument that makes no sense: another device's stream, a freed buffer, a wrong size. */
    INVALID_ARGUMENT,
    /** No memory left. */
    OUT_OF_MEMORY,
    /** The call is not allowed here: inside a host function, on a thread that is not known. */
    NOT_PERMITTED,
    /** A kernel or host function threw; every later call on that device says so again. */
    LAUNCH_FAILED,
    /** Nothing came in time. */
    TIMEOUT,
    /** A communicator failed, was aborted, or a rank of it is gone. */
    COMMUNICATOR,
    /** Every thread waits, and nothing that they wait for can happen any more. */
    DEADLOCK,
    /** A thread stands still outside the simulated host while others wait for it. */
    BLOCKED_OUTSIDE,
    /** This rank was killed. */
    KILLED,
    /** What the driver says in any other case. */
    DRIVER
  }

  private final Reason reason;

  public DeviceException(Reason reason, String message) {
    this(reason, message, null);
  }

  public DeviceException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** What kind of fault it is. */
  public Reason reason() {
    return reason;
  }
}
