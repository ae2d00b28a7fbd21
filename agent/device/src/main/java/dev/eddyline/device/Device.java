package dev.eddyline.device;

/**
 * A GPU, as one process uses it. What its calls do to the host ("blocks") is what CUDA's do; the
 * simulated device is held to what was measured on a real one.
 */
public interface Device {
  /** Its number in this process, from 0. */
  int ordinal();

  /** Its product name. */
  String name();

  /** How many multiprocessors it has. */
  int multiprocessors();

  /** Bytes of its memory. */
  long memoryBytes();

  /** Bytes of its memory that are not in use; never blocks. */
  long freeBytes();

  // ---- streams ----

  /** Makes a stream; never blocks. */
  Stream createStream(StreamOptions options);

  /** A new non-blocking stream of normal priority. */
  default Stream createStream(String name) {
    return createStream(StreamOptions.nonBlocking(name));
  }

  /** The legacy default stream of this device; cannot be destroyed. */
  Stream defaultStream();

  /** The per-thread default stream of the calling thread; it is a blocking stream. */
  Stream perThreadDefaultStream();

  /** The stream that the calling thread works on: the innermost {@link #use}, else the default. */
  Stream currentStream();

  /**
   * Makes a stream the current one of the calling thread, until the scope is closed by the same
   * thread. Scopes nest.
   */
  Scope use(Stream stream);

  /** Until when a stream is the current one. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Makes kernels ready to launch: on a CUDA device compiles and loads them, which takes the host
   * some 100 ms for each new one. Without it the first launch does so. Load all kernels before the
   * first collective: loading may wait for the device, and the device for a rank that has not come.
   */
  default void load(Kernel... kernels) {}

  // ---- events ----

  /**
   * Makes an event that was never recorded.
   *
   * @param name what traces and messages call it, "" for none
   */
  Event createEvent(String name);

  /** A new event without a name. */
  default Event createEvent() {
    return createEvent("");
  }

  // ---- memory ----

  /**
   * Device memory ({@code cudaMalloc}); does not block. Its content is undefined.
   *
   * @param count how many elements
   * @throws DeviceException {@link DeviceException.Reason#OUT_OF_MEMORY}, with how much was asked
   *     for, in use, and by whom
   */
  Buffer allocate(DataType type, long count);

  /**
   * Frees memory of {@link #allocate} ({@code cudaFree}): blocks until everything on this device is
   * done. Memory of {@link Stream#allocate} may be given too; then it does not block.
   */
  void free(Buffer buffer);

  /** Page-locked host memory ({@code cudaHostAlloc}), zeroed; does not block. */
  HostBuffer allocatePinned(DataType type, long count);

  /** Ordinary host memory, zeroed. No device is asked for it. */
  HostBuffer allocatePageable(DataType type, long count);

  /** Frees host memory; for pinned memory blocks until everything on this device is done. */
  void free(HostBuffer buffer);

  /**
   * Copies on the legacy default stream ({@code cudaMemcpy}): between host and device blocks until
   * the copy is done, and so for all earlier work of blocking streams; between devices it does not.
   */
  void copy(Buffer target, Buffer source);

  /** Fills on the legacy default stream ({@code cudaMemset}); blocks for pinned memory only. */
  void fill(Buffer target, int value);

  // ---- the whole device ----

  /** Blocks until everything that was enqueued on this device is done. */
  void synchronize();
}
