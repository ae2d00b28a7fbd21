package dev.eddyline.cli;

import dev.eddyline.analysis.ci.SourceLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Finds the files of a program's lines in folders of sources. A trace knows the package and the
 * name of a file at best; a name that several files have is left as it is.
 */
final class SourceFiles implements UnaryOperator<SourceLine> {
  private static final int MOST_FILES = 200_000;
  private static final int MOST_LEVELS = 32;

  private final Map<String, List<Path>> byName = new HashMap<>();

  private SourceFiles() {}

  /** Looks through folders; none of them is a usage error if it is not there. */
  static SourceFiles in(List<Path> folders) {
    SourceFiles found = new SourceFiles();
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        throw new UsageException("--sources " + folder + ": there is no such folder");
      }
      try (Stream<Path> files = Files.walk(folder, MOST_LEVELS)) {
        files.limit(MOST_FILES).filter(Files::isRegularFile).forEach(found::add);
      } catch (IOException | UncheckedIOException e) {
        throw new UsageException("--sources " + folder + " cannot be read: " + e.getMessage());
      }
    }
    return found;
  }

  private void add(Path file) {
    byName
        .computeIfAbsent(String.valueOf(file.getFileName()), name -> new ArrayList<>(1))
        .add(file.normalize());
  }

  @Override
  public SourceLine apply(SourceLine line) {
    String name = line.file().substring(line.file().lastIndexOf('/') + 1);
    List<Path> known = byName.getOrDefault(name, List.of());
    List<Path> fitting = known.stream().filter(file -> file.endsWith(line.file())).toList();
    if (fitting.size() != 1) {
      return line;
    }
    String file = fitting.get(0).toString().replace('\\', '/');
    return new SourceLine(line.function(), file, line.line());
  }
}
