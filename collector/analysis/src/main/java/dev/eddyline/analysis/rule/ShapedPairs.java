package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Range;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Unordered access in traces without addresses: an op on a buffer of a collective's shape that was
 * launched between the collective's call and the first wait on its Work, that no path orders with
 * it, whose stream waits for no stream that ever used such a buffer, and for which no stream waits.
 * All of that together is a guess worth telling; less is not.
 */
final class ShapedPairs {
  private static final int MOST_TOLD = 8;

  /** An op or collective on a buffer of known shape. */
  private record Shaped(int op, int stream, String shape, String operator, int library) {}

  private record Pair(Shaped collective, Shaped op) {}

  private final Facts facts;
  private final Timeline timeline;
  private final StreamGraph graph;
  private final Reachability order;
  private final OpView op;
  private final List<Shaped> collectives = new ArrayList<>();
  private final TreeMap<Long, List<Shaped>> others = new TreeMap<>();
  private final Map<String, Set<Integer>> streamsOfShape = new HashMap<>();
  private final Map<String, Map<String, String>> buffers = new HashMap<>();

  private ShapedPairs(Facts facts) {
    this.facts = facts;
    this.timeline = facts.timeline();
    this.graph = facts.graph();
    this.order = facts.reachability();
    this.op = timeline.ops();
    collect();
  }

  static @Nullable String notEvaluatedBecause(Facts facts) {
    Timeline timeline = facts.timeline();
    CollectiveView collective = timeline.collectives();
    boolean any = false;
    boolean shapes = false;
    for (int i = 0; i < collective.size() && !shapes; i++) {
      any = true;
      shapes = !Shapes.first(collective.at(i).shape()).isEmpty();
    }
    if (!any) {
      return "needs addresses";
    }
    return shapes ? null : "needs addresses, or shapes (record_shapes=True)";
  }

  static List<Finding> find(Facts facts) {
    return new ShapedPairs(facts).findings();
  }

  private void collect() {
    BitSet carryOut = new BitSet();
    for (int row = 0; row < op.size(); row++) {
      if (graph.collectives().isCollective(op.at(row))) {
        carryOut.set(row);
        collective(row);
      }
    }
    // Only buffers of a collective's shape matter, so all other ops are left out at once.
    for (int row = 0; row < op.size() && !collectives.isEmpty(); row++) {
      int launch = carryOut.get(row) ? -1 : graph.ops().callOf(row);
      if (launch >= 0) {
        other(row, launch);
      }
    }
  }

  private void collective(int row) {
    int library = graph.collectives().callOf(row);
    if (library < 0 || graph.ops().callOf(row) < 0) {
      return;
    }
    CollectiveView call = timeline.collectives().at(library);
    String buffer = buffer(call.shape(), call.dtype());
    if (!buffer.isEmpty()) {
      int stream = op.at(row).stream();
      streamsOfShape.computeIfAbsent(buffer, key -> new LinkedHashSet<>()).add(stream);
      collectives.add(new Shaped(row, stream, buffer, "", library));
    }
  }

  private void other(int row, int launch) {
    CallView call = timeline.calls().at(launch);
    RangeView range = timeline.ranges();
    int[] around = graph.rangeIndex().allAt(call.thread(), call.start());
    for (int i = around.length - 1; i >= 0; i--) {
      if (range.at(around[i]).kind() != Range.KIND_OPERATOR) {
        continue;
      }
      String buffer = buffer(range.shape(), range.dtype());
      if (buffer.isEmpty()) {
        continue;
      }
      Set<Integer> users = streamsOfShape.get(buffer);
      if (users != null) {
        int stream = op.at(row).stream();
        users.add(stream);
        others
            .computeIfAbsent(call.start(), key -> new ArrayList<>(1))
            .add(new Shaped(row, stream, buffer, range.name(), -1));
      }
      return;
    }
  }

