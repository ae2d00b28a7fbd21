package dev.eddyline.recorder.rows;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Call;
import dev.eddyline.trace.RecordType.Range;
import java.util.Map;

/**
 * Writes calls that have not returned, as far as they have come, and the Java stacks of all threads
 * at that moment. A stack belongs to the call's thread if the one Java thread whose name begins as
 * the kernel's does is that thread; the others go to threads numbered by minus their Java id. For
 * the thread that drains.
 */
public final class StuckCalls {
  private static final int KERNEL_NAME = 15;
  private final TraceRows rows;
  private final ThreadTable threads;
  private final Names names;
  private final long[] call = TraceRows.row(RecordType.CALL);
  private final long[] range = TraceRows.row(RecordType.RANGE);

  public StuckCalls(TraceRows rows, ThreadTable threads, Names names) {
    this.rows = rows;
    this.threads = threads;
    this.names = names;
  }

  /** Writes a call; returns words for it: "cudaStreamSynchronize on main for 12 s". */
  public String call(int tid, int domain, int id, long since, long now) {
    call[Call.START] = since;
    call[Call.DURATION] = now - since;
    call[Call.THREAD] = threads.id(tid);
    call[Call.NAME] = names.call(domain, id);
    rows.append(RecordType.CALL, call);
    return names.callName(domain, id)
        + " on "
        + threads.nameOf(tid)
        + " for "
        + (now - since) / 1_000_000_000L
        + " s";
  }

  /** Writes the stacks of all Java threads, as ranges of no length at this time. */
  public void stacks(Map<Thread, StackTraceElement[]> stacks, long now) {
    stacks.forEach(
        (thread, stack) -> {
          if (stack.length > 0 && !thread.getName().startsWith("eddyline-")) {
            write(threadOf(thread, stacks.keySet()), stack, now);
          }
        });
  }

  private int threadOf(Thread thread, Iterable<Thread> all) {
    String name = thread.getName();
    String beginning = name.length() > KERNEL_NAME ? name.substring(0, KERNEL_NAME) : name;
    int alike = 0;
    for (Thread each : all) {
      alike += each.getName().startsWith(beginning) ? 1 : 0;
    }
    int tid = alike == 1 ? threads.tidOf(beginning) : 0;
    if (tid != 0) {
      return threads.id(tid);
    }
    int own = (int) -thread.getId();
    threads.name(own, name);
    return threads.id(own);
  }

  private void write(int thread, StackTraceElement[] stack, long now) {
    range[Range.START] = now;
    range[Range.DURATION] = 0;
    range[Range.THREAD] = thread;
    range[Range.KIND] = Range.KIND_JAVA;
    for (int i = stack.length - 1; i >= 0; i--) {
      StackTraceElement frame = stack[i];
      String signature = 'L' + frame.getClassName().replace('.', '/') + ';';
      range[Range.NAME] =
          rows.writer()
              .string(
                  JavaFrames.words(
                      signature,
                      frame.getMethodName(),
                      frame.getFileName(),
                      frame.getLineNumber()));
      rows.append(RecordType.RANGE, range);
    }
  }
}
