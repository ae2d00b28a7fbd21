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
      lines.add(new Line(segment.ns(), words(view, segment), edges(segment)));
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
  private static List<String> edges(Segment segment) {
    List<String> edges = new ArrayList<>();
    for (Segment.Via via : segment.via()) {
      if (!via.kind().equals("stream-order")) {
        String known = via.known().equals("inferred") ? " (inferred: " + via.rule() + ")" : "";
        edges.add(via.text() + known);
      }
    }
    return edges;
  }
}
