package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that is not allowed while a stream captures, a poll of another thread for example, and the
 * capture that it broke. Judged by what the calls returned, since the mode of a capture is not in
 * traces: in relaxed mode the same call would be allowed.
 *
 * <pre>
 *   T1   beginCapture(s)  launch  launch                       endCapture(s): invalidated
 *   T2                               eventQuery(e): not allowed
 * </pre>
 */
public final class CaptureViolation implements Rule {
  static final String ID = "capture-violation";

  /** A capture: the calls that began and ended it, -1 where it did not end. */
  private record Capture(int begin, int end) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A call that is not allowed while a stream captures failed, and broke the capture.";
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
    CallView call = facts.timeline().calls();
    Map<String, List<Integer>> failed = new LinkedHashMap<>();
    for (int i = 0; i < call.size(); i++) {
      if (ApiErrors.isOfCapture(call.at(i).result()) && !isEnd(call)) {
        failed.computeIfAbsent(call.name() + call.thread(), k -> new ArrayList<>()).add(i);
      }
    }
    List<Capture> captures = captures(call);
    List<Finding> findings = new ArrayList<>();
    failed.values().forEach(calls -> findings.add(finding(calls, captures, facts)));
    if (findings.isEmpty()) {
      for (Capture capture : captures) {
        if (capture.end() >= 0 && ApiErrors.isOfCapture(call.at(capture.end()).result())) {
          findings.add(brokenWithoutCause(capture, facts));
        }
      }
    }
    return findings;
  }

  private static boolean isEnd(CallView call) {
    return call.name().toLowerCase(Locale.ROOT).contains("endcapture");
  }

  private static List<Capture> captures(CallView call) {
    List<Capture> captures = new ArrayList<>();
    Map<Integer, Integer> open = new LinkedHashMap<>();
    for (int i = 0; i < call.size(); i++) {
      String name = call.at(i).name().toLowerCase(Locale.ROOT);
      if (name.contains("begincapture")) {
        open.put(call.thread(), i);
      } else if (name.contains("endcapture")) {
        Integer begin = open.remove(call.thread());
        if (begin != null) {
          captures.add(new Capture(begin, i));
        }
      }
    }
    open.values().forEach(begin -> captures.add(new Capture(begin, -1)));
    return captures;
  }

  private static Finding finding(List<Integer> calls, List<Capture> captures, Facts facts) {
    Timeline timeline = facts.timeline();
    CallView call = timeline.calls().at(calls.get(0));
    String name = call.name();
    String thread = timeline.thread(call.thread()).label();
    int by = call.thread();
    String result = ApiErrors.words(call.result());
    Capture around = around(captures, call, call.start());
    FindingDraft draft = new FindingDraft(facts, ID, Severity.ERROR).confidence(Confidence.CERTAIN);
    calls.forEach(row -> draft.atCall(row, -1));
    String window = "";
    if (around != null) {
      call.at(around.begin());
      String capturing = timeline.thread(call.thread()).label();
      window =
          call.thread() == by ? " inside its own capture" : " inside the capture of " + capturing;
      draft.explain(end(around, timeline));
    }
    draft.explain(
        "Polls of events are void while a capture is on, so memory that is given back because of"
            + " one may still be in use.");
    return draft.make(
        "a call broke a capture",
        name
            + " on "
            + thread
            + window
            + " returned error "
            + result
            + (calls.size() > 1 ? ", " + Words.times(calls.size()) : "")
            + ".",
        "Keep polls, syncs and allocations of other threads out of the capture, or begin it in"
            + " thread-local or relaxed mode; a watchdog can switch its thread to relaxed mode"
            + " (cudaThreadExchangeStreamCaptureMode). Join every stream that took part before the"
            + " capture ends.");
  }

  private static @Nullable Capture around(List<Capture> captures, CallView call, long time) {
    for (Capture capture : captures) {
      boolean begun = call.at(capture.begin()).start() <= time;
      boolean open = capture.end() < 0 || call.at(capture.end()).end() >= time;
      if (begun && open) {
        return capture;
      }
    }
    return null;
  }

  private static String end(Capture capture, Timeline timeline) {
    if (capture.end() < 0) {
      return "That capture does not end in this trace.";
    }
    CallView call = timeline.calls().at(capture.end());
    return ApiErrors.isError(call.result())
        ? "Its " + call.name() + " returned error " + ApiErrors.words(call.result()) + "."
        : "";
  }

  private static Finding brokenWithoutCause(Capture capture, Facts facts) {
    CallView call = facts.timeline().calls().at(capture.end());
    return new FindingDraft(facts, ID, Severity.ERROR)
        .atCall(capture.end(), -1)
        .explain("No call in the capture returned an error of its own.")
        .make(
            "a capture could not be ended",
            call.at(capture.end()).name()
                + " returned error "
                + ApiErrors.words(call.result())
                + ".",
            "Join every stream that took part in the capture by an event and a wait on the stream"
                + " that began it, and end it on the thread that began it.");
  }
}
