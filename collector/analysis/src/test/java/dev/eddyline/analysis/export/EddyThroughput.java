package dev.eddyline.analysis.export;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameSink;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Measures the trace file: bytes per record of files that exist, and records per second written and
 * read into columns on one core. Arguments: trace files, for their size; none, for the speed.
 */
public final class EddyThroughput {
  private static final int RUNS = 15;
  private static final int WARM_UP = 6;
  private static final int RECORDS = 1 << 22;
  private static final int BATCH = 256;

  private EddyThroughput() {}

  public static void main(String[] args) throws IOException {
    if (args.length > 0) {
      sizes(args);
    } else {
      for (int level : new int[] {1, 3}) {
        speed(level);
      }
    }
  }

  private static void sizes(String[] files) throws IOException {
    for (String file : files) {
      Timeline timeline = Traces.open(List.of(Path.of(file)), ReadOptions.defaults());
      long records = records(timeline);
      StringBuilder line = new StringBuilder(Path.of(file).getFileName() + " " + records);
      for (int level : new int[] {1, 3, 9}) {
        for (int rows : new int[] {4096, 16384, 65536}) {
          Path target = Files.createTempFile("size", ".eddy");
          Files.delete(target);
          EddyExport.write(
              timeline,
              dev.eddyline.trace.FileSink.create(target),
              false,
              WriterOptions.defaults().withLevel(level).withBlockRows(rows));
          line.append(
              String.format(
                  Locale.ROOT,
                  "  L%d/%d %.2f",
                  level,
                  rows,
                  (double) Files.size(target) / records));
          Files.delete(target);
        }
      }
      System.out.println(line);
    }
  }

  private static long records(Timeline timeline) {
    long records = 0;
    for (RecordType type : RecordType.values()) {
      Table table = timeline.table(type);
      records += table.size();
    }
    return records;
  }

  private static void speed(int level) throws IOException {
    long[][] calls = rows(RecordType.CALL);
    long[][] ops = rows(RecordType.OP);
    Path file = Files.createTempFile("speed", ".eddy");
    double[] write = new double[RUNS];
    double[] writeBytes = new double[RUNS];
    double[] read = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      Files.delete(file);
      long begin = System.nanoTime();
      write(dev.eddyline.trace.FileSink.create(file), calls, ops, level);
      write[run] = RECORDS * 1e3 / (System.nanoTime() - begin);
      begin = System.nanoTime();
      write(new NoSink(), calls, ops, level);
      writeBytes[run] = RECORDS * 1e3 / (System.nanoTime() - begin);
      begin = System.nanoTime();
      TimelineBuilder builder = new TimelineBuilder();
      new EddyReader(Long.MAX_VALUE, 1).read(file, builder, ReadOptions.defaults());
      read[run] = RECORDS * 1e3 / (System.nanoTime() - begin);
    }
    System.out.printf(
        Locale.ROOT,
        "level %d: %.2f bytes/record; M records/s: written to a file %s, to nowhere %s, read %s%n",
        level,
        (double) Files.size(file) / RECORDS,
        spread(write),
        spread(writeBytes),
        spread(read));
    Files.delete(file);
  }

  private static String spread(double[] all) {
    double[] runs = Arrays.copyOfRange(all, WARM_UP, RUNS);
    Arrays.sort(runs);
    return String.format(
        Locale.ROOT, "%.2f (%.2f-%.2f)", runs[runs.length / 2], runs[0], runs[runs.length - 1]);
  }

  private static final class NoSink implements FrameSink {
    @Override
    public void write(FrameHeader header, byte[] bytes, int length) {}

    @Override
    public void close() {}
  }

  private static void write(FrameSink sink, long[][] calls, long[][] ops, int level) {
    ClockTriple clock = new ClockTriple(0, 0, 1_796_055_245_000_000_000L);
    TraceHeader header =
        new TraceHeader("benchmark", 1, "host", clock, Map.of(), List.of(), List.of());
    try (EddyWriter writer =
        new EddyWriter(sink, header, WriterOptions.defaults().withLevel(level))) {
      int process = writer.define(new Definition.ProcessEntry(0, 1, 0, 1, "host"));
      for (int i = 0; i < 8; i++) {
        writer.define(new Definition.ThreadEntry(process, i, "thread " + i));
        writer.define(new Definition.StreamEntry(process, 0, 1, 7 + i, 0, 0, ""));
      }
      for (int i = 0; i < 100; i++) {
        writer.string("void some::kernel<float, " + i + ">(float*, int)");
      }
      for (int i = 0; i < calls.length; i++) {
        writer.append(RecordType.CALL, calls[i], BATCH);
        writer.append(RecordType.OP, ops[i], BATCH);
      }
    }
  }

  private static long[][] rows(RecordType type) {
    Random random = new Random(type.code());
    int width = type.width();
    int count = RECORDS / 2;
    long[][] batches = new long[count / BATCH][BATCH * width];
    long time = 1_000_000_000_000L;
    long[] row = new long[width];
    for (int i = 0; i < batches.length * BATCH; i++) {
      time += 2000 + random.nextInt(6000);
      Arrays.fill(row, RecordType.NONE);
      if (type == RecordType.CALL) {
        row[RecordType.Call.START] = time;
        row[RecordType.Call.DURATION] = 1500 + (long) Math.abs(random.nextGaussian() * 2000);
        row[RecordType.Call.THREAD] = random.nextInt(8);
        row[RecordType.Call.NAME] = 1 + (random.nextInt(10) == 0 ? 1 : 0);
        row[RecordType.Call.CORRELATION] = i;
        row[RecordType.Call.RESULT] = 0;
      } else {
        row[RecordType.Op.START] = time + random.nextInt(100_000);
        row[RecordType.Op.DURATION] = 1000L + 32L * random.nextInt(4000);
        row[RecordType.Op.STREAM] = random.nextInt(8);
        row[RecordType.Op.NAME] = 1 + random.nextInt(100);
        row[RecordType.Op.KIND] = 0;
        row[RecordType.Op.CORRELATION] = i;
        row[RecordType.Op.BLOCKS] = 1L << random.nextInt(12);
        row[RecordType.Op.BLOCK_THREADS] = 256;
      }
      System.arraycopy(row, 0, batches[i / BATCH], i % BATCH * width, width);
    }
    return batches;
  }
}
