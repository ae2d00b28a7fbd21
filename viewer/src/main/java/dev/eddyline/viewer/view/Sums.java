package dev.eddyline.viewer.view;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.track.Lane;
import dev.eddyline.viewer.track.Track;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums over a span of time, by row and name. Ops and calls count that lie in the span at least in
 * part; of those that reach beyond it, the part inside.
 */
public final class Sums {
  /**
   * One line.
   *
   * @param row label of the row
   * @param name what ran
   * @param count how often
   * @param totalNs in all
   * @param meanNs on average
   * @param p50Ns half of them took at most so long
   * @param p95Ns 95 of 100 took at most so long
   * @param maxNs the longest
   * @param share of the span, 0 to 1 and more where several ran at once
   */
  public record Line(
      String row,
      String name,
      int count,
      long totalNs,
      long meanNs,
      long p50Ns,
      long p95Ns,
      long maxNs,
      double share) {}

  private record Key(int track, String name) {}

  private static final class Values {
    private long[] ns = new long[8];
    private int count;

    void add(long value) {
      if (count == ns.length) {
        ns = Arrays.copyOf(ns, count * 2);
      }
      ns[count++] = value;
    }
  }

  private Sums() {}

  /** The sums over a span, the largest total first. Takes a while for millions of ops. */
  public static List<Line> of(TraceModel model, Span span) {
    Map<Key, Values> all = new HashMap<>();
    OpView op = model.timeline().ops();
    CallView call = model.timeline().calls();
    for (Track track : model.tracks()) {
      boolean stream = track.isStream();
      if (!stream && track.kind() != Track.Kind.CALLS) {
        continue;
      }
      for (Lane lane : track.lanes()) {
        for (int i = lane.firstEndingAfter(span.startNs());
            i < lane.size() && lane.start(i) < span.endNs();
            i++) {
          int item = lane.item(i);
          String name = stream ? plain(model, op.at(item)) : call.at(item).name();
          long from = Math.max(span.startNs(), lane.start(i));
          long to = Math.min(span.endNs(), lane.end(i));
          all.computeIfAbsent(new Key(track.index(), name), k -> new Values()).add(to - from);
        }
      }
    }
    List<Line> lines = new ArrayList<>();
    all.forEach((key, values) -> lines.add(line(model, span, key, values)));
    lines.sort(
        Comparator.comparingLong((Line line) -> -line.totalNs())
            .thenComparing(Line::row)
            .thenComparing(Line::name));
    return lines;
  }

  private static String plain(TraceModel model, OpView op) {
    String name = model.names().of(op);
    int number = name.indexOf(" #");
    return number > 0 && model.graph().collectives().isCollective(op)
        ? name.substring(0, number)
        : name;
  }

  private static Line line(TraceModel model, Span span, Key key, Values values) {
    long[] sorted = Arrays.copyOf(values.ns, values.count);
    Arrays.sort(sorted);
    long total = Arrays.stream(sorted).sum();
    return new Line(
        model.tracks().get(key.track()).label(),
        key.name(),
        sorted.length,
        total,
        total / sorted.length,
        percentile(sorted, 0.5),
        percentile(sorted, 0.95),
        sorted[sorted.length - 1],
        total / (double) Math.max(1, span.lengthNs()));
  }

  private static long percentile(long[] sorted, double share) {
    return sorted[(int) Math.max(0, Math.ceil(sorted.length * share) - 1)];
  }
}
