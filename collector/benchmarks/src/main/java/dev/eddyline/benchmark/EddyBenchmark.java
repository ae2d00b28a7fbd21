package dev.eddyline.benchmark;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.FileSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Writes and reads trace files; the unit, operations per microsecond, is millions of records per
 * second. For one core start the JVM on one: {@code taskset -c 0 java -cp … org.openjdk.jmh.Main
 * EddyBenchmark}. The budget is 4 for each (design, §11).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
    value = 3,
    jvmArgs = {"-Xmx2g", "-XX:+UseSerialGC"})
public class EddyBenchmark {
  /** zstd's level; the writer's own is 1. */
  @Param({"1", "3"})
  public int level;

  private final RecorderRows rows = new RecorderRows();
  private Path folder = Path.of("");
  private Path written = Path.of("");
  private Path target = Path.of("");

  @Setup
  public void write() throws IOException {
    folder = Files.createTempDirectory("eddy");
    target = folder.resolve("target.eddy");
    written = folder.resolve("written.eddy");
    rows.write(FileSink.create(written), level);
    System.out.printf("%.2f bytes per record%n", (double) Files.size(written) / RecorderRows.COUNT);
  }

  @TearDown
  public void delete() throws IOException {
    Files.deleteIfExists(target);
    Files.delete(written);
    Files.delete(folder);
  }

  /** From rows to a closed file. */
  @Benchmark
  @OperationsPerInvocation(RecorderRows.COUNT)
  public void writeFile() throws IOException {
    Files.deleteIfExists(target);
    rows.write(FileSink.create(target), level);
  }

  /** From a file to the columns of a timeline, before they are sorted, on the calling thread. */
  @Benchmark
  @OperationsPerInvocation(RecorderRows.COUNT)
  public TimelineBuilder readIntoColumns() throws IOException {
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader(Long.MAX_VALUE, 1).read(written, builder, ReadOptions.defaults());
    return builder;
  }
}
