package dev.eddyline.analysis.access;

import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayDeque;

/**
 * The edges that would mend what was found so far: a pair that one of them would order too is the
 * same fault, not another one.
 */
final class MissingEdges {
  private static final int MOST = 256;

  private record Edge(int from, int to) {}

  private final StreamGraph graph;
  private final Reachability order;
  private final OpView op;
  private final ArrayDeque<Edge> edges = new ArrayDeque<>();

  MissingEdges(StreamGraph graph, Reachability order) {
    this.graph = graph;
    this.order = order;
    this.op = graph.timeline().ops();
  }

  /** An edge from right after one op to right before another one is missing. */
  void add(int from, int to) {
    if (edges.size() == MOST) {
      edges.removeFirst();
    }
    edges.addLast(new Edge(from, to));
  }

  /** Whether one of them would order two ops. */
  boolean wouldOrder(int before, int after) {
    for (Edge edge : edges) {
      if (comesTo(before, edge.from()) && comesTo(edge.to(), after)) {
        return true;
      }
    }
    return false;
  }

  private boolean comesTo(int before, int after) {
    if (before == after) {
      return true;
    }
    if (op.at(before).stream() == op.at(after).stream()) {
      return graph.ops().indexOf(before) <= graph.ops().indexOf(after);
    }
    return order.mayReach(before, after);
  }
}
