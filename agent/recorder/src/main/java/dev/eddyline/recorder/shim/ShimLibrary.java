package dev.eddyline.recorder.shim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Loads the shim, once in a class loader: from the jar into a private temporary folder. */
public final class ShimLibrary {
  private static final String FILE = "libeddyline-shim.so";
  private static @Nullable String failure;
  private static @Nullable Path loaded;

  private ShimLibrary() {}

  /**
   * Loads the shim if that was not done yet.
   *
   * @return null, or why there is none, in one line
   */
  public static synchronized @Nullable String load() {
    if (loaded == null && failure == null) {
      failure = loadOnce();
    }
    return failure;
  }

  /** Where the shim was loaded from, in the platform's encoding; it must be loaded. */
  public static synchronized byte[] path() {
    if (loaded == null) {
      throw new IllegalStateException("the shim is not loaded");
    }
    return loaded.toString().getBytes(encoding());
  }

  /** The encoding of file names and of what the native part says. */
  public static Charset encoding() {
    String name = System.getProperty("sun.jnu.encoding", "UTF-8");
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }

  /** The platform of this JVM as the jar names it: {@code linux-x86_64}. */
  public static String platform() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch", "");
    String part = machine.equals("amd64") ? "x86_64" : machine;
    return (system.startsWith("linux") ? "linux" : system.replace(' ', '-')) + "-" + part;
  }

  private static @Nullable String loadOnce() {
    String resource = "/native/" + platform() + "/" + FILE;
    try (InputStream in = ShimLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        return "this build has no native shim for " + platform();
      }
      Path folder =
          Files.createTempDirectory(
              "eddyline-",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path file = folder.resolve(FILE);
      // Deleted in reverse order: first the file, then its folder.
      folder.toFile().deleteOnExit();
      file.toFile().deleteOnExit();
      Files.copy(in, file);
      System.load(file.toString());
      loaded = file;
      return null;
    } catch (IOException | RuntimeException | LinkageError e) {
      return "the native shim cannot be loaded: " + e;
    }
  }
}
