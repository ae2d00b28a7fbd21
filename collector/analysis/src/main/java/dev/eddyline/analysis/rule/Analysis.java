package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.graph.StreamGraph;
import java.util.List;

/**
 * What came out of analysing a timeline.
 *
 * @param graph the stream graph
 * @param report what to say
 * @param hostBlocks every call that could hold the host, with the op that released it; the edges
 *     from op to host sync
 */
public record Analysis(StreamGraph graph, Report report, List<HostBlock> hostBlocks) {}
