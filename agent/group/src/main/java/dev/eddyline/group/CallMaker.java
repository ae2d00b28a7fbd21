package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Device;
import dev.eddyline.device.ReduceOp;
import org.jspecify.annotations.Nullable;

/** Makes calls out of what users ask for, and refuses what no rank could carry out. */
final class CallMaker {
  private final Membership membership;
  private final Device device;

  CallMaker(Membership membership, Device device) {
    this.membership = membership;
    this.device = device;
  }

  Call allReduce(Buffer send, Buffer receive, CollectiveOptions options) {
    Call call = make(CallKind.ALL_REDUCE, send, receive, options.op(), -1, options);
    require(call, call.countIn() == call.countOut(), "both must be equal");
    return call;
  }

  Call allGather(Buffer send, Buffer receive, CollectiveOptions options) {
    Call call = make(CallKind.ALL_GATHER, send, receive, options.op(), -1, options);
    int size = membership.size();
    require(
        call, call.countOut() == call.countIn() * size, "the result holds the parts of " + of());
    return call;
  }

  Call reduceScatter(Buffer send, Buffer receive, CollectiveOptions options) {
    Call call = make(CallKind.REDUCE_SCATTER, send, receive, options.op(), -1, options);
    int size = membership.size();
    require(call, call.countIn() == call.countOut() * size, "the input holds the parts of " + of());
    return call;
  }

  Call broadcast(Buffer buffer, int root, CollectiveOptions options) {
    checkRank(CallKind.BROADCAST, "root", root);
    Buffer send = membership.rank() == root ? buffer : null;
    return make(CallKind.BROADCAST, send, buffer, options.op(), root, options);
  }

  Call reduce(Buffer send, Buffer receive, int root, CollectiveOptions options) {
    checkRank(CallKind.REDUCE, "root", root);
    boolean here = membership.rank() == root;
    Call call = make(CallKind.REDUCE, send, here ? receive : null, options.op(), root, options);
    require(call, !here || call.countIn() == call.countOut(), "both must be equal");
    return call;
  }

  Call allToAll(Buffer send, Buffer receive, CollectiveOptions options) {
    Call call = make(CallKind.ALL_TO_ALL, send, receive, options.op(), -1, options);
    int size = membership.size();
    require(
        call,
        call.countIn() == call.countOut() && call.countIn() % size == 0,
        "both must be equal, and hold a part for each of " + of());
    require(
        call,
        call.countIn() == 0 || size == 1 || send.address() != receive.address(),
        "and both at one place: an all-to-all cannot be done in place");
    return call;
  }

  Call send(Buffer buffer, int peer, CollectiveOptions options) {
    checkPeer(CallKind.SEND, peer);
    return make(CallKind.SEND, buffer, null, options.op(), peer, options);
  }

  Call receive(Buffer buffer, int peer, CollectiveOptions options) {
    checkPeer(CallKind.RECEIVE, peer);
    return make(CallKind.RECEIVE, null, buffer, options.op(), peer, options);
  }

  Call barrier(Buffer buffer) {
    return make(CallKind.BARRIER, buffer, buffer, ReduceOp.SUM, -1, CollectiveOptions.defaults());
  }

  private Call make(
      CallKind kind,
      @Nullable Buffer send,
      @Nullable Buffer receive,
      ReduceOp op,
      int peer,
      CollectiveOptions options) {
    Buffer in = usable(kind, send, options);
    Buffer out = usable(kind, receive, options);
    if (in != null && out != null && in.type() != out.type()) {
      throw wrong(
          kind, in.type().shortName() + " goes in and " + out.type().shortName() + " comes out");
    }
    return new Call(kind, in, out, op, peer, device.currentStream());
  }

  private @Nullable Buffer usable(
      CallKind kind, @Nullable Buffer buffer, CollectiveOptions options) {
    if (buffer == null) {
      return null;
    }
    if (buffer.kind() == Buffer.Kind.PAGEABLE) {
      throw wrong(kind, "a buffer is pageable host memory; copy it to the device first");
    }
    if (buffer.device() != device) {
      throw wrong(
          kind,
          "a buffer is of device "
              + buffer.device().ordinal()
              + ", the group of device "
              + device.ordinal());
    }
    if (options.type() == null || options.type() == buffer.type()) {
      return buffer;
    }
    if (buffer.bytes() % options.type().bytes() != 0) {
      throw wrong(
          kind, buffer.bytes() + " bytes are no whole number of " + options.type().shortName());
    }
    return buffer.as(options.type());
  }

  private String of() {
    return membership.size() + " ranks";
  }

  private void require(Call call, boolean fits, String rule) {
    if (!fits) {
      throw wrong(
          call.kind(),
          call.countIn() + " elements go in and " + call.countOut() + " come out; " + rule);
    }
  }

  private void checkRank(CallKind kind, String what, int rank) {
    if (rank < 0 || rank >= membership.size()) {
      throw wrong(kind, what + " " + rank + " is none of its ranks");
    }
  }

  private void checkPeer(CallKind kind, int peer) {
    checkRank(kind, "peer", peer);
    if (peer == membership.rank()) {
      throw wrong(kind, "the peer is this rank itself; copy on a stream instead");
    }
  }

  private IllegalArgumentException wrong(CallKind kind, String what) {
    return new IllegalArgumentException(
        kind.words() + " of " + membership.describe() + ": " + what);
  }
}
