package dev.eddyline.device.sim;

import dev.eddyline.marks.MarkLayout;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Access;
import dev.eddyline.trace.RecordType.Allocation;
import dev.eddyline.trace.RecordType.Op;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes who reads and writes which memory, and what allocators do. For whoever holds the baton.
 */
final class MemoryRecorder {
  private final EddyWriter writer;
  private final boolean on;
  private final long[] accessRow = row(RecordType.ACCESS);
  private final long[] hostRow = row(RecordType.ACCESS);
  private final long[] allocationRow = row(RecordType.ALLOCATION);

  /** The thread whose last access of host memory is in {@link #hostRow}, not yet written. */
  private @Nullable SimThread hostThread;

  /** What threads declare of their next launches. */
  private final Map<SimThread, List<long[]>> declared = new HashMap<>();

  MemoryRecorder(EddyWriter writer, boolean on) {
    this.writer = writer;
    this.on = on;
  }

  private static long[] row(RecordType type) {
    long[] row = new long[type.width()];
    Arrays.fill(row, RecordType.NONE);
    return row;
  }

  static int memory(dev.eddyline.device.Buffer.Kind kind) {
    return switch (kind) {
      case DEVICE -> Op.MEMORY_DEVICE;
      case PINNED -> Op.MEMORY_PINNED;
      case PAGEABLE -> Op.MEMORY_PAGEABLE;
    };
  }

  // ---- accesses ----

  /** What an op accesses that a call enqueued. */
  void op(SimThread thread, long start, SimStream stream, long correlation, Accesses accesses) {
    if (!on) {
      return;
    }
    long[] row = accessRow;
    row[Access.START] = start;
    row[Access.PROCESS] = thread.process.recorded;
    row[Access.THREAD] = thread.recorded;
    row[Access.STREAM] = stream.recorded;
    row[Access.CORRELATION] = correlation;
    List<long[]> said = declared.isEmpty() ? null : declared.remove(thread);
    if (said != null) {
      writeDeclared(row, said);
    }
    for (Accesses.Range range : accesses.ranges) {
      range.buffer().block.used = true;
      if (said != null && range.source() == Access.SOURCE_LAUNCH_PARAMETER) {
        continue;
      }
      row[Access.KIND] = range.kind();
      row[Access.SOURCE] = range.source();
      row[Access.CERTAINTY] = range.certainty();
      row[Access.MEMORY] = memory(range.buffer().kind());
      row[Access.BEGIN] = range.buffer().address();
      row[Access.BYTES] = range.buffer().bytes();
      writer.append(RecordType.ACCESS, row);
    }
  }

  private void writeDeclared(long[] row, List<long[]> said) {
    row[Access.SOURCE] = Access.SOURCE_DECLARED;
    row[Access.CERTAINTY] = Access.CERTAINTY_EXACT;
    row[Access.MEMORY] = RecordType.NONE;
    for (long[] one : said) {
      row[Access.KIND] = one[0];
      row[Access.BEGIN] = one[1];
      row[Access.BYTES] = one[2];
      writer.append(RecordType.ACCESS, row);
    }
  }

  /** A program says what its next launch accesses, or what it does itself. */
  void declare(SimThread thread, ByteBuffer mark) {
    if (!on) {
      return;
    }
    long[] said = {
      MarkLayout.number(mark, 0), MarkLayout.number(mark, 1), MarkLayout.number(mark, 2)
    };
    if (MarkLayout.number(mark, 3) == 0) {
      declared.computeIfAbsent(thread, key -> new ArrayList<>()).add(said);
      return;
    }
    flush();
    long[] row = row(RecordType.ACCESS);
    row[Access.START] = thread.now;
    row[Access.PROCESS] = thread.process.recorded;
    row[Access.THREAD] = thread.recorded;
    row[Access.KIND] = said[0];
    row[Access.SOURCE] = Access.SOURCE_DECLARED;
    row[Access.CERTAINTY] = Access.CERTAINTY_EXACT;
    row[Access.BEGIN] = said[1];
    row[Access.BYTES] = said[2];
    writer.append(RecordType.ACCESS, row);
  }

