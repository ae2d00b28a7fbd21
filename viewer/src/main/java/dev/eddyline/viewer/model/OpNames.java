package dev.eddyline.viewer.model;

import dev.eddyline.analysis.finding.KernelNames;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import java.util.HashMap;
import java.util.Map;

/** Short names of ops: a collective by its kind and number, a kernel without its namespaces. */
public final class OpNames {
  private static final int MOST_CACHED = 20_000;
  private final StreamGraph graph;
  private final Map<Integer, String> shortened = new HashMap<>();

  OpNames(StreamGraph graph) {
    this.graph = graph;
  }

  /** The name of the op under a cursor. */
  public String of(OpView op) {
    if (graph.collectives().isCollective(op)) {
      return graph.collectives().label(op.row());
    }
    return kernel(op.nameId());
  }

  private synchronized String kernel(int nameId) {
    if (shortened.size() > MOST_CACHED) {
      shortened.clear();
    }
    return shortened.computeIfAbsent(
        nameId, id -> KernelNames.shorten(graph.timeline().strings().get(id)));
  }
}
