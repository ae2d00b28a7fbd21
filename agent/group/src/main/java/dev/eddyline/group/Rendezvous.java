package dev.eddyline.group;

import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Store;

/**
 * How ranks come to a common communicator: rank 0 makes its id, the others find it in the store.
 */
final class Rendezvous {
  /** Begins the keys of groups in the store. */
  static final String PREFIX = "eddyline/";

  /** What ranks say in the store that could not join. */
  private static final String JOINING = "joining";

  private Rendezvous() {}

  static Membership join(
      Platform platform,
      Device device,
      Store store,
      String name,
      int rank,
      int size,
      GroupOptions options) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "rank " + rank + " of " + size + " in group '" + name + "': ranks count from 0");
    }
    Peers peers = new Peers(name, rank, size, store, platform.host());
    if (size == 1) {
      return new Membership(name, rank, size, null, platform.host(), peers);
    }
    long deadline = Times.after(platform.host().nanoTime(), options.joinTimeoutNanos());
    try {
      if (store.add(PREFIX + name + "/came/" + rank, 1) > 1) {
        throw new IllegalStateException(
            "rank "
                + rank
                + " of group '"
                + name
                + "' came before: give each group of a job a name,"
                + " and each re-configuration an epoch, of its own");
      }
      peers.introduce();
      byte[] id = id(platform, store, name, rank, options.joinTimeoutNanos());
      CommunicatorOptions how =
          new CommunicatorOptions(options.nonBlocking(), options.joinTimeoutNanos());
      Communicator communicator = platform.collectives().join(name, id, size, rank, device, how);
      return new Membership(name, rank, size, communicator, platform.host(), peers);
    } catch (DeviceException e) {
      if (e.reason() == Reason.KILLED || e instanceof GroupException) {
        throw e;
      }
      peers.announce(JOINING);
      // Some notice a death at once, others when their time is over.
      String others = peers.others(JOINING, other -> true, Times.after(deadline, Membership.GRACE));
      throw failed(name, rank, size, sentence(e) + others, e);
    }
  }

  private static String sentence(DeviceException e) {
    String message = String.valueOf(e.getMessage());
    return message.endsWith("?") || message.endsWith(".") ? message : message + ".";
  }

  private static byte[] id(
      Platform platform, Store store, String name, int rank, long timeoutNanos) {
    String key = PREFIX + name + "/id";
    if (rank == 0) {
      byte[] id = platform.collectives().createId();
      store.set(key, id);
      return id;
    }
    try {
      return store.get(key, timeoutNanos);
    } catch (DeviceException e) {
      if (e.reason() != Reason.TIMEOUT) {
        throw e;
      }
      throw new GroupException(
          Reason.TIMEOUT,
          name,
          rank,
          "",
          -1,
          "rank "
              + rank
              + " waited "
              + Times.ms(timeoutNanos)
              + " for rank 0 of group '"
              + name
              + "' to begin it: is rank 0 running, and do all ranks use the same store and name?",
          e);
    }
  }

  private static GroupException failed(
      String name, int rank, int size, String why, DeviceException cause) {
    return new GroupException(
        cause.reason(),
        name,
        rank,
        "",
        -1,
        "group '"
            + name
            + "', rank "
            + rank
            + " of "
            + size
            + ", could not be joined: "
            + why
            + " Start the ranks that are missing, or join with fewer.",
        cause);
  }
}
