package dev.eddyline.device.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a collective leaves in the buffers. */
final class Exchange {
  private Exchange() {}

  /**
   * Writes what one rank receives.
   *
   * @param place the rank's place; for a send and its receive 0 sends and 1 receives
   * @param from what all send, by place
   */
  static void write(
      CollectiveCall call, int place, List<@Nullable ByteBuffer> from, ByteBuffer to) {
    int length = to.remaining();
    switch (call.kind) {
      case ALL_REDUCE -> Reduction.reduce(call.op, call.type(), parts(from, 0, length), to);
      case REDUCE -> {
        if (place == call.peer) {
          Reduction.reduce(call.op, call.type(), parts(from, 0, length), to);
        }
      }
      case REDUCE_SCATTER ->
          Reduction.reduce(call.op, call.type(), parts(from, place * length, length), to);
      case ALL_GATHER -> {
        int part = length / from.size();
        for (int rank = 0; rank < from.size(); rank++) {
          put(to, rank * part, from.get(rank), 0, part);
        }
      }
      case BROADCAST -> put(to, 0, from.get(call.peer), 0, length);
      case ALL_TO_ALL -> {
        int part = length / from.size();
        for (int rank = 0; rank < from.size(); rank++) {
          put(to, rank * part, from.get(rank), place * part, part);
        }
      }
      case SEND -> {}
      case RECEIVE -> put(to, 0, from.get(0), 0, length);
    }
  }

  private static void put(
      ByteBuffer to, int at, @Nullable ByteBuffer from, int fromAt, int length) {
    if (from != null) {
      to.put(at, from, fromAt, length);
    }
  }

  private static List<ByteBuffer> parts(List<@Nullable ByteBuffer> from, int offset, int length) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (ByteBuffer buffer : from) {
      if (buffer != null) {
        parts.add(buffer.slice(offset, length).order(buffer.order()));
      }
    }
    return parts;
  }
}
