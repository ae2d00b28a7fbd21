package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first call of a process that returned an error which an op leaves behind, with the ops that
 * were in flight: the fault is at or before it, seldom in it.
 */
public final class AsyncError implements Rule {
  static final String ID = "async-error";
  private static final int MOST_NAMED = 5;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A call returned an error that an op left behind: the fault is at or before it.";
  }

  @Override
  public boolean isAboutCorrectness() {
    return true;
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    return ApiErrors.areThere(facts.timeline())
        ? null
        : "the trace does not hold what calls returned";
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<Integer, List<Integer>> failed = new LinkedHashMap<>();
    CallView call = facts.timeline().calls();
    for (int i = 0; i < call.size(); i++) {
      if (ApiErrors.isSticky(call.at(i).result())) {
        failed.computeIfAbsent(call.process(), k -> new ArrayList<>()).add(i);
      }
    }
    List<Finding> findings = new ArrayList<>();
    failed.values().forEach(calls -> findings.add(finding(calls, facts)));
    return findings;
  }

  private static Finding finding(List<Integer> calls, Facts facts) {
    Timeline timeline = facts.timeline();
    int first = calls.get(0);
    CallView call = timeline.calls().at(first);
    FindingDraft draft = new FindingDraft(facts, ID, Severity.ERROR).confidence(Confidence.CERTAIN);
    calls.forEach(row -> draft.atCall(row, -1));
    List<Integer> inFlight = inFlight(call, facts);
    List<String> named = new ArrayList<>();
    for (int row : inFlight.subList(0, Math.min(MOST_NAMED, inFlight.size()))) {
      String stream = timeline.stream(timeline.ops().at(row).stream()).label();
      named.add(OpWords.of(row, facts) + " on stream " + stream);
    }
    String more = inFlight.size() > named.size() ? ", .." : "";
    draft.explain(
        inFlight.isEmpty()
            ? "The trace holds no op that was in flight; one that faults may leave no record."
            : "In flight when it returned: " + String.join("; ", named) + more + ".");
    if (calls.size() > 1) {
      draft.explain(
          (calls.size() - 1)
              + " later calls returned such an error, too: it stays with the context.");
    }
    draft.sure("what the calls returned");
    call.at(first);
    return draft.make(
        "an op failed, and a later call returned its error",
        call.name()
            + " (call "
            + call.correlation()
            + ") was the first to return error "
            + ApiErrors.words(call.result())
            + ": the fault is at or before it.",
        "Look at the ops in flight first, the oldest before the newest. CUDA_LAUNCH_BLOCKING=1 or"
            + " compute-sanitizer name the op; if the fault goes away with them, look for a"
            + " missing order.");
  }

  /**
   * Ops that were launched before a call returned and had not ended when it began, oldest first.
   */
  private static List<Integer> inFlight(CallView failed, Facts facts) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    long begin = failed.start();
    long end = failed.end();
    int process = failed.process();
    List<Integer> found = new ArrayList<>();
    OpView op = timeline.ops();
    CallView call = timeline.calls();
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (timeline.stream(s).process() != process) {
        continue;
      }
      for (int i = graph.ops().positionAt(s, end) - 1; i >= 0; i--) {
        int row = graph.ops().op(s, i);
        if (op.at(row).end() < begin) {
          break;
        }
        found.add(row);
      }
    }
    found.sort(
        java.util.Comparator.comparingLong(
            row -> {
              int launch = graph.ops().callOf(row);
              return launch < 0 ? op.at(row).start() : call.at(launch).start();
            }));
    return found;
  }
}
