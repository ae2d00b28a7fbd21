package dev.eddyline.analysis.export;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.graph.Edge;
import dev.eddyline.analysis.graph.EdgeKind;
import dev.eddyline.analysis.graph.Known;
import dev.eddyline.analysis.graph.NodeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The edges from the op whose end released a call to that call, as the findings tell them. */
final class Releases {
  private static final double LIKELY = 0.8;
  private static final double POSSIBLE = 0.5;

  private Releases() {}

  static List<Edge> of(Report report) {
    List<Edge> edges = new ArrayList<>();
    Set<Integer> told = new HashSet<>();
    for (Finding finding : report.findings()) {
      for (Occurrence occurrence : finding.occurrences()) {
        int op = releasingOp(occurrence);
        if (op >= 0 && occurrence.callRow() >= 0 && told.add(occurrence.callRow())) {
          edges.add(edge(finding.confidence(), op, occurrence.callRow()));
        }
      }
    }
    return edges;
  }

  private static Edge edge(Confidence sure, int op, int call) {
    Edge.Node from = new Edge.Node(NodeKind.OP, op);
    Edge.Node to = new Edge.Node(NodeKind.CALL, call);
    return switch (sure) {
      case CERTAIN -> new Edge(EdgeKind.SYNC, Known.RECORDED, "", 1, from, to);
      case LIKELY -> new Edge(EdgeKind.SYNC, Known.INFERRED, "release", LIKELY, from, to);
      case POSSIBLE -> new Edge(EdgeKind.SYNC, Known.INFERRED, "release", POSSIBLE, from, to);
    };
  }

  /** The op that ran last before the call returned, or -1. */
  private static int releasingOp(Occurrence occurrence) {
    List<Segment> blame = occurrence.blame();
    for (int i = blame.size() - 1; i >= 0; i--) {
      Segment segment = blame.get(i);
      if (segment.state() == Segment.State.RUNNING || segment.state() == Segment.State.REMOTE) {
        return segment.opRow();
      }
      if (segment.state() != Segment.State.RETURN) {
        return -1;
      }
    }
    return -1;
  }
}
