package dev.eddyline.junit;

import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the race behind an outcome that differs between schedules: of all pairs of ops of one rank
 * that nothing orders, the one whose order in time goes best with the outcome. It is a guess, for
 * traces hold no addresses, and worded as one.
 */
final class RaceFinder {
  /** Pairs are looked at one by one; of longer traces only the beginning. */
  private static final int MOST_OPS = 300;

  private static final double LEAST_GAIN = 1e-9;

  private final List<Recording> all;
  private final List<Boolean> differs;
  private final List<Map<String, Integer>> rows = new ArrayList<>();

  /** Two ops, by their keys. */
  private record Pair(String first, String second) {}

  RaceFinder(List<Recording> all, List<Boolean> differs) {
    this.all = all;
    this.differs = differs;
  }

  /** The pair in words, with a schedule of either outcome; empty if no pair tells them apart. */
  List<String> lines() {
    all.forEach(recording -> rows.add(keys(recording.view())));
    Pair found = find();
    if (found == null) {
      return List.of();
    }
    TraceView view = all.get(0).view();
    String first = view.opOnStream(row(0, found.first()));
    String second = view.opOnStream(row(0, found.second()));
    int plain = differs.indexOf(false);
    int other = otherOrder(found, plain);
    List<String> lines = new ArrayList<>();
    lines.add("nothing orders " + first + ", and " + second + "; their times go with the outcome:");
    lines.add("  " + times(plain, found));
    lines.add("  " + times(other, found));
    return lines;
  }

  /** A schedule of the other outcome on which the two lie otherwise than on the given one. */
  private int otherOrder(Pair pair, int plain) {
    int order = order(plain, pair.first(), pair.second());
    for (int i = 0; i < all.size(); i++) {
      if (differs.get(i) && order(i, pair.first(), pair.second()) != order) {
        return i;
      }
    }
    return differs.indexOf(true);
  }

  private int row(int recording, String key) {
    return java.util.Objects.requireNonNull(rows.get(recording).get(key));
  }

  private String times(int index, Pair pair) {
    TraceView view = all.get(index).view();
    return "seed "
        + all.get(index).seed()
        + "   "
        + span(view, row(index, pair.first()))
        + "   "
        + span(view, row(index, pair.second()));
  }

  private static String span(TraceView view, int row) {
    OpView op = view.timeline().ops().at(row);
    long zero = view.zero(op.process());
    String name = view.opWords(row);
    return name + " " + Millis.of(op.at(row).start() - zero) + " .. " + Words.ms(op.end() - zero);
  }

  /** Ops by what they are on every schedule: rank, stream, place on it, name. */
  private static Map<String, Integer> keys(TraceView view) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    OpView op = view.timeline().ops();
    for (int row = 0; row < op.size() && keys.size() < MOST_OPS; row++) {
      op.at(row);
      String key =
          op.process()
              + "/"
              + view.label(op.stream())
              + "/"
              + view.graph().ops().indexOf(row)
              + "/"
              + op.name();
      keys.putIfAbsent(key, row);
    }
    return keys;
  }

  private @Nullable Pair find() {
    List<String> everywhere = new ArrayList<>(rows.get(0).keySet());
    everywhere.removeIf(key -> rows.stream().anyMatch(map -> !map.containsKey(key)));
    Pair best = null;
    double most = LEAST_GAIN;
    for (int i = 0; i < everywhere.size(); i++) {
      for (int j = i + 1; j < everywhere.size(); j++) {
        String first = everywhere.get(i);
        String second = everywhere.get(j);
        double gain = isUnordered(first, second) ? gain(first, second) : 0;
        if (gain > most) {
          most = gain;
          best = new Pair(first, second);
        }
      }
    }
    return best;
  }

  private boolean isUnordered(String first, String second) {
    TraceView view = all.get(0).view();
    int a = row(0, first);
    int b = row(0, second);
    OpView op = view.timeline().ops();
    boolean sameRank = op.at(a).process() == op.at(b).process();
    return sameRank
        && op.at(a).stream() != op.at(b).stream()
        && !view.reachability().reaches(a, b)
        && !view.reachability().reaches(b, a);
  }

  /** How many bits of the outcome the order of two ops tells, over all schedules. */
  private double gain(String first, String second) {
    Map<Integer, int[]> outcomes = new HashMap<>();
    int[] whole = new int[2];
    for (int i = 0; i < all.size(); i++) {
      int outcome = differs.get(i) ? 1 : 0;
      outcomes.computeIfAbsent(order(i, first, second), order -> new int[2])[outcome]++;
      whole[outcome]++;
    }
    return bits(whole) - outcomes.values().stream().mapToDouble(RaceFinder::bits).sum();
  }

  private static double bits(int[] counts) {
    double sum = counts[0] + counts[1];
    double bits = 0;
    for (int count : counts) {
      bits -= count == 0 ? 0 : count * Math.log(count / sum) / Math.log(2);
    }
    return bits;
  }

  private int order(int index, String first, String second) {
    OpView op = all.get(index).view().timeline().ops();
    op.at(row(index, first));
    long start = op.start();
    long end = op.end();
    op.at(row(index, second));
    if (end <= op.start()) {
      return -1;
    }
    return op.end() <= start ? 1 : 0;
  }
}
