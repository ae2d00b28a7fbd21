package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.MatchedArrivals;
import dev.eddyline.analysis.blame.RemoteArrivals;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The same collective on all ranks, joined by its number within its communicator; and when the last
 * rank arrived, where the clocks allow to say that. Empty for one rank. Immutable.
 */
public final class Peers {
  private static final List<Integer> NOBODY = List.of();
  private final StreamGraph graph;
  private final RemoteArrivals arrivals;
  private final Map<Integer, List<Integer>> groupOfOp = new HashMap<>();

  private Peers(StreamGraph graph, RemoteArrivals arrivals) {
    this.graph = graph;
    this.arrivals = arrivals;
  }

  static Peers of(StreamGraph graph) {
    Peers peers = new Peers(graph, MatchedArrivals.of(graph));
    if (peers.arrivals == RemoteArrivals.NONE) {
      return peers;
    }
    Map<String, List<Integer>> groups = new HashMap<>();
    OpView op = graph.timeline().ops();
    for (int i = 0; i < op.size(); i++) {
      if (peers.arrivals.lastArrival(i) != Long.MIN_VALUE) {
        String key =
            graph.collectives().communicator(i) + "\u0001" + graph.collectives().ordinal(i);
        List<Integer> group = groups.computeIfAbsent(key, k -> new ArrayList<>());
        group.add(i);
        peers.groupOfOp.put(i, group);
      }
    }
    return peers;
  }

  /** The ops of other ranks that are the same collective; none where that is not known. */
  public List<Integer> of(int op) {
    return groupOfOp.getOrDefault(op, NOBODY).stream().filter(other -> other != op).toList();
  }

  /** When the last rank arrived, on the clock of the op's rank; the least time if not known. */
  public long lastArrival(int op) {
    return arrivals.lastArrival(op);
  }

  /** Whether an op waited for a later rank. */
  public boolean isLate(int op) {
    return lastArrival(op) > graph.timeline().ops().at(op).start();
  }

  /** The rank that arrived last at the collective of an op, -1 if not known. */
  public int lastRank(int op) {
    OpView view = graph.timeline().ops();
    for (int other : groupOfOp.getOrDefault(op, NOBODY)) {
      view.at(other);
      if (view.start() >= arrivals.lastArrival(other)) {
        return graph.timeline().process(view.process()).rank();
      }
    }
    return -1;
  }
}
