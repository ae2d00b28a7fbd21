package dev.eddyline.analysis.report;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sums up what ran on each stream of a timeline. */
public final class StreamSummaries {
  private static final class Sums {
    private int ops;
    private long busyNs;
    private long busyUntil = Long.MIN_VALUE;
    private boolean nccl;
    private final Set<String> communicators = new TreeSet<>();
    private final Map<String, Integer> collectives = new TreeMap<>();
    private final Set<Integer> threads = new TreeSet<>();
  }

  private final Timeline timeline;
  private final Sums[] sums;
  private final Map<Integer, List<Integer>> collectivesOfThread = new HashMap<>();
  private final CallView calls;
  private final CollectiveView collectives;
  private final Boolean[] ncclNames;

  private StreamSummaries(Timeline timeline) {
    this.timeline = timeline;
    this.calls = timeline.calls();
    this.collectives = timeline.collectives();
    this.ncclNames = new Boolean[timeline.strings().size()];
    this.sums = new Sums[timeline.streams().size()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new Sums();
    }
  }

  /** One per stream, in the timeline's order, those without ops included. */
  public static List<StreamSummary> of(Timeline timeline) {
    return new StreamSummaries(timeline).sum();
  }

  private List<StreamSummary> sum() {
    for (int i = 0; i < collectives.size(); i++) {
      if (!isWait(collectives.at(i).kind())) {
        collectivesOfThread
            .computeIfAbsent(collectives.thread(), thread -> new ArrayList<>())
            .add(i);
      }
    }
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      add(op.at(i));
    }
    List<StreamSummary> all = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      Sums s = sums[i];
      Set<String> threads = new TreeSet<>();
      s.threads.forEach(thread -> threads.add(timeline.thread(thread).label()));
      all.add(
          new StreamSummary(
              i,
              timeline.stream(i),
              s.ops,
              s.busyNs,
              s.nccl,
              s.communicators,
              s.collectives,
              threads,
              isDefault(timeline.stream(i))));
    }
    return all;
  }

  /** CUPTI numbers the default stream of the first context 7, roctracer 0; Kineto copies that. */
  private boolean isDefault(StreamInfo stream) {
    if (stream.kind() != StreamInfo.Kind.UNKNOWN) {
      return stream.kind() == StreamInfo.Kind.LEGACY_DEFAULT;
    }
    int source = timeline.process(stream.process()).source();
    return timeline.sources().get(source).format().equals("Kineto")
        && (stream.id() == 7 || stream.id() == 0);
  }

  private static boolean isWait(String kind) {
    String word = kind.toLowerCase(Locale.ROOT);
    return word.equals("wait") || word.equals("init");
  }

  private void add(OpView op) {
    Sums s = sums[op.stream()];
    s.ops++;
    // Ops come in order of their start, so the union of their times needs only its last end.
    s.busyNs += Math.max(0, op.end() - Math.max(op.start(), s.busyUntil));
    s.busyUntil = Math.max(s.busyUntil, op.end());
    int call = op.call();
    if (call >= 0) {
      s.threads.add(calls.at(call).thread());
    }
    if (!isNccl(op.nameId(), op.name())) {
      return;
    }
    s.nccl = true;
    int row = call < 0 ? -1 : collectiveAround(call);
    String kind = Collectives.kindWord(row < 0 ? kindOf(op.name()) : collectives.at(row).kind());
    s.collectives.merge(kind, 1, Integer::sum);
    if (row >= 0 && !collectives.communicator().isEmpty()) {
      s.communicators.add(collectives.communicator());
    }
  }

  private boolean isNccl(int nameId, String name) {
    Boolean known = ncclNames[nameId];
    if (known == null) {
      known = isNcclKernel(name);
      ncclNames[nameId] = known;
    }
    return known;
  }

  static boolean isNcclKernel(String name) {
    return name.startsWith("nccl") || name.startsWith("rccl");
  }

  /** "ncclDevKernel_AllReduce_Sum_f32_RING_LL" is an "allreduce". */
  private static String kindOf(String kernel) {
    String[] parts = kernel.split("_", 3);
    return parts.length > 1 ? parts[1].toLowerCase(Locale.ROOT) : "collective";
  }

  /** The row of the innermost collective in whose time a call lies, or -1. */
  private int collectiveAround(int call) {
    long start = calls.at(call).start();
    long end = calls.end();
    List<Integer> rows = collectivesOfThread.getOrDefault(calls.thread(), List.of());
    int low = 0;
    int high = rows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (collectives.at(rows.get(middle)).start() <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // They seldom nest, and then only a few levels deep.
    for (int i = low - 1; i >= 0 && i >= low - 4; i--) {
      if (collectives.at(rows.get(i)).end() >= end) {
        return rows.get(i);
      }
    }
    return -1;
  }
}
