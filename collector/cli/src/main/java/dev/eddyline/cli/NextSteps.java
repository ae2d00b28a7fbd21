package dev.eddyline.cli;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Report;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to run next; only what works as printed. */
final class NextSteps {
  private static final Pattern RANK = Pattern.compile("(rank[_-]?)\\d+");

  private NextSteps() {}

  static List<String> after(TraceArguments traces, Report report) {
    List<String> steps = new ArrayList<>();
    Coverage coverage = report.coverage();
    if (traces.files().size() == 1) {
      String file = traces.files().get(0);
      if (coverage.ranksExpected() > coverage.ranksLoaded() && hasSiblings(file)) {
        steps.add("eddyline analyze " + RANK.matcher(file).replaceFirst("$1*"));
      }
      if (!report.findings().isEmpty() && Files.isRegularFile(Path.of(file))) {
        steps.add("eddyline export " + file + " --to chrome -o with-edges.json.gz");
      }
    }
    steps.add("docs/record.md");
    return steps;
  }

  /** Whether traces of other ranks lie beside a file whose name holds its rank. */
  private static boolean hasSiblings(String file) {
    Path path = Path.of(file);
    Path name = path.getFileName();
    if (name == null) {
      return false;
    }
    Matcher rank = RANK.matcher(name.toString());
    if (!rank.find()) {
      return false;
    }
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null) {
      return false;
    }
    int found = 0;
    try (DirectoryStream<Path> beside =
        Files.newDirectoryStream(folder, rank.replaceFirst("$1*"))) {
      for (Path ignored : beside) {
        found++;
      }
    } catch (IOException | java.util.regex.PatternSyntaxException e) {
      return false;
    }
    return found > 1;
  }
}
