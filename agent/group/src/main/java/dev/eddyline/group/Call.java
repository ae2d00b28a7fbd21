package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A collective that was asked for, checked, and not yet enqueued.
 *
 * @param kind which one
 * @param send what goes in, null where nothing does
 * @param receive where the result comes, null where none does
 * @param op how it reduces
 * @param peer root or other rank, -1 for none
 * @param from the stream that was the current one when it was asked for
 */
record Call(
    CallKind kind,
    @Nullable Buffer send,
    @Nullable Buffer receive,
    ReduceOp op,
    int peer,
    Stream from) {

  private Buffer any() {
    Buffer buffer = send != null ? send : receive;
    if (buffer == null) {
      throw new IllegalStateException("a collective without buffers");
    }
    return buffer;
  }

  DataType type() {
    return any().type();
  }

  long countIn() {
    return send == null ? 0 : send.count();
  }

  long countOut() {
    return receive == null ? 0 : receive.count();
  }

  private Buffer in() {
    return send != null ? send : any();
  }

  private Buffer out() {
    return receive != null ? receive : any();
  }

  /** Calls it on a communicator. */
  void run(Communicator on, Stream stream) {
    switch (kind) {
      case ALL_REDUCE, BARRIER -> on.allReduce(in(), out(), op, stream);
      case ALL_GATHER -> on.allGather(in(), out(), stream);
      case REDUCE_SCATTER -> on.reduceScatter(in(), out(), op, stream);
      case BROADCAST -> on.broadcast(in(), out(), peer, stream);
      case REDUCE -> on.reduce(in(), out(), op, peer, stream);
      case ALL_TO_ALL -> on.allToAll(in(), out(), stream);
      case SEND -> on.send(in(), peer, stream);
      case RECEIVE -> on.receive(out(), peer, stream);
    }
  }

  /** What it leaves in a group of one: the same elements at the other place. */
  void runAlone(Stream stream) {
    if (send != null && receive != null && send.address() != receive.address()) {
      stream.copy(receive, send);
    }
  }

  /** "all-reduce #3 (1024 × f32)". */
  String describe(long sequence) {
    String direction =
        switch (kind) {
          case SEND -> " to rank " + peer;
          case RECEIVE -> " from rank " + peer;
          case BROADCAST, REDUCE -> " with root " + peer;
          default -> "";
        };
    String elements = Math.max(countIn(), countOut()) + " × " + type().shortName();
    return kind.words() + " #" + sequence + direction + " (" + elements + ")";
  }
}
