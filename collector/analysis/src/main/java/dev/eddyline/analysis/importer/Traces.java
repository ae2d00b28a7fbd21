package dev.eddyline.analysis.importer;

import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Opens files, folders and globs as one timeline. */
@SuppressWarnings("DoNotCallSuggester")
public final class Traces {
  private Traces() {}

  /**
   * The files that the arguments name, in order: a file stands for itself, a folder for the traces
   * in it, a pattern for what it matches.
   *
   * @throws TraceReadException if a file is not there, or a folder or pattern holds no trace
   */
  public static List<Path> resolve(List<String> arguments) throws IOException {
    throw new TraceReadException("no reader yet for " + arguments);
  }

  /**
   * Reads files as one timeline.
   *
   * @throws TraceReadException if one of them cannot be read
   */
  public static Timeline open(List<Path> files, ReadOptions options) throws IOException {
    throw new TraceReadException("no reader yet for " + files);
  }
}
