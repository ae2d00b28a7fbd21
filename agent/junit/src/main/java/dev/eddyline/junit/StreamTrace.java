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

  private final String nothing;

  StreamTrace(List<Recording> recordings, boolean strict) {
    this(recordings, strict, "");
  }

  private StreamTrace(List<Recording> recordings, boolean strict, String nothing) {
    this.recordings = List.copyOf(recordings);
    this.strict = strict;
    this.nothing = nothing;
  }

  /**
   * A run of which nothing was recorded; no question about it can be answered.
   *
   * @param why why not, and what to do
   */
  static StreamTrace ofNothing(String why, boolean strict) {
    return new StreamTrace(List.of(), strict, why);
  }

  /** Why nothing was recorded; "" if something was. */
  String nothing() {
    return nothing;
  }

  private Recording first() {
    if (recordings.isEmpty()) {
      throw new IllegalStateException(nothing);
    }
    return recordings.get(0);
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

  /**
   * The file; of several schedules that of the first.
   *
   * @throws IllegalStateException if nothing was recorded
   */
  public Path path() {
    return first().file();
  }

  /**
   * All that Eddyline says of it, for assertions of your own; of the first schedule.
   *
   * @throws IllegalStateException if nothing was recorded
   */
  public Analysis analysis() {
    return first().view().analysis();
  }

  /** Whether a question that it cannot answer fails. */
  boolean isStrict() {
    return strict;
  }

  List<Recording> recordings() {
    return recordings;
  }
}
