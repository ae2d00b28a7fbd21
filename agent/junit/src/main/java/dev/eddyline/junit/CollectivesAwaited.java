package dev.eddyline.junit;

import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks whether something waits for every collective: another stream, the host, or later work of
 * its own stream.
 */
final class CollectivesAwaited implements Check {
  private static final String RULE = "every collective must be awaited";
  private static final int MOST_SHOWN = 8;

  @Override
  public Verdict judge(TraceView view) {
    List<Integer> collectives = StreamAssertions.anyCollective().select(view);
    if (collectives.isEmpty()) {
      return new Verdict.Open(
          "is every collective awaited?", List.of("No collective ran in this trace."));
    }
    List<Integer> broken = new ArrayList<>();
    int open = -1;
    for (int row : collectives) {
      if (isAwaited(view, row)) {
        continue;
      }
      int wait = openWaitAfter(view, row);
      if (wait < 0) {
        broken.add(row);
      } else {
        open = wait;
      }
    }
    if (!broken.isEmpty()) {
      return broken(view, broken, collectives.size());
    }
    return open < 0 ? new Verdict.Holds() : open(view);
  }

  private static Verdict open(TraceView view) {
    var coverage = view.analysis().report().coverage();
    return new Verdict.Open(
        "is every collective awaited?",
        List.of(
            coverage.waitsUnknown()
                + " of "
                + Words.count(coverage.waits(), "wait", "waits")
                + " in this file do not say what they wait for.",
            OpenWaits.RECORD));
  }

  private static boolean isAwaited(TraceView view, int row) {
    OpView op = view.timeline().ops().at(row);
    int stream = op.stream();
    int index = view.graph().ops().indexOf(row);
    for (int i = index + 1; i < view.graph().ops().count(stream); i++) {
      int later = view.graph().ops().op(stream, i);
      if (!view.graph().collectives().isCollective(op.at(later))) {
        return true;
      }
    }
    return isAwaitedByStream(view, stream, index) || isAwaitedByHost(view, stream, index);
  }

  private static boolean isAwaitedByStream(TraceView view, int stream, int index) {
    var bindings = view.graph().bindings();
    for (int wait = 0; wait < bindings.size(); wait++) {
      boolean other = view.timeline().waits().at(wait).stream() != stream;
      if (other
          && bindings.source(wait) == stream
          && !view.isInternalWait(wait)
          && view.graph().coveredBy(wait) > index) {
        return true;
      }
    }
    return false;
  }

  /** Whether a thread that does more than ask came to know that it is done. */
  private static boolean isAwaitedByHost(TraceView view, int stream, int index) {
    int end = view.timeline().calls().size();
    for (int thread = 0; thread < view.timeline().threads().size(); thread++) {
      if (view.graph().links().hasOrderingCalls(thread)
          && view.reachability().knownToHost(stream, thread, end, false) > index) {
        return true;
      }
    }
    return false;
  }

  /** A later wait of the same process that may be for the collective, or -1. */
  private static int openWaitAfter(TraceView view, int row) {
    long launched = view.launchedAt(row);
    int process = view.timeline().ops().at(row).process();
    for (int wait = 0; wait < view.graph().bindings().size(); wait++) {
      int by = view.graph().links().callOfWait(wait);
      boolean later = by >= 0 && view.timeline().calls().at(by).start() > launched;
      if (later && view.isOpen(wait) && view.timeline().waits().at(wait).process() == process) {
        return wait;
      }
    }
    return -1;
  }

  private static Verdict broken(TraceView view, List<Integer> broken, int all) {
    List<String> body = new ArrayList<>();
    for (int row : broken.subList(0, Math.min(MOST_SHOWN, broken.size()))) {
      String place = view.placeOfOp(row);
      body.add(view.opOnStream(row) + (place.isEmpty() ? "" : "      at " + place));
    }
    if (broken.size() > MOST_SHOWN) {
      body.add(".. and " + (broken.size() - MOST_SHOWN) + " more");
    }
    String stream = view.label(view.timeline().ops().at(broken.get(0)).stream());
    body.add(
        "Missing: an event recorded on stream "
            + stream
            + " after it, waited for by the stream or the host that uses its result.");
    return new Verdict.Broken(
        RULE,
        "but for " + broken.size() + " of " + all + " nothing waits",
        body,
        "call work.wait() with the stream current that uses the result.",
        "");
  }
}
