package dev.eddyline.group;

import dev.eddyline.device.DataType;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How one collective is carried out. Immutable.
 *
 * @param async true: on the group's stream, beside the current one, with a {@link Work} to wait
 *     for. False: on the current stream itself, in its order; there is nothing to wait for, and the
 *     Work that comes back is completed
 * @param timeoutNanos how long it may take until it is done, 0 for the group's timeout
 * @param stream another stream to carry it out on in place of the group's; null for the group's
 * @param type takes the bytes of the buffers as elements of this type; null for their own
 * @param op how it reduces, where it does
 */
public record CollectiveOptions(
    boolean async,
    long timeoutNanos,
    @Nullable Stream stream,
    @Nullable DataType type,
    ReduceOp op) {
  private static final CollectiveOptions DEFAULTS =
      new CollectiveOptions(true, 0, null, null, ReduceOp.SUM);

  public CollectiveOptions {
    if (timeoutNanos < 0) {
      throw new IllegalArgumentException("a timeout of " + timeoutNanos + " ns");
    }
    if (!async && stream != null) {
      throw new IllegalArgumentException(
          "async = false runs on the current stream: do not name stream '"
              + stream.name()
              + "' too; make it the current one by device.use(stream), or leave async true");
    }
  }

  /** Asynchronous, on the group's stream, with the group's timeout; reduces by summing up. */
  public static CollectiveOptions defaults() {
    return DEFAULTS;
  }

  /** On the current stream, with nothing to wait for. */
  public static CollectiveOptions onCurrentStream() {
    return new CollectiveOptions(false, 0, null, null, ReduceOp.SUM);
  }

  /** These options with another way to reduce. */
  public CollectiveOptions withOp(ReduceOp newOp) {
    return new CollectiveOptions(async, timeoutNanos, stream, type, newOp);
  }

  /** These options with a timeout of its own. */
  public CollectiveOptions withTimeout(long nanos) {
    return new CollectiveOptions(async, nanos, stream, type, op);
  }

  /** These options on a stream in place of the group's. */
  public CollectiveOptions withStream(Stream newStream) {
    return new CollectiveOptions(async, timeoutNanos, newStream, type, op);
  }

  /** These options with the buffers' bytes taken as elements of a type. */
  public CollectiveOptions withType(DataType newType) {
    return new CollectiveOptions(async, timeoutNanos, stream, newType, op);
  }
}
