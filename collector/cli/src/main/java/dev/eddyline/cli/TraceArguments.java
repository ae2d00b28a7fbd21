package dev.eddyline.cli;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The traces that a command reads; a mixin for every command that does. */
public final class TraceArguments {
  private static final Pattern NAME = Pattern.compile("(?:rank(\\d+):)?(\\d+)=(.+)");

  /** File, line, column. */
  private static final Pattern LOCATED = Pattern.compile(":\\d+:\\d+: ");

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Traces: files, folders or patterns; one file per rank.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--name",
      paramLabel = "[rankN:]ID=NAME",
      description = "Call a stream by a name: --name 25=fragment-1. May be repeated.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--recover",
      description = "Read on behind malformed places and say what was left out.")
  private boolean recover;

  private List<Path> resolved = List.of();

  /** The files as given. */
  public List<String> files() {
    return files;
  }

  /** The files that were read. */
  public List<Path> resolved() {
    return resolved;
  }

  /** Reads them as one timeline, with progress, and names the streams. */
  public Timeline open(Console console) throws IOException {
    checkNames(names);
    resolved = Traces.resolve(files);
    Timeline timeline = readAll(resolved, recover, console);
    nameStreams(names, List.of(timeline));
    return timeline;
  }

  /** Reads files, folders or patterns as one timeline, with progress. */
  static Timeline read(List<String> files, boolean recover, Console console) throws IOException {
    return readAll(Traces.resolve(files), recover, console);
  }

  /** Refuses what is no name of a stream, before anything is read. */
  static void checkNames(List<String> names) {
    names.forEach(TraceArguments::parse);
  }

  /** Gives streams of some timelines their names; each name must fit at least one stream. */
  static void nameStreams(List<String> names, List<Timeline> timelines) {
    names.forEach(name -> apply(parse(name), timelines));
  }

  /** A message that names a place in a file also says how to read on behind it. */
  private static Timeline readAll(List<Path> resolved, boolean recover, Console console)
      throws IOException {
    try (Progress progress = new Progress(console, resolved)) {
      return Traces.open(resolved, new ReadOptions(recover, TraceReadLimits.defaults(), progress));
    } catch (TraceReadException malformed) {
      String message = String.valueOf(malformed.getMessage());
      if (recover || !LOCATED.matcher(message).find()) {
        throw malformed;
      }
      throw new TraceReadException(
          message + "; with --recover reading goes on behind it", malformed);
    }
  }

  private static Matcher parse(String name) {
    Matcher parsed = NAME.matcher(name);
    if (!parsed.matches()) {
      throw new UsageException(
          "--name cannot be '" + name + "': it is ID=NAME or rankN:ID=NAME, as in 25=fragment-1");
    }
    return parsed;
  }

  private static void apply(Matcher name, List<Timeline> timelines) {
    boolean found = false;
    TreeSet<Long> ids = new TreeSet<>();
    for (Timeline timeline : timelines) {
      for (int i = 0; i < timeline.streams().size(); i++) {
        StreamInfo stream = timeline.stream(i);
        ids.add(stream.id());
        String rank = Integer.toString(timeline.process(stream.process()).rank());
        boolean ranks = name.group(1) == null || rank.equals(name.group(1));
        if (ranks && Long.toString(stream.id()).equals(name.group(2))) {
          timeline.nameStream(i, name.group(3));
          found = true;
        }
      }
    }
    if (!found) {
      throw new UsageException(
          "--name "
              + name.group()
              + ": no such stream in this trace; streams here: "
              + ids.toString().replaceAll("[\\[\\]]", ""));
    }
  }
}
