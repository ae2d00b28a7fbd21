package dev.eddyline.trace;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps the last finished frames in memory, of the last N seconds or M bytes, whichever is less,
 * for {@link EddyWriter#snapshot}. Only data and marks are kept: a snapshot begins with a header
 * and the dictionaries as they are then. A frame that alone is larger than the bound is not kept.
 */
public final class FrameRing implements FrameSink {
  /** One frame; {@code writtenAt} by {@link System#nanoTime()}. */
  record Kept(FrameHeader header, byte[] frame, long writtenAt) {}

  private final long maxNanos;
  private final long maxBytes;
  private final ArrayDeque<Kept> frames = new ArrayDeque<>();
  private long bytesKept;

  /**
   * @param maxNanos how old a frame may become, by {@link System#nanoTime()} at its writing
   * @param maxBytes how many bytes all frames together may have
   */
  public FrameRing(long maxNanos, long maxBytes) {
    this.maxNanos = maxNanos;
    this.maxBytes = maxBytes;
  }

  @Override
  public synchronized void write(FrameHeader header, byte[] bytes, int length) {
    long now = System.nanoTime();
    if (header.kind() == FrameKind.DATA || header.kind() == FrameKind.MARKS) {
      frames.add(new Kept(header, Arrays.copyOf(bytes, length), now));
      bytesKept += length;
    }
    forget(now);
  }

  private void forget(long now) {
    while (!frames.isEmpty()
        && (bytesKept > maxBytes || now - frames.getFirst().writtenAt > maxNanos)) {
      bytesKept -= frames.removeFirst().frame.length;
    }
  }

  /** The frames that are kept, oldest first; not to be changed. */
  synchronized List<Kept> frames() {
    forget(System.nanoTime());
    return List.copyOf(frames);
  }

  /** How many bytes the kept frames have. */
  public synchronized long bytes() {
    return bytesKept;
  }

  @Override
  public void close() {}
}
