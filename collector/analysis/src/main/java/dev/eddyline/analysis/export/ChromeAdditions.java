package dev.eddyline.analysis.export;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.graph.Edge;
import dev.eddyline.analysis.graph.EdgeKind;
import dev.eddyline.analysis.graph.NodeKind;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a Chrome trace gets on top of its own events: arrows and marks, anchored to rows. */
final class ChromeAdditions {
  /**
   * Where an arrow begins or ends, or a mark stands.
   *
   * @param isOp whether the row is an op, else it is a call
   * @param row the row
   * @param timeNs nanoseconds since the Unix epoch, within the row's time
   */
  record Anchor(boolean isOp, int row, long timeNs) {}

  /** An arrow from one slice to another. */
  record Arrow(String name, Anchor from, Anchor to, Edge edge) {}

  /** A mark at a call, or at a time alone. */
  record Mark(String name, @Nullable Anchor at, long timeNs, Finding finding) {}

  private final StreamGraph graph;
  private final OpView op;
  private final CallView call;
  private final WaitView wait;
  private final List<Arrow> arrows = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();

  ChromeAdditions(Analysis analysis) {
    graph = analysis.graph();
    Timeline timeline = graph.timeline();
    op = timeline.ops();
    call = timeline.calls();
    wait = timeline.waits();
    graph.edges(Set.of(EdgeKind.EVENT), this::addEvent);
    for (Edge edge : Releases.of(analysis.report())) {
      addRelease(edge);
    }
    addMarks(analysis.report());
  }

  /** Reads the ends of the arrows. */
  Nodes nodes() {
    return new Nodes(graph);
  }

  List<Arrow> arrows() {
    return arrows;
  }

  List<Mark> marks() {
    return marks;
  }

  private void addEvent(Edge edge) {
    Edge.Node from = edge.from();
    int waitRow = edge.to().row();
    if (from == null || graph.bindings().isNcclInternal(waitRow)) {
      return;
    }
    boolean ofRecord = from.kind() == NodeKind.RECORD;
    int recordCall = ofRecord ? graph.links().callOfRecord(from.row()) : -1;
    Anchor start = lastCovered(ofRecord ? recordStream(from.row()) : from.row(), waitRow);
    Anchor end = firstHeld(waitRow);
    if (start != null && end != null && start.timeNs <= end.timeNs) {
      arrows.add(new Arrow("record to wait", start, end, edge));
      return;
    }
    int waitCall = graph.links().callOfWait(waitRow);
    if (recordCall >= 0 && waitCall >= 0) {
      Anchor made = new Anchor(false, recordCall, call.at(recordCall).start());
      Anchor waited = new Anchor(false, waitCall, call.at(waitCall).start());
      arrows.add(new Arrow("record to wait", made, waited, edge));
    }
  }

  private int recordStream(int record) {
    return graph.bindings().recordStream(record);
  }

  /** The last op of the source that a wait covers: the arrow leaves at its end. */
  private @Nullable Anchor lastCovered(int stream, int waitRow) {
    int covered = graph.coveredBy(waitRow);
    if (stream < 0 || covered <= 0) {
      return null;
    }
    int row = graph.ops().op(stream, covered - 1);
    return new Anchor(true, row, lastInside(row));
  }

  /** The first op that a wait holds back: the arrow arrives at its start. */
  private @Nullable Anchor firstHeld(int waitRow) {
    int stream = wait.at(waitRow).stream();
    int position = graph.waitPosition(waitRow);
    if (stream < 0 || position < 0 || position >= graph.ops().count(stream)) {
      return null;
    }
    int row = graph.ops().op(stream, position);
    return new Anchor(true, row, op.at(row).start());
  }

  /** Viewers bind an arrow to the slice around its time, and an end is no longer inside. */
  private long lastInside(int opRow) {
    op.at(opRow);
    return Math.max(op.start(), op.end() - 1);
  }

  private void addRelease(Edge edge) {
    Edge.Node from = edge.from();
    if (from != null) {
      int row = edge.to().row();
      call.at(row);
      long back = Math.max(call.start(), call.end() - 1);
      Anchor start = new Anchor(true, from.row(), Math.min(lastInside(from.row()), back));
      arrows.add(new Arrow("op to host sync", start, new Anchor(false, row, back), edge));
    }
  }

  private void addMarks(Report report) {
    List<Finding> findings = report.findings();
    for (int i = 0; i < findings.size(); i++) {
      Finding finding = findings.get(i);
      String name = "finding " + (i + 1) + ": " + finding.rule();
      for (Occurrence occurrence : finding.occurrences()) {
        int row = occurrence.callRow();
        Anchor at = row < 0 ? null : new Anchor(false, row, occurrence.startNs());
        marks.add(new Mark(name, at, occurrence.startNs(), finding));
      }
    }
  }
}
