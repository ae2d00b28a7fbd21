package dev.eddyline.analysis.importer;

import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.file.Path;

/** Reads one format. Found by {@link Traces} from the first bytes of a file. */
public interface TraceReader {
  /** Name of the format, as shown to people. */
  String format();

  /**
   * Whether a file looks like this format.
   *
   * @param head its first bytes, at most 64 KiB, expanded where the file is gzip
   */
  boolean recognises(byte[] head);

  /**
   * Reads a file into a timeline.
   *
   * @throws TraceReadException if it is malformed, with file, line and column or byte offset
   */
  void read(Path file, TimelineBuilder target, ReadOptions options) throws IOException;
}
