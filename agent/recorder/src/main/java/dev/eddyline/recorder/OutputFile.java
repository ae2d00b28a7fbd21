package dev.eddyline.recorder;

import dev.eddyline.trace.FileSink;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A new file for a recording; what is there already is never overwritten. */
record OutputFile(Path path, FileSink sink) {
  private static final int MOST_TRIES = 1000;

  /**
   * Makes the file, and folders that are missing. Where something is there already, "-2", "-3", …
   * goes before the suffix.
   */
  static OutputFile create(Path wanted) throws IOException {
    Path folder = wanted.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      Files.createDirectories(folder);
    }
    Path path = wanted;
    for (int i = 2; ; i++) {
      try {
        return new OutputFile(path, FileSink.create(path));
      } catch (FileAlreadyExistsException taken) {
        if (i > MOST_TRIES) {
          throw taken;
        }
        path = numbered(wanted, i);
      }
    }
  }

  /** The same name with a number before its suffix. */
  static Path numbered(Path path, int number) {
    return inserted(path, "-" + number);
  }

  /** The same name with something before its suffix. */
  static Path inserted(Path path, String what) {
    Path file = path.getFileName();
    String name = file == null ? "" : file.toString();
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    String suffix = dot > 0 ? name.substring(dot) : "";
    return path.resolveSibling(stem + what + suffix);
  }
}
