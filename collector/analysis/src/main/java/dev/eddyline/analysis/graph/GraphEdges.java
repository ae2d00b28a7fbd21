package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.graph.Edge.Node;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands out the edges of a graph as objects, for exports and tests. */
public final class GraphEdges {
  private final StreamGraph graph;
  private final Timeline timeline;

  public GraphEdges(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
  }

  /**
   * Hands out the edges of some kinds. Every wait has exactly one {@link EdgeKind#EVENT} edge; that
   * of a wait of unknown source has no {@code from}, and neither has that of an empty one, whose
   * rule is {@code never-recorded}. {@link EdgeKind#SYNC} edges come from the blame, not from here.
   */
  public void forEach(Set<EdgeKind> kinds, Consumer<Edge> sink) {
    if (kinds.contains(EdgeKind.EVENT)) {
      events(sink);
    }
    if (kinds.contains(EdgeKind.LAUNCH)) {
      launches(sink);
    }
    if (kinds.contains(EdgeKind.STREAM_ORDER)) {
      streamOrder(sink);
    }
    if (kinds.contains(EdgeKind.PROGRAM_ORDER)) {
      programOrder(sink);
    }
  }

  private void events(Consumer<Edge> sink) {
    WaitBindings bindings = graph.bindings();
    for (int wait = 0; wait < bindings.size(); wait++) {
      Node to = new Node(NodeKind.WAIT, wait);
      BindRule rule = bindings.rule(wait);
      if (bindings.isEmpty(wait)) {
        sink.accept(new Edge(EdgeKind.EVENT, Known.RECORDED, "never-recorded", 1, null, to));
      } else if (bindings.isUnknown(wait)) {
        sink.accept(new Edge(EdgeKind.EVENT, Known.INFERRED, "unknown", 0, null, to));
      } else {
        Known known = rule.isRecorded() ? Known.RECORDED : Known.INFERRED;
        sink.accept(
            new Edge(EdgeKind.EVENT, known, rule.id(), rule.confidence(), source(wait), to));
      }
    }
  }

  private @Nullable Node source(int wait) {
    int record = graph.bindings().record(wait);
    if (record >= 0) {
      return new Node(NodeKind.RECORD, record);
    }
    int stream = graph.bindings().source(wait);
    return stream < 0 ? null : new Node(NodeKind.STREAM, stream);
  }

  private void launches(Consumer<Edge> sink) {
    for (int op = 0; op < timeline.ops().size(); op++) {
      int call = graph.ops().callOf(op);
      if (call >= 0) {
        sink.accept(
            new Edge(
                EdgeKind.LAUNCH,
                Known.RECORDED,
                "",
                1,
                new Node(NodeKind.CALL, call),
                new Node(NodeKind.OP, op)));
      }
    }
  }

  private void streamOrder(Consumer<Edge> sink) {
    for (int s = 0; s < timeline.streams().size(); s++) {
      for (int i = 1; i < graph.ops().count(s); i++) {
        sink.accept(
            new Edge(
                EdgeKind.STREAM_ORDER,
                Known.ASSUMED,
                "enqueue-order",
                1,
                new Node(NodeKind.OP, graph.ops().op(s, i - 1)),
                new Node(NodeKind.OP, graph.ops().op(s, i))));
      }
    }
  }

  private void programOrder(Consumer<Edge> sink) {
    CallView call = timeline.calls();
    int[] last = new int[timeline.threads().size()];
    java.util.Arrays.fill(last, -1);
    for (int i = 0; i < call.size(); i++) {
      int thread = call.at(i).thread();
      if (last[thread] >= 0) {
        sink.accept(
            new Edge(
                EdgeKind.PROGRAM_ORDER,
                Known.RECORDED,
                "",
                1,
                new Node(NodeKind.CALL, last[thread]),
                new Node(NodeKind.CALL, i)));
      }
      last[thread] = i;
    }
  }
}