  /** Shape and type of the first input, "" where one of them is not known. */
  private String buffer(String shapes, String types) {
    return buffers
        .computeIfAbsent(shapes, key -> new HashMap<>())
        .computeIfAbsent(
            types,
            key -> {
              String shape = Shapes.first(shapes);
              String type = Shapes.firstType(types);
              return shape.isEmpty() || type.isEmpty() ? "" : shape + " " + type;
            });
  }

  private List<Finding> findings() {
    Map<String, List<Pair>> groups = new LinkedHashMap<>();
    for (Shaped collective : collectives) {
      CollectiveView library = timeline.collectives().at(collective.library());
      long from = library.start();
      long until = firstWaitAfter(collective.library());
      int process = library.process();
      for (List<Shaped> launched : others.subMap(from, until).values()) {
        for (Shaped other : launched) {
          if (op.at(other.op()).process() == process && isSuspect(collective, other)) {
            groups
                .computeIfAbsent(other.operator() + "/" + other.shape(), key -> new ArrayList<>())
                .add(new Pair(collective, other));
          }
        }
      }
    }
    return groups.values().stream().map(this::finding).toList();
  }

  /** When the first wait on the Work of a collective was called, as far as that can be told. */
  private long firstWaitAfter(int library) {
    CollectiveView collective = timeline.collectives().at(library);
    int communicator = collective.communicatorId();
    int process = collective.process();
    for (int i = library + 1; i < collective.size(); i++) {
      collective.at(i);
      if (collective.kind().equals("wait")
          && collective.communicatorId() == communicator
          && collective.process() == process) {
        return collective.start();
      }
    }
    return Long.MAX_VALUE;
  }

  private boolean isSuspect(Shaped collective, Shaped other) {
    return collective.shape().equals(other.shape())
        && collective.stream() != other.stream()
        && isUnordered(collective, other)
        && ranTooEarly(collective, other)
        && waitsForNoneOf(other)
        && !isWaitedFor(other);
  }

  private boolean isUnordered(Shaped one, Shaped two) {
    return !order.mayReach(one.op(), two.op()) && !order.mayReach(two.op(), one.op());
  }

  private boolean ranTooEarly(Shaped collective, Shaped other) {
    long end = op.at(collective.op()).end();
    return op.at(other.op()).start() < end;
  }

  /** Whether each wait of the op's stream is known, and none is for a user of such a buffer. */
  private boolean waitsForNoneOf(Shaped other) {
    Set<Integer> users = streamsOfShape.getOrDefault(other.shape(), Set.of());
    for (int i = 0; i < graph.waitCount(other.stream()); i++) {
      int wait = graph.waitOf(other.stream(), i);
      int source = graph.bindings().source(wait);
      boolean harmless = graph.bindings().isEmpty(wait) || source >= 0 && !users.contains(source);
      if (!harmless) {
        return false;
      }
    }
    return true;
  }

  private boolean isWaitedFor(Shaped other) {
    int index = graph.ops().indexOf(other.op());
    for (int wait = 0; wait < graph.bindings().size(); wait++) {
      if (graph.bindings().source(wait) == other.stream() && graph.coveredBy(wait) > index) {
        return true;
      }
    }
    return false;
  }

  // ---- words ----

