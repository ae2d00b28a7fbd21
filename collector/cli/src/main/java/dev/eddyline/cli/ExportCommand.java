package dev.eddyline.cli;

import dev.eddyline.analysis.export.ChromeExport;
import dev.eddyline.analysis.export.CsvExport;
import dev.eddyline.analysis.export.EddyExport;
import dev.eddyline.analysis.export.EdgesExport;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a trace for other tools. */
@picocli.CommandLine.Command(
    name = "export",
    description = "Write a trace for other tools.",
    footer = {
      "",
      "chrome  for Perfetto and chrome://tracing: with arrows from record to wait and from op to",
      "        host sync, and a mark for each finding",
      "edges   JSON Lines: one edge of the stream graph a line",
      "csv     one table: " + ExportCommand.TABLES_TEXT,
      "eddy    Eddyline's own format: smaller, and faster to read",
      "",
      "Compressed where OUT ends in .gz."
    })
public final class ExportCommand implements Command {
  static final String TABLES_TEXT =
      "ops, calls, waits, records, syncs, collectives, ranges or findings";
  private static final List<String> FORMATS = List.of("chrome", "edges", "csv", "eddy");

  @Mixin private TraceArguments traces = new TraceArguments();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      description = "chrome, edges, csv or eddy.")
  private String to = "";

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "OUT",
      description = "The file to write.")
  private Path output = Path.of("");

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "Which table, with --to csv: ops by default.")
  private String table = "ops";

  @Option(
      names = "--scrub",
      description = "With --to eddy: replace names of hosts, threads and your own code.")
  private boolean scrub;

  @Option(names = "--force", description = "Replace OUT if it is there.")
  private boolean force;

  @Override
  public int run(Console console) throws IOException {
    Commands.choice("--to", to, FORMATS);
    Commands.choice("--table", table, CsvExport.TABLES);
    if (scrub && !to.equals("eddy")) {
      throw new UsageException("--scrub goes with --to eddy only: other formats keep all names");
    }
    OutputTarget.check(output, force);
    Timeline timeline = traces.open(console);
    for (Path file : traces.resolved()) {
      if (file.toAbsolutePath().normalize().equals(output.toAbsolutePath().normalize())) {
        throw new UsageException("-o " + output + " is the trace itself; name another file");
      }
    }
    if (to.equals("eddy")) {
      OutputTarget.writeFile(output, force, part -> EddyExport.write(timeline, part, scrub, false));
      return ExitCode.OK;
    }
    Analysis analysis = Analyzer.analyze(timeline, AnalysisOptions.defaults());
    OutputTarget.write(
        output,
        force,
        target -> {
          switch (to) {
            case "chrome" ->
                ChromeExport.write(analysis, traces.resolved(), ReadOptions.defaults(), target);
            case "edges" -> EdgesExport.write(analysis.graph(), analysis.report(), target);
            default -> {
              Writer writer = new OutputStreamWriter(target, StandardCharsets.UTF_8);
              CsvExport.write(timeline, analysis.report(), table, writer);
              writer.flush();
            }
          }
        });
    return ExitCode.OK;
  }
}
