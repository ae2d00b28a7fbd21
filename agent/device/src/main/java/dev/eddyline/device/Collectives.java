package dev.eddyline.device;

/**
 * A collective library with NCCL's rules, as one rank sees it.
 *
 * <p>Groups belong to the calling thread. Between the outermost {@link #groupStart} and its {@link
 * #groupEnd} nothing is enqueued, so that an event recorded there covers none of the group's work.
 * A communicator of one rank is the exception: its collectives run at the call.
 */
public interface Collectives {
  /** A new id for a communicator, made by one rank and given to the others. */
  byte[] createId();

  /**
   * Joins a communicator: blocks until all its ranks have come.
   *
   * @param name what traces and messages call it, the same on all ranks
   * @param id what {@link #createId} gave
   * @param size how many ranks it has
   * @param rank which of them this is
   * @param options how long to wait, and whether group ends return before the launch
   * @throws DeviceException {@link DeviceException.Reason#TIMEOUT} naming the ranks that are
   *     missing
   */
  Communicator join(
      String name, byte[] id, int size, int rank, Device device, CommunicatorOptions options);

  /** Begins a group on the calling thread; groups nest. */
  void groupStart();

  /**
   * Ends a group; the outermost one launches all that was called in it, as one operation per
   * communicator. All streams that were named in it wait for the group and the group for them.
   *
   * @throws DeviceException if there is no group
   */
  void groupEnd();
}
