package dev.eddyline.analysis.graph;

import org.jspecify.annotations.Nullable;

/**
 * An edge of the stream graph, as exports hand it out. The graph itself keeps primitive arrays.
 *
 * @param kind what it is
 * @param known how it is known
 * @param rule the rule that found or assumes it, "" for a recorded edge
 * @param confidence 1.0 for recorded and assumed edges
 * @param from where it starts, null for a wait of unknown source
 * @param to where it ends
 */
public record Edge(
    EdgeKind kind, Known known, String rule, double confidence, @Nullable Node from, Node to) {

  /**
   * One end of an edge.
   *
   * @param kind what it is
   * @param row its row in the table of its kind
   */
  public record Node(NodeKind kind, int row) {}
}
