package dev.eddyline.options;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The Unix socket on which an agent listens: {@code /tmp/.eddyline-UID/PID}, in a folder that its
 * user alone may enter.
 *
 * <p>A request is one line: {@code info}, {@code detach}, {@code snapshot}, {@code snapshot FILE},
 * {@code attach OPTIONS}. The answer is a line {@value #DONE} or {@value #FAILED} and then lines
 * for people; the agent closes the connection behind it. UTF-8.
 */
public final class AgentSocket {
  /** First line of an answer: the request was carried out. */
  public static final String DONE = "done";

  /** First line of an answer: it was not, and the second line says why. */
  public static final String FAILED = "failed";

  /** The longest request, in bytes. */
  public static final int LONGEST_REQUEST = 1 << 14;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private AgentSocket() {}

  /**
   * The socket of a process. Not in the JVM's temporary folder, which is an option of each program.
   *
   * @param root where the process sees its file system: "/" for the caller's own
   * @param uid user that the process runs as
   * @param pid its number, as it sees that itself
   */
  public static Path of(Path root, int uid, long pid) {
    return root.resolve("tmp").resolve(".eddyline-" + uid).resolve(Long.toString(pid));
  }

  /**
   * The user that a process runs as.
   *
   * @param process its folder in /proc
   */
  public static int user(Path process) throws IOException {
    try {
      return (Integer) Files.getAttribute(process, "unix:uid");
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      throw new IOException("this system does not tell the user of a process", e);
    }
  }

  /**
   * Makes the folder of a socket if it is not there.
   *
   * @throws IOException if it is another's or open to others
   */
  public static void makeFolder(Path socket, int uid) throws IOException {
    Path folder = socket.getParent();
    if (folder == null) {
      throw new IOException(socket + " has no folder");
    }
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException there) {
      // Whose it is, is looked at next.
    }
    PosixFileAttributes found =
        Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    int owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!found.isDirectory() || owner != uid || !found.permissions().equals(OWNER_ONLY)) {
      throw new IOException(folder + " is not a folder of this user alone");
    }
  }
}
