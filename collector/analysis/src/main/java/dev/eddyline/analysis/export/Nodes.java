package dev.eddyline.analysis.export;

import dev.eddyline.analysis.graph.Edge;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import org.jspecify.annotations.Nullable;

/** Reads what exports say of the ends of edges. */
final class Nodes {
  private final StreamGraph graph;
  private final Timeline timeline;
  private final OpView op;
  private final RecordView record;
  private final WaitView wait;
  private final CallView call;

  Nodes(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.op = timeline.ops();
    this.record = timeline.records();
    this.wait = timeline.waits();
    this.call = timeline.calls();
  }

  /** Its correlation id, -1 if it has none. */
  long correlation(Edge.Node node) {
    return switch (node.kind()) {
      case OP -> op.at(node.row()).correlation();
      case RECORD -> record.at(node.row()).correlation();
      case WAIT -> wait.at(node.row()).correlation();
      case CALL -> call.at(node.row()).correlation();
      case STREAM -> -1;
    };
  }

  /** Index of its stream, -1 if it has none or that is not known. */
  int streamIndex(Edge.Node node) {
    return switch (node.kind()) {
      case OP -> op.at(node.row()).stream();
      case RECORD -> graph.bindings().recordStream(node.row());
      case WAIT -> wait.at(node.row()).stream();
      case CALL -> -1;
      case STREAM -> node.row();
    };
  }

  /** Label of its stream. */
  @Nullable String stream(Edge.Node node) {
    int index = streamIndex(node);
    return index < 0 ? null : timeline.stream(index).label();
  }

  /** Index of its process. */
  int process(Edge.Node node) {
    return switch (node.kind()) {
      case OP -> op.at(node.row()).process();
      case RECORD -> record.at(node.row()).process();
      case WAIT -> wait.at(node.row()).process();
      case CALL -> call.at(node.row()).process();
      case STREAM -> timeline.stream(node.row()).process();
    };
  }

  /** Rank of its process, -1 if not known. */
  int rank(Edge.Node node) {
    return timeline.process(process(node)).rank();
  }
}
