package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Matches the collectives of all ranks by their order within each communicator, and tells when the
 * last rank arrived. A match is only accepted where every rank of the job is there, all have the
 * same number of collectives, and the ends of matched ones agree, after the median difference of
 * the clocks is taken out, for at least nine of ten.
 */
public final class MatchedArrivals implements RemoteArrivals {
  private static final long MOST_DIFFERENCE_NS = 100_000;
  private static final double LEAST_AGREEING = 0.9;

  private final Map<Integer, Long> lastArrival = new HashMap<>();
  private final Timeline timeline;
  private final OpView op;

  private MatchedArrivals(Timeline timeline) {
    this.timeline = timeline;
    this.op = timeline.ops();
  }

  /** Matches what can be matched; {@link RemoteArrivals#NONE} where ranks are missing. */
  public static RemoteArrivals of(StreamGraph graph) {
    Timeline timeline = graph.timeline();
    Set<Integer> ranks = new HashSet<>();
    int world = 0;
    for (var process : timeline.processes()) {
      ranks.add(process.rank());
      world = Math.max(world, process.worldSize());
    }
    int processes = timeline.processes().size();
    if (processes < 2 || ranks.size() != processes || ranks.contains(-1) || world > processes) {
      return NONE;
    }
    MatchedArrivals matched = new MatchedArrivals(timeline);
    matched.communicators(graph).values().forEach(matched::match);
    return matched.lastArrival.isEmpty() ? NONE : matched;
  }

  /** Per communicator, per process, its collective ops in order of time. */
  private Map<String, List<List<Integer>>> communicators(StreamGraph graph) {
    Collectives collectives = graph.collectives();
    Map<String, List<List<Integer>>> byName = new HashMap<>();
    for (int i = 0; i < op.size(); i++) {
      if (collectives.isCollective(op.at(i))) {
        byName
            .computeIfAbsent(collectives.communicator(i), name -> lists())
            .get(op.process())
            .add(i);
      }
    }
    return byName;
  }

  private List<List<Integer>> lists() {
    List<List<Integer>> lists = new ArrayList<>();
    timeline.processes().forEach(process -> lists.add(new ArrayList<>()));
    return lists;
  }

  private void match(List<List<Integer>> ofProcess) {
    int count = ofProcess.get(0).size();
    int processes = ofProcess.size();
    long[] offset = new long[processes];
    for (int p = 0; p < processes; p++) {
      if (ofProcess.get(p).size() != count) {
        return;
      }
      long[] differences = new long[count];
      for (int k = 0; k < count; k++) {
        differences[k] = end(ofProcess.get(0).get(k)) - end(ofProcess.get(p).get(k));
      }
      long[] sorted = differences.clone();
      Arrays.sort(sorted);
      long median = sorted[count / 2];
      offset[p] = median;
      long agreeing =
          Arrays.stream(differences)
              .filter(difference -> Math.abs(difference - median) <= MOST_DIFFERENCE_NS)
              .count();
      if (agreeing < LEAST_AGREEING * count) {
        return;
      }
    }
    for (int k = 0; k < count; k++) {
      long last = Long.MIN_VALUE;
      for (int p = 0; p < processes; p++) {
        last = Math.max(last, op.at(ofProcess.get(p).get(k)).start() + offset[p]);
      }
      for (int p = 0; p < processes; p++) {
        lastArrival.put(ofProcess.get(p).get(k), last - offset[p]);
      }
    }
  }

  private long end(int row) {
    return op.at(row).end();
  }

  @Override
  public long lastArrival(int row) {
    return lastArrival.getOrDefault(row, Long.MIN_VALUE);
  }
}
