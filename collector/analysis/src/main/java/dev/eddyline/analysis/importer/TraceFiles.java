package dev.eddyline.analysis.importer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Finds the files that arguments of a command line name. */
final class TraceFiles {
  /** Tells a trace from other files, by its first bytes. */
  interface Filter {
    boolean isTrace(Path file) throws IOException;
  }

  /** Names in the order in which people count: rank2 before rank10. */
  static final Comparator<Path> BY_NUMBERS = (a, b) -> compareNaturally(a.toString(), b.toString());

  private static final String PATTERN_CHARACTERS = "*?[{";
  private static final int MAX_FILES = 1_000_000;

  private final Filter filter;
  private final Map<Path, Path> found = new LinkedHashMap<>();

  TraceFiles(Filter filter) {
    this.filter = filter;
  }

  List<Path> resolve(List<String> arguments) throws IOException {
    for (String argument : arguments) {
      try {
        resolve(argument);
      } catch (TraceReadException e) {
        throw e;
      } catch (InvalidPathException e) {
        throw new TraceReadException(argument + ": not a path: " + e.getReason(), e);
      } catch (UncheckedIOException e) {
        throw new TraceReadException(
            argument + ": " + Traces.reason(Objects.requireNonNull(e.getCause())), e);
      } catch (IOException e) {
        throw new TraceReadException(argument + ": " + Traces.reason(e), e);
      }
    }
    return List.copyOf(found.values());
  }

  private void resolve(String argument) throws IOException {
    Path path = pathOf(argument);
    if (path != null && Files.isDirectory(path)) {
      addFolder(path);
    } else if (path != null && Files.exists(path)) {
      add(path);
    } else if (firstPatternCharacter(argument) >= 0) {
      addMatches(argument);
    } else {
      throw new TraceReadException(argument + ": no such file or folder");
    }
  }

  private static @org.jspecify.annotations.Nullable Path pathOf(String argument) {
    try {
      return Path.of(argument);
    } catch (InvalidPathException e) {
      // Some systems allow no '*' in a path; a pattern it may still be.
      if (firstPatternCharacter(argument) < 0) {
        throw e;
      }
      return null;
    }
  }

  private void add(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new TraceReadException(file + ": no permission to read it");
    }
    found.putIfAbsent(file.toAbsolutePath().normalize(), file);
  }

  private void addFolder(Path folder) throws IOException {
    List<Path> traces = tracesIn(folder);
    if (traces.isEmpty()) {
      for (Path below : list(folder)) {
        if (Files.isDirectory(below) && Files.isReadable(below)) {
          traces.addAll(tracesIn(below));
        }
      }
    }
    if (traces.isEmpty()) {
      throw new TraceReadException(
          folder + ": no trace in this folder or the folders in it; name the trace files");
    }
    for (Path trace : traces) {
      add(trace);
    }
  }

  private List<Path> tracesIn(Path folder) throws IOException {
    List<Path> traces = new ArrayList<>();
    for (Path file : list(folder)) {
      if (Files.isRegularFile(file) && Files.isReadable(file) && filter.isTrace(file)) {
        traces.add(file);
      }
    }
    return traces;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.limit(MAX_FILES).sorted(BY_NUMBERS).toList();
    }
  }

  private void addMatches(String pattern) throws IOException {
    int slash = pattern.lastIndexOf('/', firstPatternCharacter(pattern));
    Path start = Path.of(slash < 0 ? "" : pattern.substring(0, Math.max(slash, 1)));
    String rest = pattern.substring(slash + 1);
    int depth =
        rest.contains("**") ? Integer.MAX_VALUE : (int) rest.chars().filter(c -> c == '/').count();
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + rest);
    List<Path> matches = List.of();
    if (Files.isDirectory(start)) {
      try (Stream<Path> files = Files.walk(start, depth == Integer.MAX_VALUE ? depth : depth + 1)) {
        matches =
            files
                .filter(file -> matcher.matches(start.relativize(file)))
                .filter(Files::isRegularFile)
                .limit(MAX_FILES)
                .sorted(BY_NUMBERS)
                .toList();
      }
    }
    if (matches.isEmpty()) {
      throw new TraceReadException(pattern + ": no file matches this pattern");
    }
    for (Path match : matches) {
      add(match);
    }
  }

  private static int firstPatternCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (PATTERN_CHARACTERS.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return -1;
  }

  private static int compareNaturally(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      int endA = endOfDigits(a, i);
      int endB = endOfDigits(b, j);
      int order;
      if (endA > i && endB > j) {
        order = compareNumbers(a.substring(i, endA), b.substring(j, endB));
        i = endA;
        j = endB;
      } else {
        order = Character.compare(a.charAt(i++), b.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    return rest != 0 ? rest : a.compareTo(b);
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  private static int compareNumbers(String a, String b) {
    String left = a.replaceFirst("^0+(?=.)", "");
    String right = b.replaceFirst("^0+(?=.)", "");
    int byLength = Integer.compare(left.length(), right.length());
    return byLength != 0 ? byLength : left.compareTo(right);
  }
}
