package dev.eddyline.device.sim;

import dev.eddyline.device.DataType;
import dev.eddyline.device.ReduceOp;
import org.jspecify.annotations.Nullable;

/** One collective as one rank called it. */
final class CollectiveCall {
  final SimCommunicator communicator;
  final CollectiveKind kind;
  final @Nullable SimBuffer send;
  final @Nullable SimBuffer receive;
  final ReduceOp op;

  /** Root of a rooted collective, the other rank of a send or receive, else -1. */
  final int peer;

  final SimStream stream;
  final long start;

  /** Number within communicator and kind, from 0. */
  long sequence;

  /** What marks said of it, or null. */
  Recorder.@Nullable Described described;

  @Nullable Launch launch;
  @Nullable Meeting meeting;

  CollectiveCall(
      SimCommunicator communicator,
      CollectiveKind kind,
      @Nullable SimBuffer send,
      @Nullable SimBuffer receive,
      ReduceOp op,
      int peer,
      SimStream stream,
      long start) {
    this.communicator = communicator;
    this.kind = kind;
    this.send = send;
    this.receive = receive;
    this.op = op;
    this.peer = peer;
    this.stream = stream;
    this.start = start;
  }

  DataType type() {
    SimBuffer any = send != null ? send : receive;
    return any == null ? DataType.INT8 : any.type();
  }

  long countIn() {
    return send == null ? 0 : send.count();
  }

  long countOut() {
    return receive == null ? 0 : receive.count();
  }

  long bytes() {
    return Math.max(countIn(), countOut()) * type().bytes();
  }

  /** What all ranks must agree on. */
  String signature() {
    if (kind.isPointToPoint()) {
      return Math.max(countIn(), countOut()) + " × " + type().shortName();
    }
    boolean inCounts = kind != CollectiveKind.BROADCAST;
    return kind.word()
        + (kind.reduces() ? " " + op.word() : "")
        + " of "
        + (inCounts ? countIn() : countOut())
        + " × "
        + type().shortName()
        + (peer >= 0 ? " with root " + peer : "");
  }

  String kernelName() {
    String reduction = kind.reduces() ? "_" + op.word() + "_" + type().shortName() : "";
    String protocol = kind.kernel().equals("SendRecv") ? "" : "_RING_LL";
    return "ncclDevKernel_" + kind.kernel() + reduction + protocol;
  }
}
