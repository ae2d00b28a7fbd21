package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.RemoteArrivals;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Only communication ran: nothing hid the collectives of a communicator.
 *
 * <pre>
 *   compute   ====================                    =======
 *   nccl                    ====all-reduce============
 *                                |     exposed        |
 * </pre>
 */
public final class ExposedCollective implements Rule {
  static final String ID = "exposed-collective";
  private static final Parameter MIN_SHARE =
      new Parameter("min-share", "%", 1, "less of what was recorded is said in one line only");

  /** A barrier is there to be waited for. */
  private static final String BARRIER = "barrier";

  private static final long RESUME_GAP_NS = 3_000;
  private static final int MOST_NAMED = 3;
  private static final double PERCENT = 100;

  private record Group(int process, String communicator, String kind) {}

  /** Sums of a group. */
  private static final class Sums {
    private final List<Integer> ops = new ArrayList<>();
    private final Map<Integer, Long> alone = new LinkedHashMap<>();
    private long ran;
    private long exposed;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "Only communication ran: nothing hid the collectives of a communicator.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MIN_SHARE);
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    StreamGraph graph = facts.graph();
    DeviceTimes times = facts.deviceTimes();
    OpView op = facts.timeline().ops();
    Map<Group, Sums> groups = new LinkedHashMap<>();
    for (int i = 0; i < op.size(); i++) {
      if (!graph.collectives().isCollective(op.at(i))) {
        continue;
      }
      String kind = kindOf(graph, i);
      if (kind.equals(BARRIER)) {
        continue;
      }
      Group key = new Group(op.at(i).process(), graph.collectives().communicator(i), kind);
      Sums sums = groups.computeIfAbsent(key, k -> new Sums());
      long alone = times.alone(op.at(i));
      sums.ops.add(i);
      sums.ran += op.duration();
      sums.exposed += alone;
      if (alone > 0) {
        sums.alone.put(i, alone);
      }
    }
    List<Finding> findings = new ArrayList<>();
    groups.forEach((key, sums) -> findings.add(finding(key, sums, facts)));
    return findings;
  }

  private static String kindOf(StreamGraph graph, int op) {
    return graph.collectives().label(op).replaceFirst(" #\\d+$", "");
  }

  private static Finding finding(Group key, Sums sums, Facts facts) {
    long least =
        Math.max(
            facts.options().minBlockedNs(),
            Math.round(facts.lengthNs() * MIN_SHARE.defaultValue() / PERCENT));
    boolean counts = sums.exposed >= least;
    FindingDraft draft = new FindingDraft(facts, ID, counts ? Severity.WARNING : Severity.INFO);
    draft.idle(sums.exposed);
    (sums.alone.isEmpty() ? sums.ops : List.copyOf(sums.alone.keySet())).forEach(draft::atOp);
    String of = Words.ofGroup(key.communicator());
    String what = Words.count(sums.ops.size(), key.kind(), Words.plural(key.kind())) + of;
    String rank = rank(key, facts);
    if (!counts) {
      return draft
          .expected()
          .make(
              "what of the " + key.kind() + " was not hidden is too little to count",
              what + rank + ", " + Words.ms(sums.ran) + hidden(sums),
              "Nothing to do.");
    }
    draft.explain(stoodStill(sums, facts)).explain(ranks(sums, facts));
    return draft.make(
        "only the " + key.kind() + " ran, nothing hid it",
        "In "
            + Words.number(sums.exposed)
            + " of the "
            + Words.ms(sums.ran)
            + " in which "
            + (sums.ops.size() == 1 ? "the " + key.kind() : what)
            + rank
            + " ran, nothing else did: "
            + largest(sums, facts)
            + ".",
        "Launch work that does not need the result between the call and the wait for it, and wait"
            + " right before the first use, on the stream that uses it. Where there is no such"
            + " work, split the collective, or start it earlier.");
  }

  private static String hidden(Sums sums) {
    if (sums.exposed == 0) {
      return ": hidden.";
    }
    String time = Words.ms(sums.exposed);
    return sums.exposed <= sums.ran / 2
        ? ", hidden but for " + time + "."
        : ", " + time + " of them not hidden: too little to count.";
  }

