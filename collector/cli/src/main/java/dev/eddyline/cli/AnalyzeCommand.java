package dev.eddyline.cli;

import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.report.JsonReport;
import dev.eddyline.analysis.report.MarkdownReport;
import dev.eddyline.analysis.report.ReportOptions;
import dev.eddyline.analysis.report.TextReport;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what blocked the host, and what the trace cannot tell. */
@picocli.CommandLine.Command(
    name = "analyze",
    description = "Say what blocked the host, on what, and what the trace cannot tell.",
    footer = {"", "Exit code 0 also with findings."})
public final class AnalyzeCommand implements Command {
  private static final List<String> FORMATS = List.of("text", "json", "markdown");
  private static final int TOP = 10;

  @Mixin private TraceArguments traces = new TraceArguments();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "text (default), json or markdown.")
  private String format = "text";

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Write out the first N findings: 10 by default, all in JSON.")
  private @Nullable Integer top;

  @Option(
      names = "--min-ms",
      paramLabel = "X",
      description = "Leave out findings that held the host for less in all: 0.05 by default.")
  private double minMs = AnalysisOptions.defaults().minBlockedNs() / 1e6;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Write to a file instead of standard output.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Replace the output if it is there.")
  private boolean force;

  @Override
  public int run(Console console) throws IOException {
    Commands.choice("--format", format, FORMATS);
    if (top != null && top < 1) {
      throw new UsageException("--top cannot be " + top + ": it counts findings, from 1");
    }
    if (!(minMs >= 0) || minMs > 1e9) {
      throw new UsageException("--min-ms cannot be " + minMs + ": it is a time in milliseconds");
    }
    if (output != null) {
      OutputTarget.check(output, force);
    }
    Timeline timeline = traces.open(console);
    AnalysisOptions options = new AnalysisOptions(Math.round(minMs * 1e6));
    Report report = Analyzer.analyze(timeline, options).report();
    if (output == null) {
      write(timeline, report, console.out());
      return ExitCode.OK;
    }
    OutputTarget.write(
        output,
        force,
        target -> {
          Writer writer = new OutputStreamWriter(target, StandardCharsets.UTF_8);
          write(timeline, report, writer);
          writer.flush();
        });
    return ExitCode.OK;
  }

  private void write(Timeline timeline, Report report, Writer target) throws IOException {
    int limit = top != null ? top : format.equals("json") ? Integer.MAX_VALUE : TOP;
    switch (format) {
      case "json" ->
          JsonReport.write(timeline, report, new ReportOptions(limit, List.of()), target);
      case "markdown" ->
          MarkdownReport.write(timeline, report, new ReportOptions(limit, List.of()), target);
      default -> {
        List<String> next = NextSteps.after(traces, report);
        TextReport.write(timeline, report, new ReportOptions(limit, next), target);
      }
    }
  }
}
