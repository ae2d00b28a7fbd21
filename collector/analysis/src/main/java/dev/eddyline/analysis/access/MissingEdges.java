package dev.eddyline.analysis.access;

import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The edges that would mend what was found so far: a pair that one of them would order too is the
 * same fault, not another one.
 */
final class MissingEdges {
  private static final int MOST = 256;

  /** How many times edges are looked at; beyond that nothing more is told. */
  private static final int MOST_CHECKS = 500_000;

  private record Edge(int from, int to) {}

  private final StreamGraph graph;
  private final Reachability order;
  private final OpView op;
  private int checks = MOST_CHECKS;
  private final ArrayDeque<Edge> edges = new ArrayDeque<>();

  MissingEdges(StreamGraph graph, Reachability order) {
    this.graph = graph;
    this.order = order;
    this.op = graph.timeline().ops();
  }

  /**
   * An edge from right after one op to right before another one is missing.
   *
   * @param widened the op of the edge that this one takes the place of, -1 for none
   */
  void add(int from, int to, int widened) {
    if (edges.size() == MOST) {
      edges.removeFirst();
    }
    edges.remove(new Edge(widened, to));
    edges.addLast(new Edge(from, to));
  }

  /** Whether one of them would order two ops. */
  boolean wouldOrder(int before, int after) {
    // The latest one is the likeliest: pairs of one fault follow each other.
    for (Iterator<Edge> all = edges.descendingIterator(); all.hasNext() && checks > 0; checks--) {
      Edge edge = all.next();
      if (comesTo(before, edge.from()) && comesTo(edge.to(), after)) {
        return true;
      }
    }
    return checks <= 0;
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
