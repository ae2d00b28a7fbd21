package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Access;

/** Cursor over accesses of ops and of host threads to memory. */
public final class AccessView extends RowView<AccessView> {
  AccessView(Timeline timeline) {
    super(timeline, RecordType.ACCESS);
  }

  /** When the op was enqueued, or when the host thread did it. */
  public long start() {
    return value(Access.START);
  }

  public int process() {
    return (int) value(Access.PROCESS);
  }

  /** The host thread that did it or enqueued the op, or -1. */
  public int thread() {
    return (int) value(Access.THREAD);
  }

  /** The stream of the op, -1 where a host thread did it. */
  public int stream() {
    return (int) value(Access.STREAM);
  }

  /** Whether a host thread did it, not an op. */
  public boolean isByHost() {
    return stream() < 0;
  }

  /** Correlation of the call that enqueued the op, or -1. */
  public long correlation() {
    return value(Access.CORRELATION);
  }

  /** One of the {@code KIND_} constants of {@link Access}. */
  public int kind() {
    return (int) value(Access.KIND);
  }

  /** Whether it reads, or may. */
  public boolean reads() {
    return kind() != Access.KIND_WRITE;
  }

  /** Whether it writes, or may. */
  public boolean writes() {
    return kind() != Access.KIND_READ;
  }

  /** One of the {@code SOURCE_} constants of {@link Access}. */
  public int source() {
    return (int) value(Access.SOURCE);
  }

  /** One of the {@code CERTAINTY_} constants of {@link Access}. */
  public int certainty() {
    return (int) value(Access.CERTAINTY);
  }

  /** One of the {@code MEMORY_} constants of {@link RecordType.Op}, or -1. */
  public int memory() {
    return (int) value(Access.MEMORY);
  }

  /** Id of the buffer that {@link #begin} counts from, -1 where that is an address. */
  public long buffer() {
    return value(Access.BUFFER);
  }

  /** First address, or offset in the buffer. */
  public long begin() {
    return value(Access.BEGIN);
  }

  /** How many bytes, -1 where that is not known. */
  public long bytes() {
    return value(Access.BYTES);
  }
}