  private static String rank(Group key, Facts facts) {
    int rank = facts.timeline().process(key.process()).rank();
    return facts.timeline().processes().size() > 1 && rank >= 0 ? " on rank " + rank : "";
  }

  /** "11.023 in #0, 0.443 in #1 and 0.014 in #2". */
  private static String largest(Sums sums, Facts facts) {
    List<Map.Entry<Integer, Long>> sorted = new ArrayList<>(sums.alone.entrySet());
    sorted.sort(Comparator.comparingLong(entry -> -entry.getValue()));
    List<String> parts = new ArrayList<>();
    for (Map.Entry<Integer, Long> entry : sorted) {
      if (parts.size() == MOST_NAMED && sorted.size() > MOST_NAMED + 1) {
        return String.join(", ", parts) + ", and less in " + (sorted.size() - MOST_NAMED) + " more";
      }
      int ordinal = facts.graph().collectives().ordinal(entry.getKey());
      parts.add(Words.number(entry.getValue()) + " in #" + ordinal);
    }
    return String.join(", ", parts);
  }

  /** Streams that had work queued and went on right after a collective had ended. */
  private static String stoodStill(Sums sums, Facts facts) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    Map<Integer, List<String>> resumed = new LinkedHashMap<>();
    OpView op = timeline.ops();
    for (int row : sums.alone.keySet()) {
      long end = op.at(row).end();
      int own = op.stream();
      for (int s = 0; s < timeline.streams().size(); s++) {
        if (s == own || !facts.deviceTimes().sameDevice(s, own)) {
          continue;
        }
        int next = firstFrom(graph, op, s, end);
        if (next < 0 || op.at(next).start() - end > RESUME_GAP_NS) {
          continue;
        }
        long gap = op.start() - end;
        int launch = graph.ops().callOf(next);
        if (launch >= 0 && timeline.calls().at(launch).end() < end - RESUME_GAP_NS) {
          resumed
              .computeIfAbsent(s, k -> new ArrayList<>())
              .add(
                  String.format(java.util.Locale.ROOT, "%.1f us after #", gap / 1e3)
                      + graph.collectives().ordinal(row));
        }
      }
    }
    Set<String> said = new LinkedHashSet<>();
    resumed.forEach(
        (stream, when) -> {
          List<String> shown = when.subList(0, Math.min(MOST_NAMED, when.size()));
          String more = when.size() > shown.size() ? ", .." : "";
          said.add(
              "Stream "
                  + timeline.stream(stream).label()
                  + " had work queued and stood still; it went on "
                  + Words.list(shown)
                  + more
                  + " had ended.");
        });
    return String.join(" ", said);
  }

  private static int firstFrom(StreamGraph graph, OpView op, int stream, long time) {
    int low = 0;
    int high = graph.ops().count(stream);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (op.at(graph.ops().op(stream, middle)).start() < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < graph.ops().count(stream) ? graph.ops().op(stream, low) : -1;
  }

  /** How much was waiting for the last rank; with one rank's file that cannot be told. */
  private static String ranks(Sums sums, Facts facts) {
    RemoteArrivals arrivals = facts.arrivals();
    OpView op = facts.timeline().ops();
    long waited = 0;
    boolean known = false;
    for (int row : sums.ops) {
      long last = arrivals.lastArrival(row);
      if (last != Long.MIN_VALUE) {
        known = true;
        op.at(row);
        waited += Math.max(0, Math.min(op.end(), last) - op.start());
      }
    }
    if (known) {
      return Words.ms(waited)
          + " of the "
          + Words.ms(sums.ran)
          + " were waiting for the last rank, "
          + Words.ms(sums.ran - waited)
          + " transfer.";
    }
    int world = 0;
    for (var process : facts.timeline().processes()) {
      world = Math.max(world, process.worldSize());
    }
    int loaded = facts.timeline().processes().size();
    if (world <= loaded) {
      return "";
    }
    String other =
        world == 2 && loaded == 1
            ? "rank " + (1 - Math.max(0, facts.timeline().process(0).rank()))
            : "other ranks";
    return "One rank's file cannot tell a slow transfer from waiting for "
        + other
        + "; add "
        + (world == 2 ? "its file." : "their files.");
  }
}
