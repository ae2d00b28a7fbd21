package dev.eddyline.device;

import org.jspecify.annotations.Nullable;

/**
 * A communicator of one rank. Its collectives run in the order of their launches, whatever streams
 * they are on. Every call enqueues and returns; counts and types are those of the buffers, and all
 * buffers are of the communicator's device.
 *
 * <p>One thread at a time uses it; {@link #abort} and {@link #state} may come from any.
 */
public interface Communicator extends AutoCloseable {
  /** What a communicator is at. */
  enum State {
    /** Everything that was called is enqueued. */
    READY,
    /** A non-blocking call has returned, but its work is not enqueued yet. */
    IN_PROGRESS,
    /** It failed or was aborted; {@link Communicator#error} says why. */
    FAILED
  }

  /** The name that it was joined with. */
  String name();

  /** This rank in it. */
  int rank();

  /** How many ranks it has. */
  int size();

  /** Its device. */
  Device device();

  /** Reduces over all ranks; all get the result. Send and receive may be the same. */
  void allReduce(Buffer send, Buffer receive, ReduceOp op, Stream stream);

  /** Every rank gets the parts of all, in the order of ranks; receive is size() times send. */
  void allGather(Buffer send, Buffer receive, Stream stream);

  /** Reduces, and each rank gets its part; send is size() times receive. */
  void reduceScatter(Buffer send, Buffer receive, ReduceOp op, Stream stream);

  /** All get what the root sends. Send is read at the root only. */
  void broadcast(Buffer send, Buffer receive, int root, Stream stream);

  /** Reduces; the root gets the result. Receive is written at the root only. */
  void reduce(Buffer send, Buffer receive, ReduceOp op, int root, Stream stream);

  /** Part i of send goes to rank i, which puts it at this rank's place in receive. */
  void allToAll(Buffer send, Buffer receive, Stream stream);

  /** Sends to a rank that receives. */
  void send(Buffer buffer, int peer, Stream stream);

  /** Receives from a rank that sends. */
  void receive(Buffer buffer, int peer, Stream stream);

  /** What it is at; never blocks. */
  State state();

  /** Why it failed, or null. */
  @Nullable DeviceException error();

  /**
   * Gives up all its work: kernels that wait for other ranks end, what they should have written is
   * undefined, and later calls fail.
   */
  void abort();

  /** Ends it; what is enqueued must be done. */
  @Override
  void close();
}