  /**
   * A host thread reads or writes host memory. Accesses of one kind that follow each other without
   * a call between them, element by element, become one.
   */
  void host(SimThread thread, SimBuffer buffer, long offset, long bytes, int kind) {
    if (!on || !buffer.block.used || bytes == 0) {
      return;
    }
    long begin = buffer.address() + offset;
    long[] row = hostRow;
    if (hostThread == thread
        && row[Access.START] == thread.now
        && row[Access.KIND] == kind
        && begin >= row[Access.BEGIN]
        && begin <= row[Access.BEGIN] + row[Access.BYTES]) {
      row[Access.BYTES] = Math.max(row[Access.BYTES], begin + bytes - row[Access.BEGIN]);
      return;
    }
    flush();
    hostThread = thread;
    row[Access.START] = thread.now;
    row[Access.PROCESS] = thread.process.recorded;
    row[Access.THREAD] = thread.recorded;
    row[Access.KIND] = kind;
    row[Access.SOURCE] = Access.SOURCE_HOST;
    row[Access.CERTAINTY] =
        kind == Access.KIND_UNKNOWN ? Access.CERTAINTY_WITHIN : Access.CERTAINTY_EXACT;
    row[Access.MEMORY] = memory(buffer.kind());
    row[Access.BEGIN] = begin;
    row[Access.BYTES] = bytes;
  }

  /** Writes what is kept. */
  void flush() {
    if (hostThread != null) {
      hostThread = null;
      writer.append(RecordType.ACCESS, hostRow);
    }
  }

  // ---- allocators ----

  /**
   * Memory was handed out or given back.
   *
   * @param kind one of the {@code KIND_} constants of {@link Allocation}
   * @param allocator one of its {@code ALLOCATOR_} constants
   * @param stream in whose order, null for none
   * @param correlation of the call, -1 where none was made
   */
  void allocation(
      SimThread thread,
      long start,
      int kind,
      int allocator,
      @Nullable SimStream stream,
      long correlation,
      SimBuffer buffer) {
    if (!on) {
      return;
    }
    flush();
    long[] row = allocationRow;
    Arrays.fill(row, RecordType.NONE);
    row[Allocation.START] = start;
    row[Allocation.PROCESS] = thread.process.recorded;
    row[Allocation.THREAD] = thread.recorded;
    row[Allocation.STREAM] = stream == null ? RecordType.NONE : stream.recorded;
    row[Allocation.CORRELATION] = correlation;
    row[Allocation.KIND] = kind;
    row[Allocation.ALLOCATOR] = allocator;
    row[Allocation.MEMORY] = memory(buffer.kind());
    row[Allocation.DEVICE] = buffer.device().ordinal();
    row[Allocation.BEGIN] = buffer.block.address;
    row[Allocation.BYTES] = buffer.block.bytes;
    writer.append(RecordType.ALLOCATION, row);
  }

  /**
   * What the program says of an allocator of its own.
   *
   * @param stream id of the stream that the mark names, -1 for none
   */
  void mark(SimThread thread, ByteBuffer mark, int stream) {
    if (!on) {
      return;
    }
    flush();
    int kind = MarkLayout.kind(mark);
    long[] row = allocationRow;
    Arrays.fill(row, RecordType.NONE);
    row[Allocation.START] = thread.now;
    row[Allocation.PROCESS] = thread.process.recorded;
    row[Allocation.THREAD] = thread.recorded;
    row[Allocation.STREAM] = stream;
    row[Allocation.ALLOCATOR] = Allocation.ALLOCATOR_CACHING;
    row[Allocation.DEVICE] = MarkLayout.number(mark, 0);
    switch (kind) {
      case MarkLayout.ALLOCATED -> {
        row[Allocation.KIND] = Allocation.KIND_ALLOCATE;
        row[Allocation.MEMORY] = MarkLayout.number(mark, 2);
        row[Allocation.BEGIN] = MarkLayout.number(mark, 3);
        row[Allocation.BYTES] = MarkLayout.number(mark, 4);
        String name = MarkLayout.text(mark, MarkLayout.ALLOCATED_NUMBERS, 0);
        row[Allocation.NAME] = name.isEmpty() ? RecordType.NONE : writer.string(name);
      }
      case MarkLayout.FREED -> {
        row[Allocation.KIND] = Allocation.KIND_FREE;
        row[Allocation.BEGIN] = MarkLayout.number(mark, 2);
      }
      case MarkLayout.USED_ON -> {
        row[Allocation.KIND] = Allocation.KIND_OTHER_STREAM;
        row[Allocation.BEGIN] = MarkLayout.number(mark, 2);
      }
      default -> {
        row[Allocation.KIND] = Allocation.KIND_RELEASE;
        row[Allocation.BEGIN] = MarkLayout.number(mark, 1);
      }
    }
    writer.append(RecordType.ALLOCATION, row);
  }
}
