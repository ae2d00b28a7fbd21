package dev.eddyline.benchmark;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.importer.kineto.KinetoReader;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a Kineto trace takes to read, grown from a recorded one: {@code -p trace=FILE} names it,
 * {@code -p factor=N} how many times its events are repeated.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseParallelGC", "-Xmx2g"})
public class KinetoReaderBenchmark {
  /** The recorded trace. */
  @Param("")
  public String trace = "";

  /** How many times its events are repeated. */
  @Param("8")
  public int factor;

  /** Whether the grown file is compressed. */
  @Param({".json", ".json.gz"})
  public String ending = ".json";

  private Path file = Path.of("");

  /** Makes the large trace. */
  @Setup(Level.Trial)
  public void grow() throws IOException {
    if (trace.isEmpty()) {
      throw new IllegalStateException("which trace? -p trace=FILE");
    }
    file = Files.createTempFile("kineto", ending);
    GrowKineto.grow(Path.of(trace), factor, file);
  }

  /** Removes the large trace. */
  @TearDown(Level.Trial)
  public void remove() throws IOException {
    Files.deleteIfExists(file);
  }

  /** Reading alone: the rows in their columns, not sorted. */
  @Benchmark
  public TimelineBuilder read() throws IOException {
    TimelineBuilder target = new TimelineBuilder();
    new KinetoReader().read(file, target, ReadOptions.defaults());
    return target;
  }

  /** Reading, sorting and joining. */
  @Benchmark
  public Timeline open() throws IOException {
    return Traces.open(List.of(file), ReadOptions.defaults());
  }
}
