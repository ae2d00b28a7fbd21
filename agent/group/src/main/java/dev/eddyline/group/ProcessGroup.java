package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Store;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import dev.eddyline.marks.Marks;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that carry out collectives together, as one rank sees them.
 *
 * <p><b>Which stream.</b> A collective runs on the group's own stream, which waits for the stream
 * that was current at the call; the {@link Work} that comes back is what other streams wait for.
 * With {@code async = false} it runs on the current stream itself, and there is nothing to wait
 * for. Neither holds the host: a call returns when the launch has happened, after some
 * microseconds. Only {@link #barrier()}, {@link #close()}, joining and the {@code …Blocking}
 * methods of Work do, and say so.
 *
 * <p><b>A group of one</b> has no communicator and leaves its stream alone: a collective leaves its
 * input as the result, by a copy on the current stream if that lies elsewhere, and records nothing.
 *
 * <p><b>When a rank is gone</b>, or is late by more than the timeout, the group fails: its
 * communicator is aborted, works that are not done fail (even if their events complete afterwards),
 * and later calls throw the same. The ranks that are left may {@link #reconfigure}.
 *
 * <p><b>Threads.</b> One thread at a time calls collectives; works and futures are for any. All
 * ranks must call the same collectives in the same order.
 */
public final class ProcessGroup implements AutoCloseable {
  private static final ThreadLocal<@Nullable String> OPEN_BLOCK = new ThreadLocal<>();

  private final Platform platform;
  private final Device device;
  private final Store store;
  private final String name;
  private final GroupOptions options;
  private final GroupContext context;
  private final Stream stream;
  private final Issuer issuer;
  private volatile Membership membership;
  private @Nullable Buffer token;
  private @Nullable Work last;

  private ProcessGroup(
      Platform platform, Store store, String name, GroupOptions options, Membership membership) {
    this.platform = platform;
    this.device = platform.device();
    this.store = store;
    this.name = name;
    this.options = options;
    this.membership = membership;
    this.context = new GroupContext(device, platform.host(), name);
    String streamName = name.equals("world") ? "nccl" : "nccl-" + name;
    this.stream =
        device.createStream(
            StreamOptions.nonBlocking(streamName).withPriority(options.streamPriority()));
    Marks.nameStream(device.ordinal(), stream.handle(), streamName);
    Marks.role(device.ordinal(), stream.handle(), "nccl");
    this.issuer = new Issuer(platform, context, stream, options.timeoutNanos());
  }

  // ---- joining ----

  /** A group of all ranks of the job, with the platform's store and the default options. */
  public static ProcessGroup join(Platform platform, String name) {
    return join(platform, name, GroupOptions.defaults());
  }

  /** A group of all ranks of the job, with the platform's store. */
  public static ProcessGroup join(Platform platform, String name, GroupOptions options) {
    return join(platform, platform.store(), name, platform.rank(), platform.worldSize(), options);
  }

  /**
   * Joins a group; <b>blocks the host</b> until all its ranks have come.
   *
   * @param store the same for all ranks
   * @param name what traces and messages call it; "world" for the group of all, by custom. Each
   *     group of a job has a name of its own
   * @param rank this rank in the group, from 0
   * @param size how many ranks it has
   * @throws GroupException if ranks are missing; says which
   */
  public static ProcessGroup join(
      Platform platform, Store store, String name, int rank, int size, GroupOptions options) {
    Membership membership =
        Rendezvous.join(platform, platform.device(), store, name, rank, size, options);
    return new ProcessGroup(platform, store, name, options, membership);
  }

  /**
   * Leaves the communicator and joins another: after a rank died, or to take in new ones. <b>Blocks
   * the host</b> until all ranks of the new one have come. Works of the old one that are not done
   * fail.
   *
   * @param epoch names the new communicator within the group, the same on all its ranks and never
   *     used before: "2"
   * @param rank this rank in it
   * @param size how many ranks it has
   */
  public void reconfigure(String epoch, int rank, int size) {
    checkNoBlock("reconfigure()");
    Membership old = membership;
    old.fail(gone(old, "given up by reconfigure()"));
    membership = Rendezvous.join(platform, device, store, name + "/" + epoch, rank, size, options);
  }

  private static GroupException gone(Membership of, String why) {
    return new GroupException(
        Reason.COMMUNICATOR, of.name(), of.rank(), "", -1, of.describe() + " was " + why, null);
  }

  // ---- what it is ----

  /** The name that it was joined with. */
  public String name() {
    return name;
  }

  /** This rank in it. */
  public int rank() {
    return membership.rank();
  }

  /** How many ranks it has. */
  public int size() {
    return membership.size();
  }

  /** Its device. */
  public Device device() {
    return device;
  }

  /** The stream that its collectives run on. */
  public Stream stream() {
    return stream;
  }

  /** Why it failed, or null; never blocks. */
  public @Nullable GroupException error() {
    return membership.failure();
  }

  // ---- collectives ----

  /** Sums up over all ranks in place. */
  public Work allReduce(Buffer buffer) {
    return allReduce(buffer, buffer, CollectiveOptions.defaults());
  }

  /** Reduces over all ranks in place. */
  public Work allReduce(Buffer buffer, CollectiveOptions how) {
    return allReduce(buffer, buffer, how);
  }

  /** Reduces over all ranks; all get the result. */
  public Work allReduce(Buffer send, Buffer receive, CollectiveOptions how) {
    return issue(maker().allReduce(send, receive, how), how);
  }

  /** Every rank gets the parts of all, in the order of ranks. */
  public Work allGather(Buffer send, Buffer receive) {
    return allGather(send, receive, CollectiveOptions.defaults());
  }

  /** Every rank gets the parts of all; receive holds size() times as many elements as send. */
  public Work allGather(Buffer send, Buffer receive, CollectiveOptions how) {
    return issue(maker().allGather(send, receive, how), how);
  }

  /** Sums up, and each rank gets its part. */
  public Work reduceScatter(Buffer send, Buffer receive) {
    return reduceScatter(send, receive, CollectiveOptions.defaults());
  }

  /** Reduces, and each rank gets its part; send holds size() times as many as receive. */
  public Work reduceScatter(Buffer send, Buffer receive, CollectiveOptions how) {
    return issue(maker().reduceScatter(send, receive, how), how);
  }

  /** All get what the root has. */
  public Work broadcast(Buffer buffer, int root) {
    return broadcast(buffer, root, CollectiveOptions.defaults());
  }

  /** All get what the root has. */
  public Work broadcast(Buffer buffer, int root, CollectiveOptions how) {
    return issue(maker().broadcast(buffer, root, how), how);
  }

  /** Sums up in place at the root; the buffers of the others stay as they are. */
  public Work reduce(Buffer buffer, int root) {
    return reduce(buffer, buffer, root, CollectiveOptions.defaults());
  }

  /** Reduces; the root gets the result, and receive is not used elsewhere. */
  public Work reduce(Buffer send, Buffer receive, int root, CollectiveOptions how) {
    return issue(maker().reduce(send, receive, root, how), how);
  }

  /** Part i of send goes to rank i, which puts it at this rank's place. Not in place. */
  public Work allToAll(Buffer send, Buffer receive) {
    return allToAll(send, receive, CollectiveOptions.defaults());
  }

  /** Part i of send goes to rank i, which puts it at this rank's place. Not in place. */
  public Work allToAll(Buffer send, Buffer receive, CollectiveOptions how) {
    return issue(maker().allToAll(send, receive, how), how);
  }

  /** Sends to a rank that receives. */
  public Work send(Buffer buffer, int peer) {
    return send(buffer, peer, CollectiveOptions.defaults());
  }

  /**
   * Sends to a rank that receives. Two ranks that both send to each other first wait for each other
   * for ever; put sends and receives into one {@link #coalesce} block.
   */
  public Work send(Buffer buffer, int peer, CollectiveOptions how) {
    return issue(maker().send(buffer, peer, how), how);
  }

  /** Receives from a rank that sends. */
  public Work receive(Buffer buffer, int peer) {
    return receive(buffer, peer, CollectiveOptions.defaults());
  }

  /** Receives from a rank that sends. */
  public Work receive(Buffer buffer, int peer, CollectiveOptions how) {
    return issue(maker().receive(buffer, peer, how), how);
  }

  /**
   * <b>Blocks the host</b> until all ranks have come here and their current streams have done what
   * was enqueued on them.
   */
  public void barrier() {
    barrierAsync().waitBlocking();
  }

  /** A barrier that holds those streams which wait for its work, and not the host. */
  public Work barrierAsync() {
    CallMaker maker = maker();
    Buffer one = token;
    if (one == null) {
      one = stream.allocate(DataType.INT32, 1);
      token = one;
    }
    return issue(maker.barrier(one), CollectiveOptions.defaults());
  }

  private CallMaker maker() {
    checkNoBlock("a collective");
    return new CallMaker(membership, device);
  }

  private Work issue(Call call, CollectiveOptions how) {
    Work work = issuer.issue(membership, List.of(call), how);
    last = work;
    return work;
  }

  // ---- coalescing ----

  /** {@link #coalesce(CollectiveOptions, Consumer)} with the default options. */
  public Work coalesce(Consumer<Coalescing> calls) {
    return coalesce(CollectiveOptions.defaults(), calls);
  }

  /**
   * Launches several collectives as one. The function notes them down; when it returns, all are
   * enqueued in one group of the collective library, and the one Work that comes back covers all of
   * them: its event is recorded after the group's end. A block without calls gives a completed
   * Work. If the function throws, nothing is enqueued.
   *
   * <p>There is no other way to open or close a group, so that none can be closed twice or stay
   * open; and blocks do not nest.
   *
   * @param how for all of the block
   * @throws IllegalStateException within another block
   */
  public Work coalesce(CollectiveOptions how, Consumer<Coalescing> calls) {
    checkNoBlock("coalesce()");
    Membership of = membership;
    Coalescing block = new Coalescing(of.describe(), new CallMaker(of, device), how);
    OPEN_BLOCK.set(of.describe());
    List<Call> noted;
    try {
      calls.accept(block);
    } finally {
      OPEN_BLOCK.remove();
      noted = block.close();
    }
    Work work = issuer.issue(of, noted, how);
    last = work;
    return work;
  }

  private void checkNoBlock(String what) {
    String open = OPEN_BLOCK.get();
    if (open != null) {
      throw new IllegalStateException(
          what
              + " of group '"
              + name
              + "' within a block of "
              + open
              + ": nothing of it would be enqueued yet. Call collectives on the block; it is"
              + " closed when the function given to coalesce() returns");
    }
  }

  // ---- the end ----

  /**
   * Gives up all that is under way, on this rank: streams go on, what the collectives should have
   * written is undefined, works that are not done fail. Does not block. Call it on all ranks.
   */
  public void abort() {
    Membership of = membership;
    of.fail(gone(of, "aborted by abort() on this rank; reconfigure() joins a new communicator"));
  }

  /**
   * Leaves the group; <b>blocks the host</b> until its latest work is done or has failed.
   *
   * @throws GroupException if the latest work failed otherwise than by {@link #abort}
   */
  @Override
  public void close() {
    Membership of = membership;
    Work latest = last;
    try {
      if (latest != null && of.failure() == null) {
        latest.waitBlocking();
      }
    } finally {
      context.close();
      if (!of.isAlone()) {
        of.communicator().close();
      }
      Buffer one = token;
      if (one != null) {
        stream.free(one);
        token = null;
      }
      stream.close();
    }
  }

  @Override
  public String toString() {
    return membership.describe();
  }
}
