package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same kernel takes longer beside a collective, which holds multiprocessors and memory
 * bandwidth even while it waits for its peers.
 */
public final class Contention implements Rule {
  static final String ID = "contention";
  private static final int LEAST_OF_EACH = 3;
  private static final int MOST_REPORTED = 3;
  private static final double BESIDE = 1.0 / 3;
  private static final double APART = 0.05;
  private static final double PERCENT = 100;
  private static final Parameter MIN_SLOWDOWN =
      new Parameter("min-slowdown", "%", 10, "kernels that are slowed down less are left out");
  private static final Parameter MIN_MS =
      new Parameter("min-ms", "ms", 0.1, "kernels that lost less in all are left out");

  private record Shape(int process, int name, long blocks, long threads) {}

  /** Durations of one kernel, beside a collective and apart from any. */
  private static final class Times {
    private final List<Integer> beside = new ArrayList<>();
    private long besideNs;
    private int all;
    private int apart;
    private long apartNs;

    double mean() {
      return (double) apartNs / apart;
    }

    double besideMean() {
      return (double) besideNs / beside.size();
    }

    long lost() {
      return Math.round(besideNs - mean() * beside.size());
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "The same kernel took longer beside a collective than without one.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MIN_SLOWDOWN, MIN_MS);
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    StreamGraph graph = facts.graph();
    OpView op = facts.timeline().ops();
    Map<Shape, Times> kernels = new LinkedHashMap<>();
    for (int i = 0; i < op.size(); i++) {
      op.at(i);
      if (op.kind() != Op.KIND_KERNEL || graph.collectives().isCollective(op)) {
        continue;
      }
      long beside = facts.deviceTimes().besideCollective(op);
      Shape shape = new Shape(op.process(), op.nameId(), op.blocks(), op.blockThreads());
      Times times = kernels.computeIfAbsent(shape, k -> new Times());
      times.all++;
      if (beside > 0 && beside >= BESIDE * op.duration()) {
        times.beside.add(i);
        times.besideNs += op.duration();
      } else if (beside <= APART * op.duration()) {
        times.apart++;
        times.apartNs += op.duration();
      }
    }
    return kernels.values().stream()
        .filter(Contention::isSlower)
        .sorted(Comparator.comparingLong(times -> -times.lost()))
        .limit(MOST_REPORTED)
        .map(times -> finding(times, facts))
        .toList();
  }

  private static boolean isSlower(Times times) {
    return times.apart >= LEAST_OF_EACH
        && times.beside.size() >= LEAST_OF_EACH
        && times.besideMean() >= times.mean() * (1 + MIN_SLOWDOWN.defaultValue() / PERCENT)
        && times.lost() >= MIN_MS.defaultValue() * 1e6;
  }

  private static Finding finding(Times times, Facts facts) {
    FindingDraft draft = new FindingDraft(facts, ID, Severity.INFO).confidence(Confidence.LIKELY);
    times.beside.forEach(draft::atOp);
    draft.idle(times.lost());
    draft.sure("how long these kernels took beside a collective, and without one");
    draft.guessed("that the collective is what slowed them down");
    return draft
        .explain(
            "A collective that waits for its peers holds multiprocessors, and one that transfers"
                + " takes memory bandwidth, too.")
        .make(
            "kernels ran slower beside a collective",
            times.beside.size()
                + " of "
                + times.all
                + " of "
                + OpWords.of(times.beside.get(0), facts)
                + " ran beside a collective and took "
                + Words.number(Math.round(times.besideMean()))
                + " instead of "
                + Words.number(Math.round(times.mean()))
                + " ms ("
                + Words.ms(times.lost())
                + " in all).",
            "Mostly nothing: overlap costs something and still pays. If the collective waits for a"
                + " late rank, mend that; fewer channels (NCCL_MAX_CTAS) leave more of the"
                + " device.");
  }
}