  private Finding finding(List<Pair> pairs) {
    Pair first = pairs.get(0);
    String stream = label(first.op());
    String operator = first.op().operator();
    String what = "the kernel of " + operator;
    String collective = kind(first.collective());
    int unordered = countUnordered(pairs);
    Set<Integer> steps = new LinkedHashSet<>();
    List<Occurrence> occurrences = new ArrayList<>();
    for (Pair pair : pairs) {
      int launch = graph.ops().callOf(pair.op().op());
      Occurrence at =
          FaultRule.atCall(launch, label(pair.op()), facts)
              .missing(pair.collective().op(), pair.op().op());
      occurrences.add(at);
      int process = timeline.calls().at(launch).process();
      int step = facts.steps().indexAt(process, at.startNs());
      if (step >= 0) {
        steps.add(step);
      }
    }
    boolean inPlace = operator.endsWith("_");
    return new Finding(
        UnorderedAccess.ID,
        Severity.WARNING,
        Confidence.LIKELY,
        "nothing orders "
            + what
            + " on stream "
            + stream
            + " after the "
            + collective
            + " it was launched after",
        "A kernel on stream "
            + stream
            + (inPlace ? " changes" : " uses")
            + " a buffer of the "
            + collective
            + "'s shape, and no wait orders the two.",
        "It was launched after its "
            + collective
            + " and ran before that had ended. Results may still be right in this run. Nothing"
            + " keeps them right.",
        "Call work.wait() with the stream current that uses the result, then go on there; no future"
            + " is needed. If a future must be returned, run its continuation on that same stream.",
        sure(pairs, stream, unordered),
        List.of(
            "that both use the same memory: same shape and type ("
                + first.op().shape().replace(" ", ", ")
                + ")"
                + (inPlace ? ", " + operator + " works in place" : "")
                + ". This trace holds no addresses"),
        null,
        null,
        false,
        occurrences,
        steps.size());
  }

  private List<String> sure(List<Pair> pairs, String stream, int unordered) {
    List<String> sure = new ArrayList<>();
    boolean none = graph.waitCount(pairs.get(0).op().stream()) == 0;
    sure.add(
        "stream "
            + stream
            + (none
                ? " waits for no other stream anywhere in this trace"
                : " waits for no stream that used such a buffer")
            + ": "
            + Words.count(unordered, "pair", "pairs")
            + " without an order, reported once");
    for (Pair pair : pairs.subList(0, Math.min(MOST_TOLD, pairs.size()))) {
      sure.add(times(pair));
    }
    return sure;
  }

  /** "step0: the kernel 2.218 .. 2.322 ms, the all-reduce #0 13.013 .. 34.825 ms: …". */
  private String times(Pair pair) {
    int process = op.at(pair.op().op()).process();
    long zero = zero(process);
    long start = op.start();
    long end = op.end();
    int launch = graph.ops().callOf(pair.op().op());
    int step = facts.steps().indexAt(process, timeline.calls().at(launch).start());
    op.at(pair.collective().op());
    String gap =
        end <= op.start()
            ? "over " + Words.ms(op.start() - end) + " before it began"
            : "begun " + Words.ms(op.end() - start) + " before it ended";
    return (step < 0 ? "" : facts.steps().steps().get(step).name() + ": ")
        + "the kernel on stream "
        + label(pair.op())
        + " ran "
        + Words.number(start - zero)
        + " .. "
        + Words.ms(end - zero)
        + ", "
        + facts.graph().collectives().label(pair.collective().op())
        + " on stream "
        + label(pair.collective())
        + " "
        + Words.number(op.start() - zero)
        + " .. "
        + Words.ms(op.end() - zero)
        + ": "
        + gap;
  }

  private long zero(int process) {
    return facts.steps().steps().stream()
        .filter(step -> step.process() == process)
        .mapToLong(step -> step.startNs())
        .min()
        .orElse(timeline.windowStart());
  }

  private String label(Shaped shaped) {
    return timeline.stream(shaped.stream()).label();
  }

  private String kind(Shaped collective) {
    String label = graph.collectives().label(collective.op());
    return label.substring(0, label.indexOf(" #"));
  }

  /** All pairs of these ops with collectives of that shape that nothing orders. */
  private int countUnordered(List<Pair> pairs) {
    Set<Shaped> ops = new LinkedHashSet<>();
    pairs.forEach(pair -> ops.add(pair.op()));
    int count = 0;
    for (Shaped other : ops) {
      int process = op.at(other.op()).process();
      for (Shaped collective : collectives) {
        boolean same =
            collective.shape().equals(other.shape()) && op.at(collective.op()).process() == process;
        count += same && isUnordered(collective, other) ? 1 : 0;
      }
    }
    return count;
  }
}
