package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.ReduceOp;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects collectives that shall be launched as one; see {@link ProcessGroup#coalesce}. Its
 * methods check and note down what they are given, and enqueue nothing: that happens when the
 * function that got this block returns. One thread uses it.
 */
public final class Coalescing {
  private final String group;
  private final CallMaker maker;
  private final CollectiveOptions options;
  private final List<Call> calls = new ArrayList<>();
  private boolean closed;

  Coalescing(String group, CallMaker maker, CollectiveOptions options) {
    this.group = group;
    this.maker = maker;
    this.options = options;
  }

  private void add(Call call) {
    calls.add(call);
  }

  private CallMaker open() {
    if (closed) {
      throw new IllegalStateException(
          "this block of "
              + group
              + " is closed: it was launched when the function given to coalesce() returned, and"
              + " the Work that coalesce() returned covers all of it");
    }
    return maker;
  }

  /** No call comes any more. */
  List<Call> close() {
    closed = true;
    return calls;
  }

  /** All-reduce in place; sums up unless the block's options say otherwise. */
  public void allReduce(Buffer buffer) {
    add(open().allReduce(buffer, buffer, options));
  }

  /** All-reduce in place with an operation of its own. */
  public void allReduce(Buffer buffer, ReduceOp op) {
    add(open().allReduce(buffer, buffer, options.withOp(op)));
  }

  /** As {@link ProcessGroup#allReduce(Buffer, Buffer, CollectiveOptions)}. */
  public void allReduce(Buffer send, Buffer receive) {
    add(open().allReduce(send, receive, options));
  }

  /** As {@link ProcessGroup#allGather(Buffer, Buffer, CollectiveOptions)}. */
  public void allGather(Buffer send, Buffer receive) {
    add(open().allGather(send, receive, options));
  }

  /** As {@link ProcessGroup#reduceScatter(Buffer, Buffer, CollectiveOptions)}. */
  public void reduceScatter(Buffer send, Buffer receive) {
    add(open().reduceScatter(send, receive, options));
  }

  /** As {@link ProcessGroup#broadcast(Buffer, int, CollectiveOptions)}. */
  public void broadcast(Buffer buffer, int root) {
    add(open().broadcast(buffer, root, options));
  }

  /** As {@link ProcessGroup#reduce(Buffer, Buffer, int, CollectiveOptions)}. */
  public void reduce(Buffer send, Buffer receive, int root) {
    add(open().reduce(send, receive, root, options));
  }

  /** As {@link ProcessGroup#allToAll(Buffer, Buffer, CollectiveOptions)}. */
  public void allToAll(Buffer send, Buffer receive) {
    add(open().allToAll(send, receive, options));
  }

  /** Sends to another rank; sends and receives of one block run beside each other. */
  public void send(Buffer buffer, int peer) {
    add(open().send(buffer, peer, options));
  }

  /** Receives from another rank. */
  public void receive(Buffer buffer, int peer) {
    add(open().receive(buffer, peer, options));
  }
}
