package dev.eddyline.cli;

import dev.eddyline.analysis.deps.DependencyFinder;
import dev.eddyline.analysis.deps.DepsGraph;
import dev.eddyline.analysis.deps.DepsJson;
import dev.eddyline.analysis.deps.DepsText;
import dev.eddyline.analysis.deps.DepsWords;
import dev.eddyline.analysis.deps.StreamDependencies;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says which stream waits for which; before and after. */
@picocli.CommandLine.Command(
    name = "deps",
    description = "Say which stream waits for which; of two traces, what changed.",
    footer = {"", "A and B are traces, or folders or patterns with a file per rank."})
public final class DepsCommand implements Command {
  private static final List<String> FORMATS = List.of("text", "json", "dot", "markdown");

  @Parameters(index = "0", paramLabel = "A", description = "A trace.")
  private String first = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "B",
      description = "A later trace, to compare with.")
  private @Nullable String second;

  @Option(
      names = "--name",
      paramLabel = "[rankN:]ID=NAME",
      description = "Call a stream by a name: --name 25=fragment-1. May be repeated.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--recover",
      description = "Read on behind malformed places and say what was left out.")
  private boolean recover;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "text (default), json, dot (Graphviz) or markdown (with Mermaid).")
  private String format = "text";

  @Option(names = "--words", description = "Sentences in place of a table.")
  private boolean words;

  @Option(names = "--all", description = "Every wait in a line of its own.")
  private boolean all;

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
    if (words && !format.equals("text")) {
      throw new UsageException("--words is text: it cannot be combined with --format " + format);
    }
    TraceArguments.checkNames(names);
    if (output != null) {
      OutputTarget.check(output, force);
    }
    List<Timeline> timelines = new ArrayList<>();
    timelines.add(TraceArguments.read(List.of(first), recover, console));
    if (second != null) {
      timelines.add(TraceArguments.read(List.of(second), recover, console));
    }
    TraceArguments.nameStreams(names, timelines);
    List<StreamDependencies> traces = new ArrayList<>();
    for (Timeline timeline : timelines) {
      Analysis analysis = Analyzer.analyze(timeline, AnalysisOptions.defaults());
      traces.add(words ? DependencyFinder.findByRole(analysis) : DependencyFinder.find(analysis));
    }
    if (output == null) {
      write(traces, console.out());
      return ExitCode.OK;
    }
    OutputTarget.write(
        output,
        force,
        target -> {
          Writer writer = new OutputStreamWriter(target, StandardCharsets.UTF_8);
          write(traces, writer);
          writer.flush();
        });
    return ExitCode.OK;
  }

  private void write(List<StreamDependencies> traces, Writer target) throws IOException {
    switch (format) {
      case "json" -> DepsJson.write(traces, target);
      case "dot" -> DepsGraph.writeDot(traces, target);
      case "markdown" -> DepsGraph.writeMarkdown(traces, target);
      default -> {
        if (words) {
          DepsWords.write(traces, target);
        } else {
          DepsText.write(traces, all, target);
        }
      }
    }
  }
}
