package dev.eddyline.device;

/**
 * A queue of work on a device: what is enqueued runs in that order. Enqueuing returns at once, but
 * for the cases named here, and but for a full launch queue: the call that finds 1022 launches
 * waiting on the stream blocks until there is room.
 *
 * <p>Several threads may enqueue on one stream; the order is that of their calls.
 */
public interface Stream extends AutoCloseable {
  /** Its device. */
  Device device();

  /** The name that it was made with. */
  String name();

  /** Whether it synchronises with the legacy default stream. */
  boolean isBlocking();

  /** Its handle: unique among the streams that exist now, reused afterwards. */
  long handle();

  // ---- work ----

  /**
   * Launches a kernel.
   *
   * @param arguments {@link Buffer}, {@link Integer}, {@link Long}, {@link Float} or {@link Double}
   *     in the order of the kernel's parameters
   */
  void launch(Kernel kernel, Grid grid, Object... arguments);

  /**
   * Copies as many bytes as the target has ({@code cudaMemcpyAsync}); the source has as many or
   * more. From pageable memory the source is read before the call returns; to pageable memory the
   * call blocks until the copy is done.
   */
  void copy(Buffer target, Buffer source);

  /** Sets each byte of device or pinned memory ({@code cudaMemsetAsync}). */
  void fill(Buffer target, int value);

  /**
   * Runs Java on the host when all earlier work of the stream is done, and holds later work until
   * it returns. It must not call this API.
   *
   * @param name what traces call it
   */
  void hostFunction(String name, Runnable body);

  // ---- order ----

  /** Records an event behind all that was enqueued here; a record before is forgotten. */
  void record(Event event);

  /**
   * Later work of this stream waits for the latest record of the event at this call. Waiting for an
   * event that was never recorded waits for nothing. The event may be of another device.
   */
  void waitFor(Event event);

  /** Later work of this stream waits for all that is enqueued on another stream now. */
  default void waitFor(Stream other) {
    try (Event event = other.device().createEvent()) {
      other.record(event);
      waitFor(event);
    }
  }

  /** Blocks until everything that was enqueued here is done. */
  void synchronize();

  /** Whether everything that was enqueued here is done; never blocks. */
  boolean isDone();

  // ---- memory in stream order ----

  /**
   * Memory from the device's pool ({@code cudaMallocAsync}): usable by later work of this stream,
   * and by work of others that is ordered after this call.
   *
   * @throws DeviceException {@link DeviceException.Reason#OUT_OF_MEMORY}
   */
  Buffer allocate(DataType type, long count);

  /**
   * Gives memory back when all earlier work of this stream is done ({@code cudaFreeAsync}). Work of
   * other streams that uses it must be ordered before this call.
   */
  void free(Buffer buffer);

  /** Destroys the stream; what is enqueued still runs. Does not block. */
  @Override
  void close();
}
