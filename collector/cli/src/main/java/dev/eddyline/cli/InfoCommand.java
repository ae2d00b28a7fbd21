package dev.eddyline.cli;

import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.report.InfoReport;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine.Mixin;

/** Says what a trace holds, or what is being recorded in a process. */
@picocli.CommandLine.Command(
    name = "info",
    description = "Say what a trace holds: source, streams with their roles, calls, coverage.",
    footer = {"", "eddyline info PID says what is being recorded in a process."})
public final class InfoCommand implements Command {
  @Mixin private TraceArguments traces = new TraceArguments();

  @Override
  public int run(Console console) throws IOException {
    List<String> files = traces.files();
    if (files.size() == 1 && isPid(files.get(0))) {
      Optional<ProcessInfo> processes = ServiceLoader.load(ProcessInfo.class).findFirst();
      if (processes.isPresent()) {
        return processes.get().info(files.get(0), console);
      }
    }
    Timeline timeline = traces.open(console);
    Report report = Analyzer.analyze(timeline, AnalysisOptions.defaults()).report();
    InfoReport.write(timeline, report, console.out());
    return ExitCode.OK;
  }

  private static boolean isPid(String argument) {
    return argument.matches("[1-9]\\d{0,9}") && !Files.exists(Path.of(argument));
  }
}
