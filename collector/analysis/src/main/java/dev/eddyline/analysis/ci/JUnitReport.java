package dev.eddyline.analysis.ci;

import dev.eddyline.analysis.ci.CiResult.Outcome;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Results as JUnit XML, in the form that CI servers show: a case per result. What could not be
 * answered is skipped, with the reason, so that nobody takes it for a pass.
 */
public final class JUnitReport {
  private final StringBuilder xml = new StringBuilder();
  private final UnaryOperator<SourceLine> sources;

  private JUnitReport(UnaryOperator<SourceLine> sources) {
    this.sources = sources;
  }

  /**
   * Writes the results; leaves the writer open.
   *
   * @param sources completes the file of a line where the program's sources are at hand
   */
  public static void write(CiReport report, UnaryOperator<SourceLine> sources, Writer target)
      throws IOException {
    JUnitReport junit = new JUnitReport(sources);
    junit.layOut(report);
    target.write(junit.xml.toString());
  }

  private void layOut(CiReport report) {
    List<CiResult> results = report.results();
    String counts =
        " tests=\""
            + results.size()
            + "\" failures=\""
            + results.stream().filter(JUnitReport::fails).count()
            + "\" errors=\"0\" skipped=\""
            + results.stream().filter(JUnitReport::isSkipped).count()
            + "\"";
    String name = "eddyline " + report.command() + " " + String.join(" ", report.files());
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<testsuites name=\"eddyline\"").append(counts).append(">\n");
    xml.append("  <testsuite name=\"").append(escape(name)).append('"').append(counts);
    xml.append(">\n");
    for (CiResult result : results) {
      add(report, result);
    }
    xml.append("    <system-out>").append(text(report.verdict())).append("</system-out>\n");
    xml.append("  </testsuite>\n</testsuites>\n");
  }

  private static boolean fails(CiResult result) {
    return result.outcome() == Outcome.FAIL && result.suppressed() == null;
  }

  private static boolean isSkipped(CiResult result) {
    return result.outcome() == Outcome.CANNOT_ANSWER
        || result.outcome() == Outcome.FAIL && result.suppressed() != null;
  }

  private void add(CiReport report, CiResult result) {
    xml.append("    <testcase classname=\"eddyline.").append(report.command());
    xml.append("\" name=\"").append(escape(result.rule() + ": " + result.title())).append('"');
    if (!result.stack().isEmpty()) {
      SourceLine line = sources.apply(result.stack().get(0));
      xml.append(" file=\"").append(escape(line.file())).append('"');
      xml.append(" line=\"").append(line.line()).append('"');
    }
    String details = String.join("\n", result.details());
    if (fails(result)) {
      xml.append(">\n      <failure type=\"").append(escape(result.rule()));
      xml.append("\" message=\"").append(escape(result.message())).append("\">");
      xml.append(text(details)).append("</failure>\n    </testcase>\n");
    } else if (isSkipped(result)) {
      String why =
          result.suppressed() == null ? result.message() : "accepted: " + result.suppressed();
      xml.append(">\n      <skipped message=\"").append(escape(why));
      xml.append("\"/>\n    </testcase>\n");
    } else if (details.isEmpty() || result.outcome() == Outcome.PASS) {
      xml.append("/>\n");
    } else {
      xml.append(">\n      <system-out>").append(text(result.message() + "\n" + details));
      xml.append("</system-out>\n    </testcase>\n");
    }
  }

  /** Between tags line breaks may stay as they are; in attributes they would become blanks. */
  private static String text(String text) {
    return escape(text).replace("&#10;", "\n");
  }

  /** XML has no way to write most control characters: they become question marks. */
  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\n' -> escaped.append("&#10;");
                case '\t' -> escaped.append("&#9;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : '?');
              }
            });
    return escaped.toString();
  }

  private static boolean isAllowed(int c) {
    return c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000;
  }
}
