package dev.eddyline.benchmark;

import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FrameSink;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Rows as a recorder appends them: launches of 8 threads and their kernels on 8 streams, of 100
 * kernels, with random times to the nanosecond. Half are calls, half ops.
 */
final class RecorderRows {
  /** Rows in all. */
  static final int COUNT = 1 << 21;

  /** Rows of one append: what a drained buffer holds. */
  private static final int BATCH = 256;

  private static final int KERNELS = 100;
  private static final int THREADS = 8;
  private static final long FIRST_TIME = 1_000_000_000_000L;
  private final long[][] calls = batches(RecordType.CALL);
  private final long[][] ops = batches(RecordType.OP);

  /** Writes all rows into a sink and closes it. */
  void write(FrameSink sink, int level) {
    ClockTriple clock = new ClockTriple(0, 0, 1_796_055_245_000_000_000L);
    TraceHeader header =
        new TraceHeader("benchmark", 1, "host", clock, Map.of(), List.of(), List.of());
    WriterOptions options = WriterOptions.defaults().withLevel(level);
    try (EddyWriter writer = new EddyWriter(sink, header, options)) {
      int process = writer.define(new Definition.ProcessEntry(0, 1, 0, 1, "host"));
      for (int i = 0; i < THREADS; i++) {
        writer.define(new Definition.ThreadEntry(process, i, "thread " + i));
        writer.define(new Definition.StreamEntry(process, 0, 1, 7 + i, 0, 0, ""));
      }
      for (int i = 0; i <= KERNELS; i++) {
        writer.string("void some::kernel<float, " + i + ">(float*, int)");
      }
      for (int i = 0; i < calls.length; i++) {
        writer.append(RecordType.CALL, calls[i], BATCH);
        writer.append(RecordType.OP, ops[i], BATCH);
      }
    }
  }

  private static long[][] batches(RecordType type) {
    Random random = new Random(type.code());
    int width = type.width();
    long[][] batches = new long[COUNT / 2 / BATCH][BATCH * width];
    long[] row = new long[width];
    long time = FIRST_TIME;
    for (int i = 0; i < COUNT / 2; i++) {
      time += 2000 + random.nextInt(6000);
      Arrays.fill(row, RecordType.NONE);
      if (type == RecordType.CALL) {
        call(row, time, i, random);
      } else {
        op(row, time, i, random);
      }
      System.arraycopy(row, 0, batches[i / BATCH], i % BATCH * width, width);
    }
    return batches;
  }

  private static void call(long[] row, long time, int i, Random random) {
    row[RecordType.Call.START] = time;
    row[RecordType.Call.DURATION] = 1500 + (long) Math.abs(random.nextGaussian() * 2000);
    row[RecordType.Call.THREAD] = random.nextInt(THREADS);
    row[RecordType.Call.NAME] = 1L + (random.nextInt(10) == 0 ? 1 : 0);
    row[RecordType.Call.CORRELATION] = i;
    row[RecordType.Call.RESULT] = 0;
  }

  private static void op(long[] row, long time, int i, Random random) {
    row[RecordType.Op.START] = time + random.nextInt(100_000);
    row[RecordType.Op.DURATION] = 1000L + 32L * random.nextInt(4000);
    row[RecordType.Op.STREAM] = random.nextInt(THREADS);
    row[RecordType.Op.NAME] = 1L + random.nextInt(KERNELS);
    row[RecordType.Op.KIND] = RecordType.Op.KIND_KERNEL;
    row[RecordType.Op.CORRELATION] = i;
    row[RecordType.Op.BLOCKS] = 1L << random.nextInt(12);
    row[RecordType.Op.BLOCK_THREADS] = 256;
  }
}
