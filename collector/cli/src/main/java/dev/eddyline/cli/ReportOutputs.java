package dev.eddyline.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** In which formats a command writes its result, and where to; a mixin. */
public final class ReportOutputs {
  static final List<String> FORMATS =
      List.of("text", "json", "markdown", "sarif", "junit", "github");

  /** Writes a result in one of the {@link #FORMATS}. */
  interface Content {
    void write(String format, Writer target) throws IOException;
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "text (default), json, markdown, sarif, junit or github.")
  private String format = "text";

  @Option(
      names = "--report",
      paramLabel = "FORMAT=OUT",
      description = "Also write a file in a format: --report sarif=out.sarif. May be repeated.")
  private List<String> reports = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Write to a file instead of standard output.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Replace outputs that are there.")
  private boolean force;

  @Option(
      names = "--sources",
      paramLabel = "FOLDER",
      description = "Where the program's sources lie, for lines in sarif, junit and github.")
  private List<Path> sources = new ArrayList<>();

  private final Map<Path, String> files = new LinkedHashMap<>();

  /** Refuses what would fail later; call it before the work begins. */
  void check() {
    Commands.choice("--format", format, FORMATS);
    if (output != null) {
      OutputTarget.check(output, force);
      files.put(output, format);
    }
    for (String report : reports) {
      int equals = report.indexOf('=');
      if (equals < 1 || equals == report.length() - 1) {
        throw new UsageException(
            "--report cannot be '" + report + "': it is FORMAT=OUT, as in sarif=out.sarif");
      }
      String kind = Commands.choice("--report", report.substring(0, equals), FORMATS);
      Path file = path(report.substring(equals + 1));
      OutputTarget.check(file, force);
      if (files.putIfAbsent(file, kind) != null) {
        throw new UsageException("two reports cannot go to one file, " + file);
      }
    }
  }

  private static Path path(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new UsageException("--report: '" + name + "' is no name of a file");
    }
  }

  /** Completes the files of source lines. */
  SourceFiles sources() {
    return SourceFiles.in(sources);
  }

  /** The format of standard output. */
  String format() {
    return format;
  }

  /** Writes the files, then standard output unless a file stands for it. */
  void write(Console console, Content content) throws IOException {
    for (Map.Entry<Path, String> file : files.entrySet()) {
      OutputTarget.write(
          file.getKey(),
          force,
          target -> {
            Writer writer = new OutputStreamWriter(target, StandardCharsets.UTF_8);
            content.write(file.getValue(), writer);
            writer.flush();
          });
    }
    if (output == null) {
      content.write(format, console.out());
    }
  }
}
