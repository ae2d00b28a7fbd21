package dev.eddyline.device.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A piece of simulated memory. Its bytes are made when somebody first looks at them. */
final class Block {
  final long address;
  final long bytes;

  /** Whether it came from the stream-ordered pool. */
  final boolean pooled;

  boolean freed;

  /** The free that stands before its next use, and its stream. */
  @Nullable Item freedBy;

  /** Copies by stream that may still read or write it; for host memory. */
  int pending;

  /** Whether an op was ever enqueued that uses it. */
  boolean used;

  private @Nullable ByteBuffer data;

  Block(long address, long bytes, boolean pooled) {
    this.address = address;
    this.bytes = bytes;
    this.pooled = pooled;
  }

  boolean isTouched() {
    return data != null;
  }

  ByteBuffer data() {
    ByteBuffer made = data;
    if (made == null) {
      if (bytes > Integer.MAX_VALUE - 16) {
        throw new IllegalStateException(
            "the simulated device computes on buffers of up to 2 GiB, not " + bytes + " bytes");
      }
      made = ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder());
      data = made;
    }
    return made;
  }

  ByteBuffer slice(long from, long length) {
    return data().slice((int) from, (int) length).order(ByteOrder.nativeOrder());
  }
}
