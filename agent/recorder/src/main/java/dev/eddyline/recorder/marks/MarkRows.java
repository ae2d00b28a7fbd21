package dev.eddyline.recorder.marks;

import dev.eddyline.marks.MarkLayout;
import dev.eddyline.recorder.rows.StreamTable;
import dev.eddyline.recorder.rows.ThreadTable;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Range;
import dev.eddyline.trace.RecordType.Role;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Makes rows of marks: steps, ranges, names, roles; collectives go to {@link GroupRows}. */
public final class MarkRows {
  private record Open(String name, long start, int kind) {}

  private static final int NAMED_NUMBERS = 2;
  private final MarkSink sink;
  private final TraceRows rows;
  private final ThreadTable threads;
  private final StreamTable streams;
  private final GroupRows groups;
  private final MemoryMarks memory;
  private final Map<Integer, ArrayDeque<Open>> open = new HashMap<>();
  private final long[] range = TraceRows.row(RecordType.RANGE);
  private final long[] role = TraceRows.row(RecordType.ROLE);

  public MarkRows(
      MarkSink sink, TraceRows rows, ThreadTable threads, StreamTable streams, GroupRows groups) {
    this.sink = sink;
    this.rows = rows;
    this.threads = threads;
    this.streams = streams;
    this.groups = groups;
    this.memory = new MemoryMarks(rows);
  }

  /** Takes all marks that came; whether there were any. */
  public boolean drain() {
    boolean any = false;
    for (Mark mark = sink.poll(); mark != null; mark = sink.poll()) {
      take(mark);
      any = true;
    }
    return any;
  }

  private void take(Mark mark) {
    ByteBuffer record = mark.record();
    long time = record.getLong(MarkLayout.TIME_OFFSET);
    switch (MarkLayout.kind(record)) {
      case MarkLayout.STEP_BEGIN ->
          begin(mark.tid(), MarkLayout.text(record, 0, 0), time, Range.KIND_STEP);
      case MarkLayout.RANGE_BEGIN ->
          begin(mark.tid(), MarkLayout.text(record, 0, 0), time, Range.KIND_ANNOTATION);
      case MarkLayout.END -> end(mark.tid(), time);
      case MarkLayout.STREAM_NAME -> {
        if (mark.stream() >= 0) {
          streams.name(stream(mark), MarkLayout.text(record, NAMED_NUMBERS, 0));
        }
      }
      case MarkLayout.ROLE -> {
        if (mark.stream() >= 0) {
          role[Role.START] = time;
          role[Role.STREAM] = stream(mark);
          role[Role.ROLE] = rows.writer().string(MarkLayout.text(record, NAMED_NUMBERS, 0));
          rows.append(RecordType.ROLE, role);
        }
      }
      case MarkLayout.COLLECTIVE ->
          groups.described(mark, mark.stream() < 0 ? -1 : stream(mark), threads.id(mark.tid()));
      case MarkLayout.LAUNCH_BEGIN -> groups.begin(mark.tid(), mark.group(), time);
      case MarkLayout.LAUNCH_END -> groups.end(mark.group(), time);
      case MarkLayout.ALLOCATED,
          MarkLayout.FREED,
          MarkLayout.USED_ON,
          MarkLayout.RELEASED,
          MarkLayout.ACCESS ->
          memory.take(record, threads.id(mark.tid()), mark.stream() < 0 ? -1 : stream(mark));
      default -> {}
    }
  }

  private int stream(Mark mark) {
    return streams.id((int) (mark.stream() >>> 32), (int) mark.stream());
  }

  private void begin(int tid, String name, long time, int kind) {
    open.computeIfAbsent(tid, t -> new ArrayDeque<>()).push(new Open(name, time, kind));
  }

  private void end(int tid, long time) {
    ArrayDeque<Open> ranges = open.get(tid);
    Open ended = ranges == null ? null : ranges.poll();
    if (ended != null) {
      range[Range.START] = ended.start();
      range[Range.DURATION] = time - ended.start();
      range[Range.THREAD] = threads.id(tid);
      range[Range.KIND] = ended.kind();
      range[Range.NAME] = rows.writer().string(ended.name());
      rows.append(RecordType.RANGE, range);
    }
  }
}
