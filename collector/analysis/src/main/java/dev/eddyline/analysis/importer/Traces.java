package dev.eddyline.analysis.importer;

import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Opens files, folders and globs as one timeline. */
public final class Traces {
  private static final int HEAD = 64 << 10;
  private static final String SQLITE = "SQLite format 3";

  private Traces() {}

  /**
   * The files that the arguments name, in order: a file stands for itself; a folder for the traces
   * in it or, where it has none, for those in its folders; a pattern for the files that it matches.
   * Files of a folder or pattern come in the order of the numbers in their names. No file comes
   * twice.
   *
   * @throws TraceReadException if a file is not there, or a folder or pattern holds no trace
   */
  public static List<Path> resolve(List<String> arguments) throws IOException {
    return new TraceFiles(path -> readerOf(path) != null).resolve(arguments);
  }

  /**
   * Reads files as one timeline, every file as a process of its own.
   *
   * @throws TraceReadException if one of them cannot be read
   */
  public static Timeline open(List<Path> files, ReadOptions options) throws IOException {
    TimelineBuilder target = new TimelineBuilder();
    long before = 0;
    for (Path file : files) {
      long start = before;
      ReadOptions own =
          new ReadOptions(
              options.recover(),
              options.limits(),
              bytes -> options.progress().accept(start + bytes));
      before += read(file, target, own);
      options.progress().accept(before);
    }
    return target.build();
  }

  /** Reads one file; returns its size on the disk. */
  private static long read(Path file, TimelineBuilder target, ReadOptions options)
      throws IOException {
    try {
      long size = Files.size(file);
      TraceReader reader = readerOf(file);
      if (reader == null) {
        throw new TraceReadException(unknown(file));
      }
      reader.read(file, target, options);
      return size;
    } catch (TraceReadException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceReadException(file + ": " + reason(e), e);
    }
  }

  private static @Nullable TraceReader readerOf(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    byte[] head = TraceInput.head(file, HEAD);
    for (TraceReader reader : ServiceLoader.load(TraceReader.class, loader())) {
      if (reader.recognises(head)) {
        return reader;
      }
    }
    return null;
  }

  private static ClassLoader loader() {
    return Traces.class.getClassLoader();
  }

  private static String unknown(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return file + ": a folder, not a trace file";
    }
    byte[] head = TraceInput.head(file, SQLITE.length());
    if (head.length == 0) {
      return file + ": the file is empty; was its program stopped before it wrote the trace?";
    }
    if (new String(head, StandardCharsets.ISO_8859_1).equals(SQLITE)) {
      return file + ": an SQLite file; exports of Nsight Systems cannot be read yet";
    }
    return file + ": not a trace that can be read here; the formats are " + formats();
  }

  private static String formats() {
    return ServiceLoader.load(TraceReader.class, loader()).stream()
        .map(provider -> provider.get().format())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** Why a file could not be read, in words. */
  static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to read it";
    }
    return "cannot be read: " + e.getMessage();
  }
}
