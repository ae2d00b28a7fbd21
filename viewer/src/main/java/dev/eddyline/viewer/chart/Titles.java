package dev.eddyline.viewer.chart;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.viewer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;

/** The words in the title line. */
public final class Titles {
  private Titles() {}

  /** "rank 0 of 2, 3 steps, 1 finding". */
  public static String facts(TraceModel model) {
    List<String> facts = new ArrayList<>();
    List<ProcessInfo> processes = model.timeline().processes();
    int world = processes.stream().mapToInt(ProcessInfo::worldSize).max().orElse(-1);
    if (processes.size() > 1) {
      facts.add(processes.size() + (world > 0 ? " of " + world : "") + " ranks");
    } else if (processes.size() == 1 && processes.get(0).rank() >= 0) {
      facts.add("rank " + processes.get(0).rank() + (world > 0 ? " of " + world : ""));
    }
    int steps = model.report().steps().steps().size() / Math.max(1, processes.size());
    if (steps > 0) {
      facts.add(count(steps, "step"));
    }
    long shown = model.report().findings().stream().filter(f -> !f.expected()).count();
    facts.add(shown == 0 ? "no findings in what it can answer" : count((int) shown, "finding"));
    return String.join("   ", facts);
  }

  /** How much of what the questions need is there. */
  public static String coverage(Coverage coverage) {
    if (coverage.waits() == 0) {
      return "no stream waits in this trace";
    }
    int named = coverage.waits() - coverage.waitsNoStream();
    return "waits: "
        + named
        + " of "
        + coverage.waits()
        + " name their stream, "
        + coverage.waitsRecorded()
        + " their event"
        + (coverage.waitsInferred() == 0 ? "" : ", " + coverage.waitsInferred() + " inferred");
  }

  /** A duration with a unit that suits it. */
  public static String length(long ns) {
    if (ns >= 1_000_000) {
      return Millis.of(ns) + " ms";
    }
    return ns >= 1000 ? ns / 1000 + "." + ns % 1000 / 100 + " µs" : ns + " ns";
  }

  private static String count(int n, String noun) {
    return n + " " + noun + (n == 1 ? "" : "s");
  }
}
