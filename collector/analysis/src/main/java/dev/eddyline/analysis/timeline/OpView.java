package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Op;

/** Cursor over ops: units of GPU work. */
public final class OpView extends RowView<OpView> {
  OpView(Timeline timeline) {
    super(timeline, RecordType.OP);
  }

  public long start() {
    return value(Op.START);
  }

  public long end() {
    return value(Op.START) + duration();
  }

  public long duration() {
    return value(Op.DURATION);
  }

  public int stream() {
    return (int) value(Op.STREAM);
  }

  public int process() {
    return timeline.stream(stream()).process();
  }

  public String name() {
    return string(Op.NAME);
  }

  public int nameId() {
    return (int) value(Op.NAME);
  }

  /** One of the {@code KIND_} constants of {@link Op}. */
  public int kind() {
    return (int) value(Op.KIND);
  }

  public long correlation() {
    return value(Op.CORRELATION);
  }

  /** Row of the call that enqueued it, or -1. */
  public int call() {
    return timeline.callOf(process(), correlation());
  }

  /** Bytes that a copy or fill moved, -1 for others. */
  public long bytes() {
    return value(Op.BYTES);
  }

  /** One of the {@code MEMORY_} constants of {@link Op}, or -1. */
  public int srcMemory() {
    return (int) value(Op.SRC_MEMORY);
  }

  /** One of the {@code MEMORY_} constants of {@link Op}, or -1. */
  public int dstMemory() {
    return (int) value(Op.DST_MEMORY);
  }

  /** Whether this is a copy from or to host memory that is not pinned. */
  public boolean isPageableCopy() {
    return kind() == Op.KIND_COPY
        && (srcMemory() == Op.MEMORY_PAGEABLE || dstMemory() == Op.MEMORY_PAGEABLE);
  }

  /** Graph that it belongs to, -1 if none. */
  public long graph() {
    return value(Op.GRAPH);
  }

  /** Blocks of its grid, -1 if not a kernel or not known. */
  public long blocks() {
    return value(Op.BLOCKS);
  }

  /** Threads of a block, -1 if not a kernel or not known. */
  public long blockThreads() {
    return value(Op.BLOCK_THREADS);
  }
}
