package dev.eddyline.junit;

import dev.eddyline.analysis.graph.WaitBindings;
import java.util.ArrayList;
import java.util.List;

/** Looks whether a stream never depends on another one, through any chain of waits. */
final class NeverDependsOn implements Check {
  private final String waiter;
  private final String source;

  NeverDependsOn(String waiter, String source) {
    this.waiter = waiter;
    this.source = source;
  }

  @Override
  public Verdict judge(TraceView view) {
    List<Integer> waiters = view.streams(waiter);
    List<Integer> sources = view.streams(source);
    for (String name : List.of(waiter, source)) {
      if (view.streams(name).isEmpty()) {
        return open(List.of("No stream " + name + " ran in this trace. " + view.streamsHere()));
      }
    }
    List<String> reasons = List.of();
    for (int from : waiters) {
      Dependencies walk = Dependencies.of(view, from, Long.MAX_VALUE);
      for (int to : sources) {
        List<Dependencies.Step> path = walk.pathTo(to, from);
        if (from != to && path != null) {
          return broken(view, path);
        }
      }
      List<String> maybe = OpenWaits.reasons(view, walk, from);
      reasons = maybe.isEmpty() ? reasons : maybe;
    }
    return reasons.isEmpty() ? new Verdict.Holds() : open(reasons);
  }

  private Verdict open(List<String> because) {
    return new Verdict.Open("does stream " + waiter + " depend on stream " + source + "?", because);
  }

  private Verdict broken(TraceView view, List<Dependencies.Step> path) {
    long waits = path.stream().mapToLong(step -> Math.max(1, count(view, step))).max().orElse(1);
    List<String> body = new ArrayList<>();
    for (Dependencies.Step step : path) {
      body.add(edge(view, step));
      if (step.byWait() >= 0) {
        body.add("   " + known(view, step.byWait()));
        int by = view.graph().links().callOfWait(step.byWait());
        if (by >= 0) {
          body.add("   waited at " + view.placeOfCall(by));
        }
        int record = view.graph().bindings().record(step.byWait());
        int recordedBy = record < 0 ? -1 : view.graph().links().callOfRecord(record);
        if (recordedBy >= 0) {
          body.add("   recorded at " + view.placeOfCall(recordedBy));
        }
      }
    }
    Dependencies.Step last = path.get(path.size() - 1);
    String fix =
        last.byWait() < 0
            ? "make the streams non-blocking, or use no legacy default stream."
            : "let stream "
                + view.label(last.from())
                + " wait for an event that is recorded on the stream which makes what it needs, not"
                + " on stream "
                + view.label(last.to())
                + ".";
    return new Verdict.Broken(
        "stream " + waiter + " must never depend on stream " + source,
        "but does, " + Words.count(waits, "time", "times"),
        body,
        fix,
        "stream " + view.label(path.get(0).from()) + " and stream " + view.label(last.to()));
  }

  /** How many waits of a stream are for another one. */
  private static long count(TraceView view, Dependencies.Step step) {
    WaitBindings bindings = view.graph().bindings();
    long found = 0;
    for (int i = 0; i < view.graph().waitCount(step.from()); i++) {
      found += bindings.source(view.graph().waitOf(step.from(), i)) == step.to() ? 1 : 0;
    }
    return found;
  }

  private static String edge(TraceView view, Dependencies.Step step) {
    String from = view.label(step.from());
    String to = view.label(step.to());
    if (step.byWait() < 0) {
      return "stream " + from + " follows stream " + to + ": the legacy default stream's rule";
    }
    return "stream " + from + " waits for an event recorded on stream " + to;
  }

  private static String known(TraceView view, int wait) {
    var rule = view.graph().bindings().rule(wait);
    return rule.isRecorded()
        ? "known: recorded"
        : "known: inferred by " + rule.id() + ", confidence " + rule.confidence();
  }
}
