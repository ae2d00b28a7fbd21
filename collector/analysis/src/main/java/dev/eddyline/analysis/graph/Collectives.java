package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Which ops are collectives, and which call of the library each belongs to: by correlation where
 * the source has it, else by the launch lying in the library's call on the same thread, else (a
 * coalescing group) by the call before. An op that only its kernel name gives away has no call.
 */
public final class Collectives {
  private static final String COALESCED_RANGE = "nccl:coalesced";
  private final Timeline timeline;
  private final boolean[] collectiveName;
  private final int[] callOfOp;
  private final int[] ordinal;
  private final boolean[] streamRanCollective;
  private final boolean[] streamRanOther;

  Collectives(Timeline timeline, StreamOps ops, ScopeIndex scopes) {
    this.timeline = timeline;
    collectiveName = new boolean[timeline.strings().size()];
    for (int i = 0; i < collectiveName.length; i++) {
      collectiveName[i] = isCollectiveKernel(timeline.strings().get(i));
    }
    OpView op = timeline.ops();
    callOfOp = new int[op.size()];
    ordinal = new int[op.size()];
    Arrays.fill(callOfOp, -1);
    Arrays.fill(ordinal, -1);
    streamRanCollective = new boolean[timeline.streams().size()];
    streamRanOther = new boolean[timeline.streams().size()];
    linkOps(ops, scopes);
    number();
  }

  /** Whether a kernel of this name carries out a collective (or a group of them). */
  public static boolean isCollectiveKernel(String kernel) {
    return kernel.startsWith("nccl") && kernel.contains("Kernel");
  }

  private void linkOps(StreamOps ops, ScopeIndex scopes) {
    ScopeIndex coalesced = coalescedRanges();
    CollectiveView collective = timeline.collectives();
    Map<Long, Integer> byCorrelation = new HashMap<>();
    for (int i = 0; i < collective.size(); i++) {
      if (collective.at(i).correlation() >= 0) {
        byCorrelation.put(key(collective.process(), collective.correlation()), i);
      }
    }
    OpView op = timeline.ops();
    CallView call = timeline.calls();
    for (int i = 0; i < op.size(); i++) {
      boolean isCollective = collectiveName[op.at(i).nameId()];
      if (!isCollective) {
        streamRanOther[op.stream()] = true;
        continue;
      }
      streamRanCollective[op.stream()] = true;
      Integer known = byCorrelation.get(key(op.process(), op.correlation()));
      int launch = ops.callOf(i);
      if (known != null) {
        callOfOp[i] = known;
      } else if (launch >= 0) {
        call.at(launch);
        int scope = scopes.innermostAt(call.thread(), call.start());
        if (scope < 0 && coalesced.innermostAt(call.thread(), call.start()) >= 0) {
          scope = scopes.lastBefore(call.thread(), call.start());
        }
        callOfOp[i] = scope;
      }
    }
  }

  private static long key(int process, long correlation) {
    return correlation << 16 ^ process;
  }

  private ScopeIndex coalescedRanges() {
    RangeView range = timeline.ranges();
    return ScopeIndex.of(
        timeline.threads().size(),
        range.size(),
        row -> range.at(row).name().equals(COALESCED_RANGE) ? range.thread() : -1,
        row -> range.at(row).start(),
        row -> range.at(row).end());
  }

  /** Numbers the collectives of each communicator of each process, by start, from 0. */
  private void number() {
    Map<Long, Integer> next = new HashMap<>();
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      if (collectiveName[op.at(i).nameId()]) {
        long key = (long) op.process() << 32 | communicatorId(i);
        ordinal[i] = next.merge(key, 0, (old, zero) -> old + 1);
      }
    }
  }

  private int communicatorId(int op) {
    return callOfOp[op] < 0 ? 0 : timeline.collectives().at(callOfOp[op]).communicatorId();
  }

  /** Whether an op carries out a collective. */
  public boolean isCollective(OpView op) {
    return collectiveName[op.nameId()];
  }

  /** Row of the library's call that an op belongs to, or -1. */
  public int callOf(int op) {
    return callOfOp[op];
  }

  /** Number of a collective op within its process and communicator in this trace, from 0. */
  public int ordinal(int op) {
    return ordinal[op];
  }

  /** Whether a stream ran collectives. */
  public boolean ranCollective(int stream) {
    return streamRanCollective[stream];
  }

  /** Whether a stream ran collectives and, but for copies around them, nothing else. */
  public boolean ranOther(int stream) {
    return streamRanOther[stream];
  }

  /** Name of the communicator of a collective op, "" if not known. */
  public String communicator(int op) {
    return callOfOp[op] < 0 ? "" : timeline.collectives().at(callOfOp[op]).communicator();
  }

  /** What to call a collective op: "all-reduce #3", with its group where it has one. */
  public String label(int op) {
    String kind =
        callOfOp[op] < 0
            ? kindOfKernel(timeline.ops().at(op).name())
            : kindWord(timeline.collectives().at(callOfOp[op]).kind());
    return kind + " #" + ordinal[op];
  }

  /** The word for a collective from the library's own: "allreduce_coalesced" → "all-reduce". */
  public static String kindWord(String kind) {
    String plain = kind.toLowerCase(Locale.ROOT).replace("_", "").replace("coalesced", "");
    if (plain.startsWith("allreduce")) {
      return "all-reduce";
    }
    if (plain.startsWith("allgather")) {
      return "all-gather";
    }
    if (plain.startsWith("reducescatter")) {
      return "reduce-scatter";
    }
    if (plain.startsWith("alltoall")) {
      return "all-to-all";
    }
    return plain.startsWith("sendrecv") ? "send/recv" : plain;
  }

  private static String kindOfKernel(String kernel) {
    int begin = kernel.indexOf('_') + 1;
    int end = kernel.indexOf('_', begin);
    return kindWord(end > begin ? kernel.substring(begin, end) : "collective");
  }
}
