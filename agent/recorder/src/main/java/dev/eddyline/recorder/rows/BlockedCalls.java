package dev.eddyline.recorder.rows;

import dev.eddyline.recorder.BlockedCall;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Range;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Writes the Java stacks of calls that blocked as ranges around the call, outermost first. */
public final class BlockedCalls {
  private final TraceRows rows;
  private final ThreadTable threads;
  private final Names names;
  private final JavaFrames frames = new JavaFrames();
  private final Consumer<BlockedCall> listener;
  private final long[] numbers = new long[Shim.BLOCKED_NUMBERS];
  private final byte[] name = new byte[Shim.MAX_NAME];
  private final long[] range = TraceRows.row(RecordType.RANGE);
  private long taken;

  public BlockedCalls(
      TraceRows rows, ThreadTable threads, Names names, Consumer<BlockedCall> listener) {
    this.rows = rows;
    this.threads = threads;
    this.names = names;
    this.listener = listener;
  }

  /** Takes what the shim has. */
  public void drain() {
    for (int length = take(); length >= 0; length = take()) {
      write(length);
    }
  }

  private int take() {
    return Shim.takeBlocked(numbers, name);
  }

  private void write(int nameLength) {
    int tid = (int) numbers[3];
    long start = numbers[4];
    long duration = numbers[5] - start;
    List<String> stack = frames.of(numbers, (int) numbers[6]);
    String thread = new String(name, 0, nameLength, StandardCharsets.UTF_8);
    if (frames.isVirtual()) {
      threads.carries(tid);
    } else if (nameLength > 0) {
      threads.name(tid, thread);
    }
    taken++;
    range[Range.START] = start;
    range[Range.DURATION] = duration;
    range[Range.THREAD] = threads.id(tid);
    range[Range.KIND] = Range.KIND_JAVA;
    for (int i = stack.size() - 1; i >= 0; i--) {
      range[Range.NAME] = rows.writer().string(stack.get(i));
      rows.append(RecordType.RANGE, range);
    }
    int domain = (int) numbers[0];
    listener.accept(
        new BlockedCall(
            start,
            duration,
            names.callName(domain, (int) numbers[1]),
            tid,
            thread,
            stack,
            frames.isVirtual()));
  }

  /** How many calls were taken. */
  public long taken() {
    return taken;
  }
}
