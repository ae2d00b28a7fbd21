package dev.eddyline.analysis.finding;

import java.util.List;

/**
 * A host sync that cost nothing this time but stands behind a collective, or behind work of another
 * role, in the graph.
 *
 * @param occurrence the call
 * @param couldWaitFor what it could have waited for, in words: "allreduce #3 of default_pg"
 * @param correlations correlation ids of the launches of those ops
 * @param confidence lowest confidence of the edges on the path
 */
public record LatentSync(
    Occurrence occurrence,
    List<String> couldWaitFor,
    List<Long> correlations,
    Confidence confidence) {}
