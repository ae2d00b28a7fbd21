package dev.eddyline.trace;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Frames into a file that only its owner may read and write (0600, where the file system knows such
 * permissions).
 *
 * <p>Each frame is one write, and what a failed write left is cut off again: whenever the process
 * dies, the file holds whole frames and at most one cut one at its end. Written frames are safe
 * from the death of the process, since the kernel has them; the file is not forced to the disk
 * ({@code fsync}), which could hold the host for seconds, so a power cut may lose the last ones.
 *
 * <p>Not a {@code FileChannel}: an interrupt of a thread that writes would close that for good.
 */
public final class FileSink implements FrameSink {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private final RandomAccessFile file;
  private long length;

  private FileSink(RandomAccessFile file) {
    this.file = file;
  }

  /**
   * Makes a new file.
   *
   * @throws FileAlreadyExistsException if something is there already, a dangling link included
   */
  public static FileSink create(Path path) throws IOException {
    FileAttribute<Set<PosixFilePermission>> ownerOnly =
        PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    try {
      Files.createFile(path, ownerOnly);
    } catch (UnsupportedOperationException noPosixPermissions) {
      Files.createFile(path);
    }
    return new FileSink(new RandomAccessFile(path.toFile(), "rw"));
  }

  @Override
  public void write(FrameHeader header, byte[] bytes, int frameLength) throws IOException {
    try {
      file.write(bytes, 0, frameLength);
      length += frameLength;
    } catch (IOException e) {
      cutBack(e);
      throw e;
    }
  }

  private void cutBack(IOException cause) {
    try {
      file.setLength(length);
      file.seek(length);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
