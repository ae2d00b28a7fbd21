package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Allocation;

/** Cursor over what allocators did: memory handed out, given back, used by another stream. */
public final class AllocationView extends RowView<AllocationView> {
  AllocationView(Timeline timeline) {
    super(timeline, RecordType.ALLOCATION);
  }

  public long start() {
    return value(Allocation.START);
  }

  public int process() {
    return (int) value(Allocation.PROCESS);
  }

  /** The host thread that asked for it, or -1. */
  public int thread() {
    return (int) value(Allocation.THREAD);
  }

  /** The stream in whose order it happens, or the one that uses the block too; -1 for none. */
  public int stream() {
    return (int) value(Allocation.STREAM);
  }

  /** Correlation of its call, or -1. */
  public long correlation() {
    return value(Allocation.CORRELATION);
  }

  /** One of the {@code KIND_} constants of {@link Allocation}. */
  public int kind() {
    return (int) value(Allocation.KIND);
  }

  /** One of the {@code ALLOCATOR_} constants of {@link Allocation}. */
  public int allocator() {
    return (int) value(Allocation.ALLOCATOR);
  }

  /** One of the {@code MEMORY_} constants of {@link RecordType.Op}, or -1. */
  public int memory() {
    return (int) value(Allocation.MEMORY);
  }

  /** Device number in its process, -1 for none or not known. */
  public int device() {
    return (int) value(Allocation.DEVICE);
  }

  /** Id of the buffer, -1 where {@link #begin} is an address. */
  public long buffer() {
    return value(Allocation.BUFFER);
  }

  /** First address. */
  public long begin() {
    return value(Allocation.BEGIN);
  }

  /** How many bytes, -1 where that is not known. */
  public long bytes() {
    return value(Allocation.BYTES);
  }

  /** A name that the program gave it, "" for none. */
  public String name() {
    return string(Allocation.NAME);
  }
}
