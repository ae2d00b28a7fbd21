package dev.eddyline.junit;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A recorded run that assertions look at: a file of any format that Eddyline reads, or what {@code
 * Streams#record} made. Immutable; any number of threads may assert on it.
 */
public final class StreamTrace {
  private final List<Recording> recordings;

  private final boolean strict;

  StreamTrace(List<Recording> recordings, boolean strict) {
    this.recordings = List.copyOf(recordings);
    this.strict = strict;
  }

  /**
   * Reads a trace: an {@code .eddy} file or one of PyTorch's profiler, compressed or not.
   *
   * @param file the trace
   * @param others files of the other ranks
   * @throws UncheckedIOException if one of them cannot be read
   */
  public static StreamTrace open(Path file, Path... others) {
    Path[] files = new Path[others.length + 1];
    files[0] = file;
    System.arraycopy(others, 0, files, 1, others.length);
    return new StreamTrace(List.of(Recording.of(List.of(files))), false);
  }

  /** Reads a trace. */
  public static StreamTrace open(String file) {
    return open(Path.of(file));
  }

  static Analysis analyze(List<Path> files) {
    try {
      // Every call that held the host counts here, however short.
      return Analyzer.analyze(Traces.open(files, ReadOptions.defaults()), new AnalysisOptions(0));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** The file; of several schedules that of the first. */
  public Path path() {
    return recordings.get(0).file();
  }

  /** All that Eddyline says of it, for assertions of your own; of the first schedule. */
  public Analysis analysis() {
    return recordings.get(0).view().analysis();
  }

  /** Whether a question that it cannot answer fails. */
  boolean isStrict() {
    return strict;
  }

  List<Recording> recordings() {
    return recordings;
  }
}
