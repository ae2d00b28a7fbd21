package dev.eddyline.device;

/**
 * Streams handed out in turn, as PyTorch's pool does: two that were drawn for different purposes
 * may be the same stream. For any number of threads.
 */
public final class StreamPool {
  /** How many streams PyTorch's pool has. */
  public static final int DEFAULT_SIZE = 32;

  private final Stream[] streams;
  private int next;

  /** A pool of {@value #DEFAULT_SIZE} non-blocking streams. */
  public StreamPool(Device device) {
    this(device, DEFAULT_SIZE, 0);
  }

  /**
   * A pool of non-blocking streams, made at once.
   *
   * @param priority as in {@link StreamOptions}
   */
  public StreamPool(Device device, int size, int priority) {
    if (size < 1) {
      throw new IllegalArgumentException("a pool needs at least one stream, not " + size);
    }
    streams = new Stream[size];
    for (int i = 0; i < size; i++) {
      streams[i] =
          device.createStream(StreamOptions.nonBlocking("pool-" + i).withPriority(priority));
    }
  }

  /** How many streams it has. */
  public int size() {
    return streams.length;
  }

  /** The next stream in turn. */
  public synchronized Stream next() {
    Stream stream = streams[next];
    next = (next + 1) % streams.length;
    return stream;
  }
}
