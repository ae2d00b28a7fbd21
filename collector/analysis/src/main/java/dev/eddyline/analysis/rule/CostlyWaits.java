package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.StreamHold;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.OpAccesses.Use;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Waits that held their stream though what they cover, or the last part of it, touches nothing that
 * comes behind them. What comes behind: the later ops of the stream up to its next wait for the
 * same one, everything of streams that wait for it later, and what the host uses later.
 */
final class CostlyWaits {
  static final Rule.Parameter MIN_SHARE =
      new Rule.Parameter("min-share", "%", 1, "less of what was recorded is left out");
  private static final double PERCENT = 100;
  private static final int MOST_USES = 4096;
  private static final long LEAST_NS = 5_000;

  /**
   * A wait that could go, or come earlier.
   *
   * @param waitRow its row
   * @param neededOp row of the last op that is really needed, -1 if none is
   * @param lastOp row of the last op that it waits for
   * @param heldNs for how long it held the stream without need
   */
  record Costly(int waitRow, int neededOp, int lastOp, long heldNs) {}

  private record Pair(int waiter, int source) {}

  private final StreamGraph graph;
  private final Timeline timeline;
  private final OpAccesses accesses;
  private final StreamHold hold;
  private final OpView op;
  private boolean unknown;

  private CostlyWaits(Facts facts) {
    this.graph = facts.graph();
    this.timeline = facts.timeline();
    this.accesses = facts.opAccesses();
    this.hold = new StreamHold(graph);
    this.op = timeline.ops();
  }

  /** What a pair of streams must have lost to be told. */
  static long leastNs(Facts facts) {
    return Math.max(
        facts.options().minBlockedNs(),
        Math.round(facts.lengthNs() * MIN_SHARE.defaultValue() / PERCENT));
  }

  /** Why waits cannot be judged, or null. */
  static @org.jspecify.annotations.Nullable String notJudgedBecause(Facts facts) {
    if (!facts.opAccesses().areExact()) {
      return "needs to know exactly which memory each op uses";
    }
    for (int i = 0; i < facts.graph().bindings().size(); i++) {
      if (facts.graph().bindings().isUnknown(i)) {
        return "needs to know what every wait waits for";
      }
    }
    return null;
  }

  /** The costly waits, in order of time. */
  static List<Costly> find(Facts facts) {
    return new CostlyWaits(facts).all();
  }

  private List<Costly> all() {
    List<Costly> found = new ArrayList<>();
    Map<Pair, Integer> known = new HashMap<>();
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      int waiter = wait.at(i).stream();
      int source = graph.bindings().source(i);
      int covered = graph.coveredBy(i);
      if (waiter < 0 || source < 0 || source == waiter || covered <= 0) {
        continue;
      }
      int before = known.getOrDefault(new Pair(waiter, source), 0);
      int reported = found.size();
      if (covered > before && !graph.bindings().isNcclInternal(i)) {
        long held = hold.byWait(i);
        if (held >= LEAST_NS) {
          judge(i, before, held, found);
        }
      }
      // One that could go leaves its order to later ones, so that all of them can go together.
      boolean removable = found.size() > reported && found.get(reported).neededOp() < 0;
      if (!removable) {
        known.merge(new Pair(waiter, source), covered, Math::max);
      }
    }
    return found;
  }

  private void judge(int wait, int before, long held, List<Costly> found) {
    unknown = false;
    List<Use> behind = behind(wait);
    if (unknown) {
      return;
    }
    int source = graph.bindings().source(wait);
    int covered = graph.coveredBy(wait);
    int last = graph.ops().op(source, covered - 1);
    if (behind.size() > MOST_USES || conflictsThrough(wait, behind)) {
      return;
    }
    int index = covered - 1;
    while (index >= before && !conflicts(graph.ops().op(source, index), behind)) {
      index--;
    }
    if (index == covered - 1) {
      return;
    }
    if (index < before) {
      found.add(new Costly(wait, -1, last, held));
      return;
    }
    int needed = graph.ops().op(source, index);
    long neededEnd = op.at(needed).end();
    long without = Math.min(held, op.at(last).end() - neededEnd);
    if (without >= LEAST_NS) {
      found.add(new Costly(wait, needed, last, without));
    }
  }

  /** Whether an op shares memory with what comes behind; one that tells nothing may. */
  private boolean conflicts(int row, List<Use> behind) {
    List<Use> uses = accesses.of(row);
    if (uses.isEmpty()) {
      return true;
    }
    for (Use use : uses) {
      for (Use later : behind) {
        if (use.conflicts(later)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the source passes on an order with a third stream that is needed behind the wait. */
  private boolean conflictsThrough(int wait, List<Use> behind) {
    int source = graph.bindings().source(wait);
    int waiter = timeline.waits().at(wait).stream();
    int covered = graph.coveredBy(wait);
    for (int i = 0; i < graph.waitCount(source); i++) {
      int other = graph.waitOf(source, i);
      int third = graph.bindings().source(other);
      if (graph.waitPosition(other) > covered || third < 0 || third == waiter) {
        continue;
      }
      for (int p = 0; p < Math.min(graph.coveredBy(other), graph.ops().count(third)); p++) {
        if (conflicts(graph.ops().op(third, p), behind)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What may rely on a wait. */
  private List<Use> behind(int wait) {
    List<Use> uses = new ArrayList<>();
    int waiter = timeline.waits().at(wait).stream();
    int source = graph.bindings().source(wait);
    int from = graph.waitPosition(wait);
    int until = graph.ops().count(waiter);
    for (int i = graph.firstWaitFrom(waiter, from); i < graph.waitCount(waiter); i++) {
      int next = graph.waitOf(waiter, i);
      if (next > wait
          && graph.bindings().source(next) == source
          && graph.coveredBy(next) >= graph.coveredBy(wait)) {
        until = graph.waitPosition(next);
        break;
      }
    }
    add(waiter, from, until, uses);
    WaitView other = timeline.waits();
    for (int i = 0; i < other.size() && uses.size() <= MOST_USES; i++) {
      int stream = other.at(i).stream();
      if (stream >= 0
          && stream != waiter
          && stream != source
          && graph.bindings().source(i) == waiter
          && graph.coveredBy(i) > from) {
        add(stream, graph.waitPosition(i), graph.ops().count(stream), uses);
      }
    }
    int call = graph.links().callOfWait(wait);
    long time = call < 0 ? Long.MIN_VALUE : timeline.calls().at(call).start();
    uses.addAll(accesses.ofHost(timeline.stream(waiter).process(), time));
    return uses;
  }

  private void add(int stream, int from, int until, List<Use> uses) {
    for (int p = Math.max(0, from); p < until && uses.size() <= MOST_USES; p++) {
      List<Use> known = accesses.of(graph.ops().op(stream, p));
      unknown |= known.isEmpty();
      uses.addAll(known);
    }
  }
}
