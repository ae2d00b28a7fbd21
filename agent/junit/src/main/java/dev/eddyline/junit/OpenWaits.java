package dev.eddyline.junit;

import dev.eddyline.analysis.finding.Coverage;
import java.util.ArrayList;
import java.util.List;

/** Says which waits leave a question open, and what to do about it. */
final class OpenWaits {
  static final String RECORD = "Record with the Eddyline agent, or run this test on sim.";

  private OpenWaits() {}

  /**
   * Why a question about what a stream depends on is open; empty where it is not.
   *
   * @param stream the stream that the walk began at
   */
  static List<String> reasons(TraceView view, Dependencies walk, int stream) {
    int process = view.timeline().stream(stream).process();
    Coverage coverage = view.analysis().report().coverage();
    List<String> lines = new ArrayList<>();
    if (!view.namesWaiters(process)) {
      lines.add(
          "This file does not say which streams its " + coverage.waits() + " waits belong to.");
    } else if (!walk.open().isEmpty()) {
      int about = view.timeline().waits().at(walk.open().get(0)).stream();
      for (int wait : walk.open()) {
        if (view.timeline().waits().at(wait).stream() == stream) {
          about = stream;
        }
      }
      lines.add(openOf(view, walk, about, stream, coverage));
    }
    if (!lines.isEmpty()) {
      lines.add(RECORD);
    }
    return lines;
  }

  private static String openOf(
      TraceView view, Dependencies walk, int about, int start, Coverage coverage) {
    long open =
        walk.open().stream()
            .filter(wait -> view.timeline().waits().at(wait).stream() == about)
            .count();
    String name = view.label(about);
    String behind =
        about == start ? "" : " (stream " + view.label(start) + " waits for stream " + name + ")";
    return open
        + " of stream "
        + name
        + "'s "
        + Words.count(view.graph().waitCount(about), "wait", "waits")
        + (open == 1 ? " does" : " do")
        + " not say what "
        + (open == 1 ? "it waits" : "they wait")
        + " for ("
        + coverage.waitsRecorded()
        + " of "
        + Words.count(coverage.waits(), "wait", "waits")
        + " in this file "
        + (coverage.waits() == 1 ? "is" : "are")
        + " recorded with "
        + (coverage.waits() == 1 ? "its" : "their")
        + " event)"
        + behind
        + ".";
  }
}
