package dev.eddyline.junit;

import dev.eddyline.analysis.finding.Segment;
import java.util.ArrayList;
import java.util.List;

/** What a call's time went to, line by line; the numbers add up. */
final class SegmentLines {
  private static final int MOST = 10;
  private static final String NOTHING = "0.000";

  private SegmentLines() {}

  private record Line(long ns, String words, List<String> edges) {}

  static List<String> of(TraceView view, List<Segment> segments) {
    List<Line> lines = new ArrayList<>();
    for (Segment segment : segments) {
      lines.add(new Line(segment.ns(), words(view, segment), edges(view, segment)));
    }
    lines = shortened(lines);
    String[] parts = Words.parts(lines.stream().map(Line::ns).toList());
    int width = 0;
    for (String part : parts) {
      width = Math.max(width, part.length());
    }
    List<String> text = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].equals(NOTHING) && lines.get(i).edges().isEmpty()) {
        continue;
      }
      text.add("   " + Words.right(parts[i], width) + " ms   " + lines.get(i).words());
      for (String edge : lines.get(i).edges()) {
        text.add("   " + " ".repeat(width + 6) + "  " + edge);
      }
    }
    return text;
  }

  /** The longest ones in their order, the others as one. */
  private static List<Line> shortened(List<Line> lines) {
    if (lines.size() <= MOST) {
      return lines;
    }
    List<Long> longest = lines.stream().map(Line::ns).sorted((a, b) -> Long.compare(b, a)).toList();
    long least = longest.get(MOST - 2);
    List<Line> kept = new ArrayList<>();
    long others = 0;
    int left = 0;
    for (Line line : lines) {
      if (line.ns() >= least && kept.size() < MOST - 1) {
        kept.add(line);
      } else {
        others += line.ns();
        left++;
      }
    }
    kept.add(new Line(others, left + " shorter ones", List.of()));
    return kept;
  }

  private static String words(TraceView view, Segment segment) {
    String op = segment.opRow() < 0 ? segment.op() : view.opOnStream(segment.opRow());
    return switch (segment.state()) {
      case RUNNING -> op;
      case REMOTE -> op + ": waiting for the last rank";
      case DEVICE_BUSY -> op + " was ready; " + beside(segment) + " filled the device";
      case OTHER_CONTEXT -> op + " was ready; another context had the device";
      case NOT_STARTED -> op + " was ready, not started";
      case LATE_LAUNCH -> op + " was not launched yet";
      case RETURN -> "return";
      case UNATTRIBUTED -> "not known: a wait without its source lies in the way";
    };
  }

  private static String beside(Segment segment) {
    return segment.beside().isEmpty()
        ? "other work"
        : segment.beside().get(0).op() + " on stream " + segment.beside().get(0).stream();
  }

  /** The edges by which an op held what came after it; the order of one stream goes unsaid. */
  private static List<String> edges(TraceView view, Segment segment) {
    List<String> edges = new ArrayList<>();
    for (Segment.Via via : segment.via()) {
      if (!via.kind().equals("stream-order") && !told(view, segment, via, edges)) {
        String known = via.known().equals("inferred") ? " (inferred: " + via.rule() + ")" : "";
        edges.add(via.text() + known);
      }
    }
    return edges;
  }

  /** Tells record and wait with the lines that made them, where the trace has these. */
  private static boolean told(
      TraceView view, Segment segment, Segment.Via via, List<String> edges) {
    if (segment.opRow() < 0 || via.fromCorrelation() < 0 || via.toCorrelation() < 0) {
      return false;
    }
    var timeline = view.timeline();
    var graph = view.graph();
    int process = timeline.ops().at(segment.opRow()).process();
    int recordedBy = timeline.callOf(process, via.fromCorrelation());
    int waitedBy = timeline.callOf(process, via.toCorrelation());
    int record = recordedBy < 0 ? -1 : graph.links().recordOf(recordedBy);
    int wait = waitedBy < 0 ? -1 : graph.links().waitOf(waitedBy);
    if (record < 0 || wait < 0 || view.userFrame(recordedBy).isEmpty()) {
      return false;
    }
    String source = view.label(graph.bindings().recordStream(record));
    String waiter = view.label(timeline.waits().at(wait).stream());
    edges.add("event recorded on stream " + source + "      at " + view.userFrame(recordedBy));
    edges.add("waited for by stream " + waiter + "      at " + view.userFrame(waitedBy));
    return true;
  }
}
