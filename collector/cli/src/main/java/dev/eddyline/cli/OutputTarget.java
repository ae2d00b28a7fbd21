package dev.eddyline.cli;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * A file that is there as a whole or not at all: it is written beside its place and moved there at
 * the end. Compressed where its name ends in {@code .gz}.
 */
public final class OutputTarget {
  /** Writes the content. */
  public interface Content {
    /** Writes to a stream; need not close it. */
    void writeTo(OutputStream target) throws IOException;
  }

  /** Writes the content to a file that is not there yet. */
  public interface FileContent {
    /** Writes the file. */
    void writeTo(Path part) throws IOException;
  }

  private OutputTarget() {}

  /**
   * Refuses what would fail later: an existing file without force, a folder that is not there.
   *
   * @throws UsageException with the reason
   */
  public static void check(Path file, boolean force) {
    if (Files.isDirectory(file)) {
      throw new UsageException("-o " + file + " is a folder; name a file in it");
    }
    if (!force && Files.exists(file)) {
      throw new UsageException(file + " is there already; --force replaces it");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new UsageException("-o " + file + ": there is no folder " + folder);
    }
  }

  /** Writes a file. */
  public static void write(Path file, boolean force, Content content) throws IOException {
    writeFile(
        file,
        force,
        part -> {
          try (OutputStream target = open(part, file.toString())) {
            content.writeTo(target);
          }
        });
  }

  /** Writes a file with a writer that wants to open it itself. */
  public static void writeFile(Path file, boolean force, FileContent content) throws IOException {
    check(file, force);
    Path whole = file.toAbsolutePath();
    Path part = whole.resolveSibling("." + whole.getFileName() + ".part");
    try {
      Files.deleteIfExists(part);
      part.toFile().deleteOnExit();
      content.writeTo(part);
      move(part, whole);
    } catch (DiskFault e) {
      throw new OutputException("cannot write " + file + ": " + e.getMessage(), e);
    } catch (FileSystemException e) {
      throw new OutputException("cannot write " + file + ": " + reason(e), e);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static OutputStream open(Path part, String name) throws IOException {
    OutputStream file =
        new BufferedOutputStream(new FaultStream(Files.newOutputStream(part)), 1 << 16);
    return name.endsWith(".gz") ? new GZIPOutputStream(file, 1 << 16) : file;
  }

  private static void move(Path part, Path whole) throws IOException {
    try {
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static String reason(FileSystemException e) {
    if (e instanceof AccessDeniedException) {
      return "not permitted";
    }
    if (e instanceof NoSuchFileException) {
      return "its folder is gone";
    }
    return e.getReason() == null ? "the file system refused" : e.getReason();
  }

  /** Tells a fault of the disk from one of the content's own making. */
  private static final class DiskFault extends IOException {
    private static final long serialVersionUID = 1L;

    private DiskFault(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private static final class FaultStream extends FilterOutputStream {
    private FaultStream(OutputStream target) {
      super(target);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        throw new DiskFault(e);
      }
    }
  }
}
