package dev.eddyline.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts the calls that held the host for GPU work. */
final class AtMostHostSyncs implements Check {
  private static final int MOST_SHOWN = 3;

  private final int most;
  private final boolean perStep;

  AtMostHostSyncs(int most, boolean perStep) {
    this.most = most;
    this.perStep = perStep;
  }

  @Override
  public Verdict judge(TraceView view) {
    List<HostCall> held =
        HostCall.of(view).stream().filter(call -> call.block().isBlocked()).toList();
    return perStep ? judgeSteps(view, held) : judgeAll(view, held);
  }

  private Verdict judgeAll(TraceView view, List<HostCall> held) {
    Map<Integer, List<HostCall>> byProcess = new LinkedHashMap<>();
    held.forEach(call -> byProcess.computeIfAbsent(process(view, call), p -> list()).add(call));
    List<HostCall> worst = longest(byProcess);
    if (worst.size() <= most) {
      return new Verdict.Holds();
    }
    return broken(view, rule("in all"), "but there were " + worst.size(), worst);
  }

  private Verdict judgeSteps(TraceView view, List<HostCall> held) {
    int steps = view.steps().steps().size();
    if (steps == 0) {
      return new Verdict.Open(
          "how many host syncs are there per step?",
          List.of("This trace marks no steps. Mark them with Marks.step(...)."));
    }
    Map<Integer, List<HostCall>> byStep = new LinkedHashMap<>();
    for (HostCall call : held) {
      int step = view.steps().indexAt(process(view, call), call.block().startNs());
      if (step >= 0) {
        byStep.computeIfAbsent(step, s -> list()).add(call);
      }
    }
    byStep.values().removeIf(calls -> calls.size() <= most);
    if (byStep.isEmpty()) {
      return new Verdict.Holds();
    }
    int worst = longest(byStep).size();
    String count = "but found " + worst + " in " + byStep.size() + " of " + steps + " steps";
    List<HostCall> broken = new ArrayList<>();
    byStep.values().forEach(broken::addAll);
    return broken(view, rule("per step"), count, broken);
  }

  private static int process(TraceView view, HostCall call) {
    return view.timeline().calls().at(call.block().call()).process();
  }

  private static List<HostCall> list() {
    return new ArrayList<>();
  }

  private static List<HostCall> longest(Map<Integer, List<HostCall>> groups) {
    List<HostCall> worst = List.of();
    for (List<HostCall> group : groups.values()) {
      worst = group.size() > worst.size() ? group : worst;
    }
    return worst;
  }

  private String rule(String where) {
    return "at most " + Words.count(most, "host sync", "host syncs") + " " + where;
  }

  private static Verdict broken(TraceView view, String rule, String count, List<HostCall> broken) {
    List<String> body = new ArrayList<>();
    for (HostCall call : broken.subList(0, Math.min(MOST_SHOWN, broken.size()))) {
      body.addAll(call.lines(view));
    }
    if (broken.size() > MOST_SHOWN) {
      body.add(".. and " + (broken.size() - MOST_SHOWN) + " more");
    }
    HostCall first = broken.get(0);
    String fix =
        first.remedy().isEmpty()
            ? "let a stream wait for an event instead of the host."
            : Words.lower(first.remedy());
    return new Verdict.Broken(rule, count, body, fix, "");
  }
}
