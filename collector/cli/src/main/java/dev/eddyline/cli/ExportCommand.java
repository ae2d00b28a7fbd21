package dev.eddyline.cli;

import dev.eddyline.analysis.export.ChromeExport;
import dev.eddyline.analysis.export.CsvExport;
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
      "",
      "Compressed where OUT ends in .gz."
    })
public final class ExportCommand implements Command {
  static final String TABLES_TEXT =
      "ops, calls, waits, records, syncs, collectives, ranges or findings";
  private static final List<String> FORMATS = List.of("chrome", "edges", "csv");

  @Mixin private TraceArguments traces = new TraceArguments();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      description = "chrome, edges or csv.")
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

  @Option(names = "--force", description = "Replace OUT if it is there.")
  private boolean force;

  @Override
  public int run(Console console) throws IOException {
    Commands.choice("--to", to, FORMATS);
    Commands.choice("--table", table, CsvExport.TABLES);
    OutputTarget.check(output, force);
    Timeline timeline = traces.open(console);
    for (Path file : traces.resolved()) {
      if (file.toAbsolutePath().normalize().equals(output.toAbsolutePath().normalize())) {
        throw new UsageException("-o " + output + " is the trace itself; name another file");
      }
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
