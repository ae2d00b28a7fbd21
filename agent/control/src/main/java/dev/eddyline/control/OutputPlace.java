package dev.eddyline.control;

import dev.eddyline.cli.UsageException;
import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import dev.eddyline.options.FilePattern;
import dev.eddyline.options.OptionException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.regex.Pattern;

/** The file that is going to be written, seen from outside the process that writes it. */
final class OutputPlace {
  private OutputPlace() {}

  /**
   * Makes the name absolute: the program may have another current folder.
   *
   * @throws UsageException if the file is there already, or its folder is not
   */
  static AgentOptions absolute(AgentOptions options) {
    String pattern = options.text(AgentOption.OUT);
    Path file;
    try {
      file = Path.of(pattern).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new UsageException("-o cannot be '" + pattern + "': " + e.getReason());
    }
    if (!FilePattern.varies(pattern)) {
      String name = pattern.replace("%%", "%");
      if (Files.isDirectory(Path.of(name))) {
        throw new UsageException("-o " + name + " is a folder; name a file in it");
      }
      if (Files.exists(Path.of(name), LinkOption.NOFOLLOW_LINKS)) {
        throw new UsageException(
            name + " is there already, and is never overwritten: name another");
      }
    }
    Path folder = file.getParent();
    if (folder != null && !FilePattern.varies(folder.toString()) && !Files.isDirectory(folder)) {
      throw new UsageException("-o " + pattern + ": there is no folder " + folder);
    }
    try {
      return options.with(AgentOption.OUT, file.toString());
    } catch (OptionException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a file of that pattern was written since a moment. */
  static boolean writtenSince(AgentOptions options, FileTime moment) {
    Path pattern = Path.of(options.text(AgentOption.OUT));
    Path folder = pattern.getParent();
    if (folder == null || FilePattern.varies(folder.toString())) {
      return true;
    }
    String name = String.valueOf(pattern.getFileName());
    int dot = name.lastIndexOf('.');
    String stem = dot <= 0 ? name : name.substring(0, dot);
    Pattern matching =
        Pattern.compile(
            ("\\Q" + stem.replace("%%", "%") + "\\E").replaceAll("%[phrt]", "\\\\E.*\\\\Q")
                + "(-\\d+)?.*");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (matching.matcher(String.valueOf(file.getFileName())).matches()
            && Files.getLastModifiedTime(file).compareTo(moment) >= 0) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
