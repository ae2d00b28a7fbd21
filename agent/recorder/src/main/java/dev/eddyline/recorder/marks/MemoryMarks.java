package dev.eddyline.recorder.marks;

import dev.eddyline.marks.MarkLayout;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Access;
import dev.eddyline.trace.RecordType.Allocation;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the program says of its own allocator and of host memory that it reads or writes. Accesses
 * that it declares of its next launch are not taken: deep mode reads what launches are given. For
 * the thread that drains.
 */
final class MemoryMarks {
  private static final int BY_HOST = 3;
  private final TraceRows rows;
  private final long[] allocation = TraceRows.row(RecordType.ALLOCATION);
  private final long[] access = TraceRows.row(RecordType.ACCESS);

  MemoryMarks(TraceRows rows) {
    this.rows = rows;
  }

  /** Writes a mark of a kind from {@code ALLOCATED} to {@code ACCESS}. */
  void take(ByteBuffer mark, int thread, int stream) {
    if (MarkLayout.kind(mark) == MarkLayout.ACCESS) {
      access(mark, thread);
    } else {
      allocation(mark, thread, stream);
    }
  }

  private void allocation(ByteBuffer mark, int thread, int stream) {
    Arrays.fill(allocation, RecordType.NONE);
    allocation[Allocation.START] = mark.getLong(MarkLayout.TIME_OFFSET);
    allocation[Allocation.PROCESS] = rows.process();
    allocation[Allocation.THREAD] = thread;
    allocation[Allocation.STREAM] = stream;
    allocation[Allocation.ALLOCATOR] = Allocation.ALLOCATOR_CACHING;
    allocation[Allocation.DEVICE] = MarkLayout.number(mark, 0);
    switch (MarkLayout.kind(mark)) {
      case MarkLayout.ALLOCATED -> {
        allocation[Allocation.KIND] = Allocation.KIND_ALLOCATE;
        allocation[Allocation.MEMORY] = MarkLayout.number(mark, 2);
        allocation[Allocation.BEGIN] = MarkLayout.number(mark, 3);
        allocation[Allocation.BYTES] = MarkLayout.number(mark, 4);
        String name = MarkLayout.text(mark, MarkLayout.ALLOCATED_NUMBERS, 0);
        if (!name.isEmpty()) {
          allocation[Allocation.NAME] = rows.writer().string(name);
        }
      }
      case MarkLayout.FREED -> {
        allocation[Allocation.KIND] = Allocation.KIND_FREE;
        allocation[Allocation.BEGIN] = MarkLayout.number(mark, 2);
      }
      case MarkLayout.USED_ON -> {
        allocation[Allocation.KIND] = Allocation.KIND_OTHER_STREAM;
        allocation[Allocation.BEGIN] = MarkLayout.number(mark, 2);
      }
      default -> {
        allocation[Allocation.KIND] = Allocation.KIND_RELEASE;
        allocation[Allocation.BEGIN] = MarkLayout.number(mark, 1);
      }
    }
    rows.append(RecordType.ALLOCATION, allocation);
  }

  private void access(ByteBuffer mark, int thread) {
    if (MarkLayout.number(mark, BY_HOST) == 0) {
      return;
    }
    access[Access.START] = mark.getLong(MarkLayout.TIME_OFFSET);
    access[Access.PROCESS] = rows.process();
    access[Access.THREAD] = thread;
    access[Access.KIND] = MarkLayout.number(mark, 0);
    access[Access.SOURCE] = Access.SOURCE_HOST;
    access[Access.CERTAINTY] = Access.CERTAINTY_EXACT;
    access[Access.BEGIN] = MarkLayout.number(mark, 1);
    access[Access.BYTES] = MarkLayout.number(mark, 2);
    rows.append(RecordType.ACCESS, access);
  }
}
