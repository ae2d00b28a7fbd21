package dev.eddyline.junit;

import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.List;

/** Measures for how much of the time that a stream is busy another one of its rank is busy too. */
final class Overlap implements Check {
  private final String stream;
  private final String other;
  private final double least;

  Overlap(String stream, String other, double least) {
    if (!(least >= 0 && least <= 1)) {
      throw new IllegalArgumentException("a share from 0 to 1, not " + least);
    }
    this.stream = stream;
    this.other = other;
    this.least = least;
  }

  /** The longest time in which the stream ran alone, and the op that it began in. */
  private record Alone(int row, long startNs, long endNs) {}

  @Override
  public Verdict judge(TraceView view) {
    for (String name : List.of(stream, other)) {
      if (view.streams(name).isEmpty()) {
        return open("No stream " + name + " ran in this trace. " + view.streamsHere());
      }
    }
    Verdict worst = new Verdict.Holds();
    boolean compared = false;
    for (int own : view.streams(stream)) {
      int process = view.timeline().stream(own).process();
      List<Integer> beside =
          view.streams(other).stream()
              .filter(s -> s != own && view.timeline().stream(s).process() == process)
              .toList();
      if (!beside.isEmpty() && view.graph().ops().count(own) > 0) {
        compared = true;
        Verdict verdict = judge(view, own, beside);
        worst = verdict instanceof Verdict.Holds ? worst : verdict;
      }
    }
    return compared ? worst : open("The streams ran nothing.");
  }

  private Verdict open(String because) {
    return new Verdict.Open(
        "do streams " + stream + " and " + other + " overlap?", List.of(because));
  }

  private Verdict judge(TraceView view, int own, List<Integer> beside) {
    List<long[]> mine = busy(view, List.of(own));
    List<long[]> theirs = busy(view, beside);
    long busyNs = length(mine);
    List<long[]> both = intersection(mine, theirs);
    long bothNs = length(both);
    double share = busyNs == 0 ? 0 : (double) bothNs / busyNs;
    if (share >= least) {
      return new Verdict.Holds();
    }
    List<String> body = new ArrayList<>();
    String rank = view.rankWords(view.timeline().stream(own).process());
    body.add(rank + "stream " + view.label(own) + " was busy " + Words.ms(busyNs) + ":");
    body.add("   " + Words.rest(busyNs, busyNs - bothNs) + " ms   beside stream " + other);
    body.add("   " + Words.ms(busyNs - bothNs) + "   alone");
    Alone alone = longestAlone(view, own, mine, both);
    long zero = view.zero(view.timeline().stream(own).process());
    body.add(
        "longest alone: "
            + Millis.of(alone.startNs() - zero)
            + " .. "
            + Words.ms(alone.endNs() - zero)
            + ", in "
            + view.opOnStream(alone.row()));
    String place = view.placeOfOp(alone.row());
    if (!place.isEmpty()) {
      body.add("launched at " + place);
    }
    return new Verdict.Broken(
        "stream "
            + stream
            + " must overlap with stream "
            + other
            + " for at least "
            + Words.percent(least)
            + " of its time",
        "but does for " + Words.percent(share),
        body,
        "launch work for stream "
            + other
            + " before anything waits for stream "
            + stream
            + ", and wait as late as you can.",
        "");
  }

  // ---- intervals ----

  /** When streams ran something, in order, joined where they touch. */
  private static List<long[]> busy(TraceView view, List<Integer> streams) {
    List<long[]> all = new ArrayList<>();
    OpView op = view.timeline().ops();
    for (int stream : streams) {
      for (int i = 0; i < view.graph().ops().count(stream); i++) {
        op.at(view.graph().ops().op(stream, i));
        all.add(new long[] {op.start(), op.end()});
      }
    }
    all.sort(java.util.Comparator.comparingLong(interval -> interval[0]));
    List<long[]> joined = new ArrayList<>();
    for (long[] next : all) {
      long[] last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && next[0] <= last[1]) {
        last[1] = Math.max(last[1], next[1]);
      } else {
        joined.add(next.clone());
      }
    }
    return joined;
  }

  private static List<long[]> intersection(List<long[]> a, List<long[]> b) {
    List<long[]> both = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < a.size() && j < b.size()) {
      long from = Math.max(a.get(i)[0], b.get(j)[0]);
      long to = Math.min(a.get(i)[1], b.get(j)[1]);
      if (from < to) {
        both.add(new long[] {from, to});
      }
      if (a.get(i)[1] < b.get(j)[1]) {
        i++;
      } else {
        j++;
      }
    }
    return both;
  }

  private static long length(List<long[]> intervals) {
    return intervals.stream().mapToLong(interval -> interval[1] - interval[0]).sum();
  }

  private static Alone longestAlone(
      TraceView view, int stream, List<long[]> mine, List<long[]> both) {
    long bestFrom = mine.get(0)[0];
    long bestTo = bestFrom;
    int next = 0;
    for (long[] busy : mine) {
      long from = busy[0];
      while (next < both.size() && both.get(next)[0] < busy[1]) {
        if (both.get(next)[0] - from > bestTo - bestFrom) {
          bestFrom = from;
          bestTo = both.get(next)[0];
        }
        from = both.get(next)[1];
        next++;
      }
      if (busy[1] - from > bestTo - bestFrom) {
        bestFrom = from;
        bestTo = busy[1];
      }
    }
    OpView op = view.timeline().ops();
    int row = view.graph().ops().op(stream, 0);
    for (int i = 0; i < view.graph().ops().count(stream); i++) {
      int at = view.graph().ops().op(stream, i);
      row = op.at(at).start() <= bestFrom ? at : row;
    }
    return new Alone(row, bestFrom, bestTo);
  }
}
