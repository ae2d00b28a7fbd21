package dev.eddyline.cli;

import dev.eddyline.analysis.ci.CiReport;
import dev.eddyline.analysis.ci.FindingResults;
import dev.eddyline.analysis.ci.GithubReport;
import dev.eddyline.analysis.ci.JUnitReport;
import dev.eddyline.analysis.ci.SarifReport;
import dev.eddyline.analysis.ci.SourceLine;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.report.JsonReport;
import dev.eddyline.analysis.report.MarkdownReport;
import dev.eddyline.analysis.report.ReportOptions;
import dev.eddyline.analysis.report.TextReport;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what blocked the host, and what the trace cannot tell. */
@picocli.CommandLine.Command(
    name = "analyze",
    description = "Say what blocked the host, on what, and what the trace cannot tell.",
    footer = {"", "Exit code 0 also with findings."})
public final class AnalyzeCommand implements Command {
  private static final int TOP = 10;

  @Mixin private TraceArguments traces = new TraceArguments();

  @Mixin private ReportOutputs outputs = new ReportOutputs();

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Write out the first N findings: 10 by default, all in JSON.")
  private @Nullable Integer top;

  @Option(
      names = "--min-ms",
      paramLabel = "X",
      description = "Leave out findings that held the host for less in all: 0.02 by default.")
  private double minMs = AnalysisOptions.defaults().minBlockedNs() / 1e6;

  @Override
  public int run(Console console) throws IOException {
    if (top != null && top < 1) {
      throw new UsageException("--top cannot be " + top + ": it counts findings, from 1");
    }
    if (!(minMs >= 0) || minMs > 1e9) {
      throw new UsageException("--min-ms cannot be " + minMs + ": it is a time in milliseconds");
    }
    outputs.check();
    UnaryOperator<SourceLine> sources = outputs.sources();
    Timeline timeline = traces.open(console);
    AnalysisOptions options = new AnalysisOptions(Math.round(minMs * 1e6));
    Report report = Analyzer.analyze(timeline, options).report();
    outputs.write(console, (format, target) -> write(format, timeline, report, sources, target));
    return ExitCode.OK;
  }

  private void write(
      String format,
      Timeline timeline,
      Report report,
      UnaryOperator<SourceLine> sources,
      Writer target)
      throws IOException {
    int limit = top != null ? top : format.equals("json") ? Integer.MAX_VALUE : TOP;
    ReportOptions plain = new ReportOptions(limit, List.of());
    switch (format) {
      case "json" -> JsonReport.write(timeline, report, plain, target);
      case "markdown" -> MarkdownReport.write(timeline, report, plain, target);
      case "sarif" -> SarifReport.write(results(timeline, report), sources, target);
      case "junit" -> JUnitReport.write(results(timeline, report), sources, target);
      case "github" -> GithubReport.write(results(timeline, report), sources, target);
      default -> {
        List<String> next = NextSteps.after(traces, report);
        TextReport.write(timeline, report, new ReportOptions(limit, next), target);
      }
    }
  }

  private static CiReport results(Timeline timeline, Report report) {
    return FindingResults.of(timeline, report, Commands.version());
  }
}
