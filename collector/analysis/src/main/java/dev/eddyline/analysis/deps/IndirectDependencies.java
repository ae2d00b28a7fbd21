package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.IndirectDependency.Cause;
import dev.eddyline.analysis.graph.LegacyStreams;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds orders that come without a wait between two streams: one communicator that both use, and
 * the legacy default stream.
 *
 * <pre>
 *   fragment-0   K●                       ◆
 *   nccl          ◆ all-reduce #0 ● ◆ all-reduce #1 ●
 *   fragment-1              K ●              ◆         comes after fragment-0's K, too
 * </pre>
 */
final class IndirectDependencies {
  private record Pair(int later, int earlier, String through) {}

  private record Group(int process, String communicator) {}

  private final StreamGraph graph;
  private final Timeline timeline;
  private final Parties parties;
  private final OpView op;
  private final Map<Integer, Set<Integer>> before = new HashMap<>();
  private final Map<Integer, Set<Integer>> after = new HashMap<>();
  private final Set<Long> direct = new LinkedHashSet<>();

  IndirectDependencies(StreamGraph graph, Parties parties) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.parties = parties;
    this.op = timeline.ops();
  }

  List<IndirectDependency> find() {
    readWaits();
    List<IndirectDependency> found = new ArrayList<>(communicators());
    found.addAll(legacy());
    return found;
  }

  private static long key(int later, int earlier) {
    return (long) later << 32 | earlier;
  }

  /** For each collective, whose work it waits for, and who waits for it. */
  private void readWaits() {
    var wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      int waiter = wait.at(i).stream();
      int source = graph.bindings().source(i);
      if (waiter < 0 || source < 0 || graph.bindings().isNcclInternal(i)) {
        continue;
      }
      direct.add(key(waiter, source));
      int position = graph.waitPosition(i);
      if (isNccl(waiter) && position >= 0 && position < graph.ops().count(waiter)) {
        int held = graph.ops().op(waiter, position);
        before.computeIfAbsent(held, k -> new LinkedHashSet<>()).add(source);
      }
      int covered = graph.coveredBy(i);
      if (isNccl(source) && covered > 0) {
        int last = graph.ops().op(source, covered - 1);
        after.computeIfAbsent(last, k -> new LinkedHashSet<>()).add(waiter);
      }
    }
  }

  private boolean isNccl(int stream) {
    return graph.collectives().ranCollective(stream) && !graph.collectives().ranOther(stream);
  }

  private List<IndirectDependency> communicators() {
    Map<Group, Integer> last = new HashMap<>();
    Map<Pair, Integer> times = new LinkedHashMap<>();
    for (int i = 0; i < op.size(); i++) {
      if (!graph.collectives().isCollective(op.at(i))
          || graph.collectives().communicator(i).isEmpty()) {
        continue;
      }
      Group group = new Group(op.at(i).process(), graph.collectives().communicator(i));
      Integer previous = last.put(group, i);
      if (previous != null) {
        count(previous, i, group.communicator(), times);
      }
    }
    List<IndirectDependency> found = new ArrayList<>();
    times.forEach(
        (pair, n) ->
            found.add(
                new IndirectDependency(
                    parties.of(pair.later()),
                    parties.of(pair.earlier()),
                    Cause.COMMUNICATOR,
                    pair.through(),
                    n)));
    return found;
  }

  private void count(int previous, int next, String through, Map<Pair, Integer> times) {
    for (int earlier : users(previous, before)) {
      for (int later : users(next, after)) {
        if (earlier != later
            && !direct.contains(key(later, earlier))
            && !users(next, before).contains(earlier)) {
          times.merge(new Pair(later, earlier, through), 1, Integer::sum);
        }
      }
    }
  }

  /** Streams whose work stands before or behind a collective; its own if it runs other work. */
  private Set<Integer> users(int collective, Map<Integer, Set<Integer>> of) {
    int stream = op.at(collective).stream();
    return isNccl(stream) && of.containsKey(collective)
        ? of.getOrDefault(collective, Set.of())
        : isNccl(stream) && hasUsers(stream) ? Set.of() : Set.of(stream);
  }

  /** Whether a stream of collectives serves others; else it is a fragment's own. */
  private boolean hasUsers(int stream) {
    for (long pair : direct) {
      if (pair >>> 32 == stream || (int) pair == stream) {
        return true;
      }
    }
    return false;
  }

  /** Blocking streams between which work of the legacy default stream was enqueued. */
  private List<IndirectDependency> legacy() {
    LegacyStreams legacy = graph.legacyStreams();
    List<IndirectDependency> found = new ArrayList<>();
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (graph.ops().count(s) == 0) {
        continue;
      }
      boolean own = timeline.stream(s).kind() == StreamInfo.Kind.LEGACY_DEFAULT;
      for (int earlier : legacy.orderedBefore(s)) {
        int times = graph.ops().count(earlier) == 0 ? 0 : alternations(s, earlier);
        if (times > 0) {
          String name = timeline.stream(own ? s : earlier).label();
          found.add(
              new IndirectDependency(
                  parties.of(s), parties.of(earlier), Cause.LEGACY_DEFAULT, name, times));
        }
      }
    }
    return found;
  }

  /** How often an op of a stream was enqueued behind new work of another one. */
  private int alternations(int stream, int earlier) {
    int times = 0;
    int known = 0;
    var call = timeline.calls();
    for (int i = 0; i < graph.ops().count(stream); i++) {
      int by = graph.ops().callOf(graph.ops().op(stream, i));
      if (by >= 0) {
        int position = graph.ops().positionAt(earlier, call.at(by).start());
        times += position > known ? 1 : 0;
        known = Math.max(known, position);
      }
    }
    return times;
  }
}
