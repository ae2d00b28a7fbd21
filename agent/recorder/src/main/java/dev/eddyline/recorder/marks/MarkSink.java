package dev.eddyline.recorder.marks;

import dev.eddyline.marks.MarkLayout;
import dev.eddyline.recorder.shim.Shim;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes marks on the threads that make them, and asks CUPTI there what only the marking thread can
 * tell: its stream's id in its context. A launch gets an external id, which CUPTI attaches to the
 * calls of the thread until it ends. Marks that find the queue full are counted and left out.
 */
public final class MarkSink implements Consumer<ByteBuffer> {
  /** CUPTI's CUSTOM0. */
  private static final int EXTERNAL_KIND = 3;

  private static final int QUEUE = 1 << 16;
  private static final int STREAM_NUMBER = 1;
  private static final int COLLECTIVE_STREAM_NUMBER = 7;
  private static final int COLLECTIVE_EVENT_NUMBER = 8;

  private final ArrayBlockingQueue<Mark> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong groups = new AtomicLong();
  private final ThreadLocal<Long> group = new ThreadLocal<>();
  private final Consumer<String> beginnings;
  private volatile boolean on;

  /**
   * @param beginnings told the name of every step and range that begins, also while off
   */
  public MarkSink(Consumer<String> beginnings) {
    this.beginnings = beginnings;
  }

  /** Whether marks are kept. */
  public void setOn(boolean isOn) {
    on = isOn;
  }

  @Override
  public void accept(ByteBuffer record) {
    ByteBuffer mark = record.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int kind = MarkLayout.kind(mark);
    if (kind == MarkLayout.STEP_BEGIN || kind == MarkLayout.RANGE_BEGIN) {
      beginnings.accept(MarkLayout.text(mark, 0, 0));
    }
    if (!on) {
      return;
    }
    long stream = -1;
    switch (kind) {
      case MarkLayout.STREAM_NAME,
          MarkLayout.ROLE,
          MarkLayout.ALLOCATED,
          MarkLayout.FREED,
          MarkLayout.USED_ON ->
          stream = Shim.streamOf(MarkLayout.number(mark, STREAM_NUMBER));
      case MarkLayout.COLLECTIVE -> {
        stream = Shim.streamOf(MarkLayout.number(mark, COLLECTIVE_STREAM_NUMBER));
        long event = MarkLayout.number(mark, COLLECTIVE_EVENT_NUMBER);
        if (event != -1) {
          Shim.watch(event);
        }
      }
      default -> {}
    }
    ByteBuffer copy = ByteBuffer.allocate(mark.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(mark).flip();
    if (!queue.offer(new Mark(copy, Shim.threadId(), stream, groupOf(kind)))) {
      lost.incrementAndGet();
    }
  }

  private long groupOf(int kind) {
    if (kind == MarkLayout.LAUNCH_BEGIN) {
      long id = groups.incrementAndGet();
      group.set(id);
      Shim.pushExternal(EXTERNAL_KIND, id);
      return id;
    }
    if (kind == MarkLayout.LAUNCH_END) {
      Long id = group.get();
      if (id != null) {
        group.remove();
        Shim.popExternal(EXTERNAL_KIND);
        return id;
      }
    }
    return 0;
  }

  @Nullable Mark poll() {
    return queue.poll();
  }

  /** Marks that were left out. */
  public long lost() {
    return lost.get();
  }
}
