package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two streams never overlap, though nothing orders them and there was room: the driver may have put
 * both into one hardware queue. Never an edge of the graph, and never more than info.
 */
public final class NoOverlap implements Rule {
  static final String ID = "no-overlap";

  /** An op that starts within so many nanoseconds after another one's end went on after it. */
  private static final long RESUME_GAP_NS = 5_000;

  private static final int MOST_LOOKED_AT = 200_000;
  private static final Parameter MIN_COUNT =
      new Parameter("min-count", "ops", 8, "pairs of streams with fewer such ops are left out");

  private record Pair(int earlier, int later) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "Two streams never overlapped, though no dependency was found and there was room:"
        + " possible hardware queue limit.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MIN_COUNT);
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    if (facts.timeline().devices().stream().noneMatch(device -> device.multiprocessors() > 0)) {
      return "the trace does not say how many multiprocessors the device has";
    }
    for (int i = 0; i < facts.graph().bindings().size(); i++) {
      if (facts.graph().bindings().isUnknown(i)) {
        return "needs to know what every wait waits for";
      }
    }
    return null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<Pair, List<Integer>> pairs = new LinkedHashMap<>();
    OpView op = facts.timeline().ops();
    int looked = 0;
    for (int row = 0; row < op.size() && looked < MOST_LOOKED_AT; row++) {
      if (wasReadyBefore(row, facts)) {
        looked++;
        look(row, facts, pairs);
      }
    }
    List<Finding> findings = new ArrayList<>();
    pairs.forEach(
        (pair, rows) -> {
          if (rows.size() >= MIN_COUNT.defaultValue() && !overlap(pair, facts)) {
            findings.add(finding(pair, rows, facts));
          }
        });
    return findings;
  }

  /** Whether launch and own stream had been there for longer than a gap between ops. */
  private static boolean wasReadyBefore(int row, Facts facts) {
    StreamGraph graph = facts.graph();
    OpView op = facts.timeline().ops().at(row);
    long start = op.start();
    int stream = op.stream();
    int launch = graph.ops().callOf(row);
    if (launch < 0 || facts.timeline().calls().at(launch).end() + RESUME_GAP_NS >= start) {
      return false;
    }
    int index = graph.ops().indexOf(row);
    return index == 0 || op.at(graph.ops().op(stream, index - 1)).end() + RESUME_GAP_NS < start;
  }

  private static void look(int row, Facts facts, Map<Pair, List<Integer>> pairs) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    CallView call = timeline.calls();
    OpView op = timeline.ops().at(row);
    long start = op.start();
    int stream = op.stream();
    long launched = call.at(graph.ops().callOf(row)).start();
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (s == stream || !facts.deviceTimes().sameDevice(s, stream)) {
        continue;
      }
      int before = lastStartedBefore(graph, op, s, start);
      if (before < 0) {
        continue;
      }
      op.at(before);
      boolean went = op.end() <= start && start - op.end() <= RESUME_GAP_NS;
      int by = graph.ops().callOf(before);
      boolean queuedFirst = by >= 0 && call.at(by).start() < launched;
      if (went
          && queuedFirst
          && hasRoom(op, timeline)
          && launched + RESUME_GAP_NS < op.end()
          && !facts.reachability().reaches(before, row)) {
        pairs.computeIfAbsent(new Pair(s, stream), k -> new ArrayList<>()).add(row);
      }
    }
  }

  /** Whether a kernel leaves half of the device free. */
  private static boolean hasRoom(OpView op, Timeline timeline) {
    int device = timeline.stream(op.stream()).device();
    for (var info : timeline.devices()) {
      if (info.process() == op.process() && info.ordinal() == device) {
        return op.kind() == Op.KIND_KERNEL
            && op.blocks() > 0
            && op.blocks() <= info.multiprocessors() / 2;
      }
    }
    return false;
  }

  private static int lastStartedBefore(StreamGraph graph, OpView op, int stream, long time) {
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
    return low == 0 ? -1 : graph.ops().op(stream, low - 1);
  }

  private static boolean overlap(Pair pair, Facts facts) {
    StreamGraph graph = facts.graph();
    OpView op = facts.timeline().ops();
    int a = 0;
    int b = 0;
    while (a < graph.ops().count(pair.earlier()) && b < graph.ops().count(pair.later())) {
      op.at(graph.ops().op(pair.earlier(), a));
      long startA = op.start();
      long endA = op.end();
      op.at(graph.ops().op(pair.later(), b));
      if (Math.min(endA, op.end()) > Math.max(startA, op.start())) {
        return true;
      }
      if (endA <= op.start()) {
        a++;
      } else {
        b++;
      }
    }
    return false;
  }

  private static Finding finding(Pair pair, List<Integer> rows, Facts facts) {
    Timeline timeline = facts.timeline();
    String earlier = timeline.stream(pair.earlier()).label();
    String later = timeline.stream(pair.later()).label();
    FindingDraft draft = new FindingDraft(facts, ID, Severity.INFO).confidence(Confidence.POSSIBLE);
    rows.forEach(draft::atOp);
    draft.sure("no wait, no event and no rule of CUDA orders these two streams in this trace");
    draft.guessed("that a hardware queue does: streams share them (CUDA_DEVICE_MAX_CONNECTIONS)");
    return draft
        .explain(
            "Each of these ops was launched and free to start, the device had room, and it began"
                + " right after an op of the other stream that had been launched before it.")
        .make(
            "streams without a dependency never overlapped",
            "No dependency found between "
                + earlier
                + " and "
                + later
                + ", yet no overlap: "
                + Words.count(rows.size(), "op", "ops")
                + " of "
                + later
                + " waited for an op of "
                + earlier
                + " to end; possible hardware queue limit.",
            "If CUDA_DEVICE_MAX_CONNECTIONS is set to 1, that is what it does; some libraries want"
                + " it so. Else raise it, or give one of the streams a higher priority.");
  }
}
