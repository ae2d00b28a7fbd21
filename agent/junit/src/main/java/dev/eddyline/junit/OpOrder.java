package dev.eddyline.junit;

import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks whether ops are ordered after others, in each step or in the whole trace. */
final class OpOrder implements Check {
  private static final int NONE = -1;

  /**
   * An op and the one that it should come after.
   *
   * @param group index of the step, or the number of the op
   */
  record Pair(int group, int after, int before) {}

  private final OpSelector after;
  private final OpSelector before;
  private final boolean perStep;

  OpOrder(OpSelector after, OpSelector before, boolean perStep) {
    this.after = after;
    this.before = before;
    this.perStep = perStep;
  }

  @Override
  public Verdict judge(TraceView view) {
    List<Integer> afters = after.select(view);
    List<Integer> befores = before.select(view);
    if (perStep && view.steps().steps().isEmpty()) {
      return open(
          "This trace marks no steps.", "Mark them with Marks.step(...), or use everyTime().");
    }
    if (afters.isEmpty()) {
      return open("No " + noun(after) + " ran in this trace.", after.others(view));
    }
    if (befores.isEmpty()) {
      return open("No " + noun(before) + " ran in this trace.", before.others(view));
    }
    List<Pair> pairs = pairs(view, afters, befores);
    if (pairs.isEmpty()) {
      return open("No " + noun(after) + " was launched in a step.", "Use everyTime().");
    }
    return judge(view, pairs);
  }

  private static String noun(OpSelector selector) {
    return selector.toString().replaceFirst("^the ", "");
  }

  private Verdict judge(TraceView view, List<Pair> pairs) {
    List<Pair> broken = new ArrayList<>();
    List<String> reasons = List.of();
    for (Pair pair : pairs) {
      if (pair.before() != NONE && view.reachability().reaches(pair.before(), pair.after())) {
        continue;
      }
      List<String> maybe = pair.before() == NONE ? List.of() : open(view, pair);
      if (maybe.isEmpty()) {
        broken.add(pair);
      } else {
        reasons = maybe;
      }
    }
    if (!broken.isEmpty()) {
      long groups = pairs.stream().map(Pair::group).distinct().count();
      return new OpOrderMessage(view, after, before, perStep).broken(broken, (int) groups);
    }
    return reasons.isEmpty() ? new Verdict.Holds() : new Verdict.Open(question(), reasons);
  }

  /** Why a pair without an edge may be ordered all the same; device times can refute that. */
  private static List<String> open(TraceView view, Pair pair) {
    OpView op = view.timeline().ops();
    long ended = op.at(pair.before()).end();
    int device = view.timeline().stream(op.stream()).device();
    op.at(pair.after());
    boolean sameDevice = view.timeline().stream(op.stream()).device() == device;
    if (sameDevice && op.start() < ended) {
      return List.of();
    }
    Dependencies walk = Dependencies.of(view, op.stream(), view.launchedAt(pair.after()));
    return OpenWaits.reasons(view, walk, op.stream());
  }

  private Verdict open(String... because) {
    return new Verdict.Open(question(), List.of(because));
  }

  private String question() {
    return "is " + after + " ordered after " + before + (perStep ? " of its step?" : " before it?");
  }

  // ---- which op belongs to which ----

  private List<Pair> pairs(TraceView view, List<Integer> afters, List<Integer> befores) {
    Map<Integer, List<Integer>> aftersOf = group(view, afters);
    Map<Integer, List<Integer>> beforesOf = group(view, befores);
    List<Pair> pairs = new ArrayList<>();
    aftersOf.forEach(
        (group, ops) -> {
          List<Integer> others = beforesOf.getOrDefault(group, List.of());
          for (int i = 0; i < ops.size(); i++) {
            int partner = partner(view, ops, others, i);
            pairs.add(new Pair(perStep ? group : pairs.size(), ops.get(i), partner));
          }
        });
    return pairs;
  }

  /** Ops by step, or by process. */
  private Map<Integer, List<Integer>> group(TraceView view, List<Integer> ops) {
    Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
    Steps steps = view.steps();
    for (int row : ops) {
      int process = view.timeline().ops().at(row).process();
      int key = perStep ? steps.indexAt(process, view.launchedAt(row)) : process;
      if (key >= 0) {
        groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
      }
    }
    return groups;
  }

  /**
   * As many of one as of the other: one by one. Else the latest that was launched before; the first
   * one where all were launched later.
   */
  private static int partner(TraceView view, List<Integer> ops, List<Integer> others, int index) {
    if (others.isEmpty()) {
      return NONE;
    }
    if (others.size() == ops.size()) {
      return others.get(index);
    }
    long launched = view.launchedAt(ops.get(index));
    int found = others.get(0);
    for (int other : others) {
      if (view.launchedAt(other) < launched) {
        found = other;
      }
    }
    return found;
  }
}
