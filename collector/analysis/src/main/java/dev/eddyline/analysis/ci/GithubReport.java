package dev.eddyline.analysis.ci;

import dev.eddyline.analysis.ci.CiResult.Level;
import dev.eddyline.analysis.ci.CiResult.Outcome;
import java.io.IOException;
import java.io.Writer;
import java.util.function.UnaryOperator;

/**
 * Results as lines that GitHub Actions turns into annotations: {@code ::error title=…::…}. What
 * could not be answered is a warning; what passed has no line.
 */
public final class GithubReport {
  private GithubReport() {}

  /**
   * Writes the annotations; leaves the writer open.
   *
   * @param sources completes the file of a line where the program's sources are at hand
   */
  public static void write(CiReport report, UnaryOperator<SourceLine> sources, Writer target)
      throws IOException {
    for (CiResult result : report.results()) {
      boolean told =
          result.outcome() == Outcome.FAIL && result.suppressed() == null
              || result.outcome() == Outcome.CANNOT_ANSWER;
      if (told) {
        target.write(line(result, sources));
      }
    }
    target.write("::notice title=eddyline " + report.command() + "::");
    target.write(data(report.verdict()) + "\n");
  }

  private static String line(CiResult result, UnaryOperator<SourceLine> sources) {
    StringBuilder line = new StringBuilder("::").append(command(result)).append(' ');
    if (!result.stack().isEmpty()) {
      SourceLine place = sources.apply(result.stack().get(0));
      line.append("file=").append(property(place.file()));
      line.append(",line=").append(place.line()).append(',');
    }
    line.append("title=").append(property("eddyline " + result.rule())).append("::");
    StringBuilder text = new StringBuilder(result.message());
    result.details().stream()
        .filter(detail -> detail.startsWith("Fix: "))
        .forEach(fix -> text.append('\n').append(fix));
    return line.append(data(text.toString())).append('\n').toString();
  }

  private static String command(CiResult result) {
    if (result.outcome() == Outcome.CANNOT_ANSWER) {
      return "warning";
    }
    if (result.level() == Level.ERROR) {
      return "error";
    }
    return result.level() == Level.WARNING ? "warning" : "notice";
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
