package dev.eddyline.viewer.view;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.viewer.model.Chain;
import dev.eddyline.viewer.model.Link;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The selection in words: what it is, what its time went to, what it waited for. */
public final class Details {
  private final TraceModel model;
  private final List<String> lines = new ArrayList<>();

  private Details(TraceModel model) {
    this.model = model;
  }

  /** The lines to show; a line that ends in a colon is a heading. */
  public static List<String> of(TraceModel model, Selection selection, Chain chain) {
    Details details = new Details(model);
    if (selection instanceof Selection.OfFinding f) {
      Finding finding = model.report().findings().get(f.finding());
      details.finding(finding, f.occurrence());
      details.segments(chain);
      details.reasons(finding);
      details.links(chain);
      return details.lines;
    } else if (selection instanceof Selection.OfCall c) {
      details.call(c.row());
    } else if (selection instanceof Selection.OfOp o) {
      details.op(o.row());
    } else if (selection instanceof Selection.OfRange r) {
      RangeView range = model.timeline().ranges().at(r.row());
      details.lines.add(range.name());
      details.times(range.start(), range.end());
      details.lines.add(model.timeline().thread(range.thread()).label());
    } else {
      details.lines.add("Nothing selected. N goes to the next finding.");
    }
    details.segments(chain);
    details.links(chain);
    return details.lines;
  }

  private String ms(long timeNs) {
    return Millis.of(timeNs - model.zeroNs());
  }

  private void times(long startNs, long endNs) {
    lines.add(ms(startNs) + " .. " + ms(endNs) + " ms, " + Millis.of(endNs - startNs) + " ms long");
  }

  private void finding(Finding finding, int occurrence) {
    lines.add(finding.summary());
    lines.add(
        finding.severity().name().toLowerCase(java.util.Locale.ROOT)
            + ", "
            + finding.confidence().name().toLowerCase(java.util.Locale.ROOT)
            + ", "
            + finding.rule());
    if (!finding.occurrences().isEmpty()) {
      Occurrence one = finding.occurrences().get(occurrence);
      lines.add("Occurrence " + (occurrence + 1) + " of " + finding.occurrences().size() + ":");
      if (!one.call().isEmpty()) {
        lines.add(one.call() + (one.stream().isEmpty() ? "" : ", stream " + one.stream()));
      }
      times(one.startNs(), one.endNs());
      if (!one.where().isEmpty()) {
        lines.add(one.where().stream().map(Place::name).collect(Collectors.joining(" > ")));
      }
    }
  }

  private void reasons(Finding finding) {
    lines.add("Why:");
    lines.add(finding.explanation());
    lines.add("Fix:");
    lines.add(finding.remedy());
    if (!finding.sure().isEmpty()) {
      lines.add("Sure:");
      lines.addAll(finding.sure());
    }
    if (!finding.guessed().isEmpty()) {
      lines.add("Guessed:");
      lines.addAll(finding.guessed());
    }
  }

  private void call(int row) {
    CallView call = model.timeline().calls().at(row);
    lines.add(call.name());
    times(call.start(), call.end());
    lines.add(model.timeline().thread(call.thread()).label() + ", call " + call.correlation());
    var block = model.block(row);
    if (block != null) {
      lines.add(
          block.endOfTrace()
              ? "A device sync at the end: expected."
              : block.isBlocked()
                  ? "It held the host for GPU work."
                  : "It found nothing to wait for.");
    }
  }

  private void op(int row) {
    OpView op = model.timeline().ops().at(row);
    lines.add(model.names().of(op));
    times(op.start(), op.end());
    var stream = model.timeline().stream(op.stream());
    lines.add("stream " + stream.label() + ", op " + op.correlation());
    if (op.bytes() >= 0) {
      lines.add(op.bytes() + " bytes");
    }
    lines.add(op.name());
    int by = model.graph().ops().callOf(row);
    if (by >= 0) {
      long launched = model.timeline().calls().at(by).start();
      lines.add(
          "launched at "
              + ms(launched)
              + " ms, "
              + Millis.of(op.start() - launched)
              + " ms before it began");
    }
    if (model.peers().isLate(row)) {
      long waited = model.peers().lastArrival(row) - op.start();
      lines.add("waited " + Millis.of(waited) + " ms for rank " + model.peers().lastRank(row));
    }
  }

  private void segments(Chain chain) {
    if (chain.segments().isEmpty()) {
      return;
    }
    lines.add("Where the time went:");
    for (Segment segment : chain.segments()) {
      StringBuilder line = new StringBuilder(Millis.of(segment.ns())).append(" ms  ");
      line.append(segment.state().word().replace('-', ' '));
      if (!segment.op().isEmpty()) {
        line.append("  ").append(segment.op()).append(", stream ").append(segment.stream());
      }
      if (!segment.beside().isEmpty()) {
        line.append(" (beside: ")
            .append(
                segment.beside().stream()
                    .map(beside -> beside.op() + " on " + beside.stream())
                    .distinct()
                    .limit(3)
                    .collect(Collectors.joining(", ")))
            .append(")");
      }
      lines.add(line.toString());
    }
  }

  private void links(Chain chain) {
    List<Link> links =
        chain.links().stream().filter(link -> link.style() != Link.Style.LAUNCH).toList();
    if (links.isEmpty()) {
      return;
    }
    lines.add("Edges:");
    for (Link link : links) {
      String from = link.isStub() ? "?" : model.tracks().get(link.fromTrack()).label();
      String to = link.toTrack() < 0 ? "?" : model.tracks().get(link.toTrack()).label();
      lines.add(
          to
              + " after "
              + from
              + ", "
              + link.style().name().toLowerCase(java.util.Locale.ROOT)
              + (link.text().isEmpty() ? "" : ": " + link.text()));
    }
  }
}
