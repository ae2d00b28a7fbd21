package dev.eddyline.cli;

import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.report.InfoReport;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** Says what a trace holds. */
@picocli.CommandLine.Command(
    name = "info",
    description = "Say what a trace holds: source, streams with their roles, calls, coverage.")
public final class InfoCommand implements Command {
  @Mixin private TraceArguments traces = new TraceArguments();

  @Override
  public int run(Console console) throws IOException {
    Timeline timeline = traces.open(console);
    Report report = Analyzer.analyze(timeline, AnalysisOptions.defaults()).report();
    InfoReport.write(timeline, report, console.out());
    return ExitCode.OK;
  }
}
