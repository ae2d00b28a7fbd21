package dev.eddyline.recorder.decode;

import dev.eddyline.recorder.rows.LongIntMap;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Access;
import java.util.Arrays;

/**
 * Deep mode: what launches, copies and fills were given, held until the op's record tells its
 * stream. Of a launch each word that lies in a block of memory may be an access to it. Ops that
 * never come (launches that were captured) are forgotten, oldest first. For the thread that drains.
 */
public final class Accesses {
  private static final int HELD = 1 << 15;
  private static final int NUMBERS = 1 << 16;
  private static final int HEAD = 4;
  private static final int COPY_WORDS = 3;

  private final TraceRows rows;
  private final MemoryBlocks blocks;
  private final LongIntMap slotOf = new LongIntMap();
  private final long[] correlations = new long[HELD];
  private final long[] outers = new long[HELD];
  private final long[] times = new long[HELD];
  private final long[][] words = new long[HELD][];
  private final int[] counts = new int[HELD];
  private final long[] numbers = new long[NUMBERS];
  private final long[] access = TraceRows.row(RecordType.ACCESS);
  private int next;
  private long forgotten;

  public Accesses(TraceRows rows, MemoryBlocks blocks) {
    this.rows = rows;
    this.blocks = blocks;
    Arrays.fill(words, new long[0]);
  }

  /** Takes the launches that the shim read; whether there were any. */
  public boolean drain() {
    boolean any = false;
    for (int used = Shim.takeLaunches(numbers); used > 0; used = Shim.takeLaunches(numbers)) {
      any = true;
      for (int at = 0; at < used; at += HEAD + (int) numbers[at + 3]) {
        hold(
            numbers[at],
            numbers[at + 1],
            numbers[at + 2],
            numbers,
            at + HEAD,
            (int) numbers[at + 3]);
      }
    }
    return any;
  }

  /** A copy or fill was called: for a copy target, source, bytes; for a fill its address first. */
  public void called(int correlation, long time, long[] from, int at) {
    hold(correlation & 0xFFFFFFFFL, 0, time, from, at, COPY_WORDS);
  }

  /** The op carries the correlation of either call: the driver's, or the runtime's around it. */
  private void hold(long correlation, long outer, long time, long[] from, int at, int count) {
    if (count == 0) {
      return;
    }
    int slot = next;
    next = (next + 1) % HELD;
    if (counts[slot] > 0) {
      forget(slot);
      forgotten++;
    }
    long[] room = words[slot];
    if (room.length < count) {
      room = new long[count];
      words[slot] = room;
    }
    System.arraycopy(from, at, room, 0, count);
    correlations[slot] = correlation;
    outers[slot] = outer;
    times[slot] = time;
    counts[slot] = count;
    slotOf.put(correlation, slot);
    if (outer != 0) {
      slotOf.put(outer, slot);
    }
  }

  private int release(int correlation) {
    if (slotOf.size() == 0) {
      return LongIntMap.ABSENT;
    }
    int slot = slotOf.get(correlation & 0xFFFFFFFFL);
    if (slot != LongIntMap.ABSENT) {
      forget(slot);
      Arrays.fill(access, RecordType.NONE);
      access[Access.START] = times[slot];
      access[Access.PROCESS] = rows.process();
      access[Access.CORRELATION] = correlation & 0xFFFFFFFFL;
    }
    return slot;
  }

  private void forget(int slot) {
    slotOf.remove(correlations[slot]);
    if (outers[slot] != 0) {
      slotOf.remove(outers[slot]);
    }
  }

  /** A kernel ran. */
  public void kernel(int correlation, int stream) {
    int slot = release(correlation);
    if (slot == LongIntMap.ABSENT) {
      return;
    }
    access[Access.STREAM] = stream;
    access[Access.KIND] = Access.KIND_UNKNOWN;
    access[Access.SOURCE] = Access.SOURCE_LAUNCH_PARAMETER;
    access[Access.CERTAINTY] = Access.CERTAINTY_GUESSED;
    for (int i = 0; i < counts[slot]; i++) {
      long word = words[slot][i];
      if (blocks.isAddress(word)) {
        access[Access.BEGIN] = word;
        rows.append(RecordType.ACCESS, access);
      }
    }
    counts[slot] = 0;
  }

  /** A copy ran. */
  public void copy(int correlation, int stream, long bytes, long from, long to) {
    int slot = release(correlation);
    if (slot == LongIntMap.ABSENT) {
      return;
    }
    access[Access.STREAM] = stream;
    access[Access.SOURCE] = Access.SOURCE_COPY;
    access[Access.CERTAINTY] = Access.CERTAINTY_EXACT;
    access[Access.BYTES] = bytes;
    append(Access.KIND_WRITE, to, words[slot][0]);
    append(Access.KIND_READ, from, words[slot][1]);
    counts[slot] = 0;
  }

  /** A fill ran. */
  public void fill(int correlation, int stream, long bytes, long memory) {
    int slot = release(correlation);
    if (slot == LongIntMap.ABSENT) {
      return;
    }
    access[Access.STREAM] = stream;
    access[Access.SOURCE] = Access.SOURCE_COPY;
    access[Access.CERTAINTY] = Access.CERTAINTY_EXACT;
    access[Access.BYTES] = bytes;
    append(Access.KIND_WRITE, memory, words[slot][0]);
    counts[slot] = 0;
  }

  private void append(int kind, long memory, long begin) {
    access[Access.KIND] = kind;
    access[Access.MEMORY] = memory;
    access[Access.BEGIN] = begin;
    rows.append(RecordType.ACCESS, access);
  }

  /** Launches and copies whose op did not come while they were held. */
  public long forgotten() {
    return forgotten;
  }
}
