package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import org.jspecify.annotations.Nullable;

/**
 * A group failed, on this rank, in a collective. The message names rank, communicator, collective
 * and its number, other ranks as far as they are known, and what to do.
 */
public final class GroupException extends DeviceException {
  private static final long serialVersionUID = 1L;
  private final String communicator;
  private final int rank;
  private final String collective;
  private final long sequence;

  GroupException(
      Reason reason,
      String communicator,
      int rank,
      String collective,
      long sequence,
      String message,
      @Nullable Throwable cause) {
    super(reason, message, cause);
    this.communicator = communicator;
    this.rank = rank;
    this.collective = collective;
    this.sequence = sequence;
  }

  /** Name of the communicator, as in traces. */
  public String communicator() {
    return communicator;
  }

  /** The rank that speaks. */
  public int rank() {
    return rank;
  }

  /** Word of the collective as in traces, "allreduce"; "" if it was none. */
  public String collective() {
    return collective;
  }

  /** Number of the collective among those of its kind, -1 if it was none. */
  public long sequence() {
    return sequence;
  }
}
