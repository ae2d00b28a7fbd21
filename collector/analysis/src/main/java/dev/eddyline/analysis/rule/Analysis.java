package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.graph.StreamGraph;

/**
 * What came out of analysing a timeline.
 *
 * @param graph the stream graph
 * @param report what to say
 */
public record Analysis(StreamGraph graph, Report report) {}
