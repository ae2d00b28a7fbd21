package dev.eddyline.device;

/**
 * Elements of one type in memory of a device or of the host. A slice is a view: it is not freed by
 * itself.
 */
public interface Buffer {
  /** Where the memory lies, as CUDA tells it apart. */
  enum Kind {
    DEVICE,
    PINNED,
    PAGEABLE
  }

  /** Where it lies. */
  Kind kind();

  /** The device that it belongs to. */
  Device device();

  /** Its address. */
  long address();

  /** What its elements are. */
  DataType type();

  /** How many elements it has. */
  long count();

  /** How many bytes it has. */
  default long bytes() {
    return count() * type().bytes();
  }

  /**
   * A part of it.
   *
   * @param from index of the first element
   * @param count how many elements
   */
  Buffer slice(long from, long count);

  /** The same bytes as elements of another type. */
  Buffer as(DataType type);
}
