package dev.eddyline.analysis;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The real traces among the test resources, by the names of their INDEX. */
public final class RealTraces {
  private RealTraces() {}

  public static Path path(String name) {
    URL url =
        Objects.requireNonNull(
            RealTraces.class.getResource("/traces/kineto/" + name), "no such trace: " + name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static Timeline open(String name) {
    return open(List.of(path(name)));
  }

  public static Timeline open(List<Path> files) {
    try {
      return Traces.open(files, ReadOptions.defaults());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  public static Analysis analyze(String name) {
    return Analyzer.analyze(open(name), AnalysisOptions.defaults());
  }
}
