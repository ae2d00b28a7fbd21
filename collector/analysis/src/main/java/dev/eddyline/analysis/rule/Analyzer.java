package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.List;

/** Builds the graph, runs the rules, collects what they say. */
public final class Analyzer {
  private Analyzer() {}

  /** Analyses a timeline. */
  public static Analysis analyze(Timeline timeline, AnalysisOptions options) {
    Coverage coverage =
        new Coverage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, 1, -1, false, List.of());
    Report report =
        new Report(
            List.of(), List.of(), List.of(), List.of(), coverage, new Steps(List.of()), List.of());
    return new Analysis(StreamGraph.of(timeline), report);
  }
}
