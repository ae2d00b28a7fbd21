package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.WaitFact.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What changed in the dependencies between two runs; streams are matched by their labels. */
public final class Comparison {
  /**
   * Waits of one stream for one thing in both runs.
   *
   * @param waiter label of the stream that waits
   * @param target label of what it waits for, "?" where that is not known
   * @param waiterTitle the waiter as a table shows it
   * @param targetTitle the target as a table shows it
   * @param before waits before, null if that stream ran nothing then
   * @param after waits after, null if that stream ran nothing then
   * @param beforeWords how often in words
   * @param afterWords how often in words
   * @param change "new", "gone", "more often", "" where it is the same
   */
  public record Row(
      String waiter,
      String target,
      String waiterTitle,
      String targetTitle,
      @Nullable Integer before,
      @Nullable Integer after,
      String beforeWords,
      String afterWords,
      String change) {}

  private record Key(String waiter, String target) {}

  private final StreamDependencies before;
  private final StreamDependencies after;

  /** Compares two runs. */
  public Comparison(StreamDependencies before, StreamDependencies after) {
    this.before = before;
    this.after = after;
  }

  /** The rows, by waiter and target; NCCL's own left out. */
  public List<Row> rows() {
    Map<Key, Integer> first = counts(before);
    Map<Key, Integer> second = counts(after);
    Map<Key, Integer> all = new LinkedHashMap<>(first);
    second.forEach(all::putIfAbsent);
    List<Key> keys = new ArrayList<>(all.keySet());
    keys.sort(
        java.util.Comparator.comparing((Key key) -> isOpen(key))
            .thenComparing(Key::waiter, DependencyFinder::byNumber)
            .thenComparing(Key::target, DependencyFinder::byNumber));
    Map<String, String> titles = titles();
    List<Row> rows = new ArrayList<>();
    for (Key key : keys) {
      Integer old = of(first, key, before);
      Integer now = of(second, key, after);
      rows.add(
          new Row(
              key.waiter(),
              key.target(),
              titles.getOrDefault(key.waiter(), key.waiter()),
              titles.getOrDefault(key.target(), key.target()),
              old,
              now,
              words(old, before),
              words(now, after),
              change(key, old, now)));
    }
    return rows;
  }

  private Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    for (StreamDependencies deps : List.of(before, after)) {
      for (Dependency row : deps.rows()) {
        titles.put(row.waiter().label(), row.waiter().title());
        titles.put(row.target().label(), row.target().title());
      }
    }
    return titles;
  }

  private static boolean isOpen(Key key) {
    return key.target().equals(Party.UNKNOWN.label());
  }

  private static Map<Key, Integer> counts(StreamDependencies deps) {
    Map<Key, Integer> counts = new LinkedHashMap<>();
    for (Dependency row : deps.rows()) {
      if (!row.ncclInternal()) {
        Key key = new Key(row.waiter().label(), row.target().label());
        counts.merge(key, row.waits().size(), Integer::sum);
      }
    }
    return counts;
  }

  private static @Nullable Integer of(Map<Key, Integer> counts, Key key, StreamDependencies deps) {
    Integer count = counts.get(key);
    boolean there =
        count != null
            || deps.notes().stream().anyMatch(n -> n.party().label().equals(key.waiter()));
    return count == null && there ? Integer.valueOf(0) : count;
  }

  private static String words(@Nullable Integer count, StreamDependencies deps) {
    return count == null ? "ran nothing" : count == 0 ? "-" : often(count, deps);
  }

  /** "1 per step", "3 in 64 steps", "5 times". */
  static String often(int count, StreamDependencies deps) {
    int steps = deps.stepCount() * deps.ranks();
    if (steps == 0) {
      return count == 1 ? "once" : count + " times";
    }
    return count % steps == 0
        ? count / steps + " per step"
        : count + " in " + steps + (steps == 1 ? " step" : " steps");
  }

  private String change(Key key, @Nullable Integer old, @Nullable Integer now) {
    int had = old == null ? 0 : old;
    int has = now == null ? 0 : now;
    if (had == 0 || has == 0) {
      // A wait may also have been there among those that are not known.
      boolean open = had == 0 ? openBefore() > 0 : openAfter() > 0;
      return (had == 0 ? "new" : "gone") + (open && !isOpen(key) ? ", or not known" : "");
    }
    String one = often(had, before);
    String other = often(has, after);
    return one.equals(other) ? "" : "changed";
  }

  /** Waits before of which it is not known for what they are. */
  public int openBefore() {
    return open(before);
  }

  /** Waits after of which it is not known for what they are. */
  public int openAfter() {
    return open(after);
  }

  private static int open(StreamDependencies deps) {
    return deps.rows().stream()
        .filter(row -> row.state() == State.UNKNOWN)
        .mapToInt(row -> row.waits().size())
        .sum();
  }

  /** What is said of the streams in both runs: what is the same once, the rest apart. */
  List<String> sentences() {
    List<String> old = Sentences.of(before);
    List<String> now = Sentences.of(after);
    List<String> lines = new ArrayList<>();
    old.stream().filter(now::contains).forEach(same -> lines.add("both     " + same));
    old.stream().filter(line -> !now.contains(line)).forEach(l -> lines.add("before   " + l));
    now.stream().filter(line -> !old.contains(line)).forEach(l -> lines.add("after    " + l));
    return lines;
  }

  /** Waits by waiter and target, and for each how often it was which call. */
  static Map<String, Map<String, Integer>> callsOf(StreamDependencies deps) {
    Map<String, Map<String, Integer>> calls = new TreeMap<>();
    for (Dependency row : deps.rows()) {
      for (WaitFact wait : row.waits()) {
        String key = row.waiter().label() + '\u0000' + row.target().label();
        Objects.requireNonNull(calls.computeIfAbsent(key, k -> new TreeMap<>()))
            .merge(wait.call(), 1, Integer::sum);
      }
    }
    return calls;
  }
}
