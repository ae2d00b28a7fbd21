package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.StreamHold;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.LegacyStreams;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The legacy default stream held blocking streams, or they held it: work that needs no order ran
 * one after the other. Non-blocking streams are exempt.
 *
 * <pre>
 *   s1 (blocking)  =====
 *   legacy              ===        waits for s1, and s2 waits for it
 *   s2 (blocking)          =====
 * </pre>
 */
public final class LegacyDefaultStream implements Rule {
  static final String ID = "legacy-default-stream";

  private record Pair(int later, int earlier) {}

  private record Held(int op, int by, long ns) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "The legacy default stream ordered blocking streams that nothing else orders, and work"
        + " stood still for it.";
  }

  @Override
  public @org.jspecify.annotations.Nullable String notEvaluatedBecause(Facts facts) {
    Timeline timeline = facts.timeline();
    boolean unknown = false;
    for (int s = 0; s < timeline.streams().size(); s++) {
      unknown |=
          timeline.stream(s).kind() == StreamInfo.Kind.UNKNOWN && facts.graph().ops().count(s) > 0;
    }
    return unknown ? "the trace does not say which streams are blocking" : null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Timeline timeline = facts.timeline();
    LegacyStreams legacy = facts.graph().legacyStreams();
    Map<Pair, List<Held>> pairs = new LinkedHashMap<>();
    StreamHold hold = new StreamHold(facts.graph());
    OpView op = timeline.ops();
    int[] by = new int[1];
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (legacy.orderedBefore(s).length == 0) {
        continue;
      }
      for (int i = 0; i < facts.graph().ops().count(s); i++) {
        int row = facts.graph().ops().op(s, i);
        long ns = hold.byLegacy(row, by);
        if (ns > 0) {
          int earlier = op.at(by[0]).stream();
          pairs
              .computeIfAbsent(new Pair(s, earlier), k -> new ArrayList<>())
              .add(new Held(row, by[0], ns));
        }
      }
    }
    long lost = 0;
    for (List<Held> held : pairs.values()) {
      lost += held.stream().mapToLong(Held::ns).sum();
    }
    return lost < Math.max(1, facts.options().minBlockedNs())
        ? List.of()
        : List.of(finding(pairs, lost, facts));
  }

  private static Finding finding(Map<Pair, List<Held>> pairs, long lost, Facts facts) {
    Timeline timeline = facts.timeline();
    FindingDraft draft = new FindingDraft(facts, ID, Severity.WARNING).idle(lost);
    draft.confidence(Confidence.LIKELY);
    draft.sure(
        "CUDA orders work of the legacy default stream after all earlier work of blocking streams"
            + " of its context, and their later work after it");
    draft.guessed("that nothing else held these ops: each went on right after the other had ended");
    List<String> order = new ArrayList<>();
    pairs.forEach(
        (pair, held) -> {
          held.forEach(one -> draft.atOp(one.op()));
          order.add(
              timeline.stream(pair.later()).label()
                  + " waited for "
                  + timeline.stream(pair.earlier()).label()
                  + " "
                  + Words.times(held.size())
                  + ", "
                  + Words.ms(held.stream().mapToLong(Held::ns).sum()));
        });
    List<Held> first = pairs.values().iterator().next();
    draft.explain("No event and no wait says so: " + String.join("; ", order) + ".");
    draft.explain(
        "First "
            + OpWords.of(first.get(0).op(), facts)
            + " on stream "
            + timeline.stream(timeline.ops().at(first.get(0).op()).stream()).label()
            + " stood still "
            + Words.ms(first.get(0).ns())
            + " until "
            + OpWords.of(first.get(0).by(), facts)
            + " was done.");
    return draft.make(
        "the legacy default stream made streams wait for one another",
        "The legacy default stream made blocking streams wait for one another: "
            + Words.ms(lost)
            + " lost in "
            + Words.count(draft.size(), "op", "ops")
            + ".",
        "Create streams with cudaStreamNonBlocking, or launch on a stream of your own in place of"
            + " the default one (per-thread default streams are blocking, too). First add the"
            + " events that results rely on: until now this order may have kept them right.");
  }
}
