package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A wait for what its stream already comes after, by its own order or by earlier waits. It costs
 * the host a call and nothing else. Order that passes through the host or the legacy default stream
 * does not make a wait redundant.
 */
public final class RedundantWait implements Rule {
  static final String ID = "redundant-wait";
  private static final Parameter MIN_COUNT =
      new Parameter("min-count", "waits", 3, "fewer redundant waits of one stream are left out");

  private record Pair(int waiter, int source) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A stream waited for what it comes after anyway, by its own order or by earlier waits.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MIN_COUNT);
  }

  @Override
  public @org.jspecify.annotations.Nullable String notEvaluatedBecause(Facts facts) {
    for (int i = 0; i < facts.graph().bindings().size(); i++) {
      if (facts.graph().bindings().isUnknown(i)) {
        return "needs to know what every wait waits for";
      }
    }
    return null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<Pair, List<Integer>> groups = new LinkedHashMap<>();
    StreamGraph graph = facts.graph();
    WaitView wait = facts.timeline().waits();
    Set<Integer> early = EarlyEvent.records(facts);
    for (int row : redundant(graph)) {
      // A wait that was meant to cover more is not one to leave out.
      if (early.contains(graph.bindings().record(row))) {
        continue;
      }
      Pair pair = new Pair(wait.at(row).stream(), graph.bindings().source(row));
      groups.computeIfAbsent(pair, k -> new ArrayList<>()).add(row);
    }
    List<Finding> findings = new ArrayList<>();
    groups.forEach(
        (pair, rows) -> {
          if (rows.size() >= MIN_COUNT.defaultValue()) {
            findings.add(finding(pair, rows, facts));
          }
        });
    return findings;
  }

  /**
   * Walks the waits in the order of their calls, with what each stream is known to come after: per
   * stream a position on each other one.
   */
  private static List<Integer> redundant(StreamGraph graph) {
    Timeline timeline = graph.timeline();
    int streams = timeline.streams().size();
    Map<Integer, int[]> known = new LinkedHashMap<>();
    Map<Integer, int[]> atRecord = recordsThatCount(graph);
    Map<Integer, Integer> left = waitsPerRecord(graph);
    List<Integer> found = new ArrayList<>();
    CallView call = timeline.calls();
    WaitView wait = timeline.waits();
    for (int i = 0; i < call.size(); i++) {
      int record = isRecord(call, i) ? graph.links().recordOf(i) : -1;
      if (record >= 0 && atRecord.containsKey(record)) {
        int stream = graph.bindings().recordStream(record);
        int[] clock = known.computeIfAbsent(stream, k -> new int[streams]).clone();
        clock[stream] = graph.recordPosition(record);
        atRecord.put(record, clock);
      }
      int row = isWait(call, i) ? graph.links().waitOf(i) : -1;
      int bound = row < 0 ? -1 : graph.bindings().record(row);
      if (bound < 0 || wait.at(row).stream() < 0 || !atRecord.containsKey(bound)) {
        continue;
      }
      int waiter = wait.stream();
      int source = graph.bindings().recordStream(bound);
      int[] incoming = atRecord.getOrDefault(bound, new int[0]);
      if (left.merge(bound, -1, Integer::sum) == 0) {
        atRecord.remove(bound);
      }
      if (incoming.length == 0) {
        continue;
      }
      int[] own = known.computeIfAbsent(waiter, k -> new int[streams]);
      if (incoming[source] > 0
          && addsNothing(incoming, own, waiter)
          && !graph.bindings().isNcclInternal(row)) {
        found.add(row);
      }
      for (int s = 0; s < streams; s++) {
        own[s] = s == waiter ? own[s] : Math.max(own[s], incoming[s]);
      }
    }
    return found;
  }

  private static boolean addsNothing(int[] incoming, int[] own, int waiter) {
    for (int s = 0; s < incoming.length; s++) {
      if (s != waiter && incoming[s] > own[s]) {
        return false;
      }
    }
    return true;
  }

  /** A record's clock is dropped after its last wait, so that few are kept at a time. */
  private static Map<Integer, Integer> waitsPerRecord(StreamGraph graph) {
    Map<Integer, Integer> waits = new HashMap<>();
    for (int i = 0; i < graph.bindings().size(); i++) {
      if (graph.bindings().record(i) >= 0) {
        waits.merge(graph.bindings().record(i), 1, Integer::sum);
      }
    }
    return waits;
  }

  private static boolean isRecord(CallView call, int row) {
    return call.at(row).kind() == ApiKind.EVENT_RECORD;
  }

  private static boolean isWait(CallView call, int row) {
    return call.at(row).kind() == ApiKind.STREAM_WAIT_EVENT;
  }

  /** Records on a known stream for which somebody waits. */
  private static Map<Integer, int[]> recordsThatCount(StreamGraph graph) {
    Map<Integer, int[]> records = new HashMap<>();
    for (int i = 0; i < graph.bindings().size(); i++) {
      int record = graph.bindings().record(i);
      if (record >= 0
          && graph.bindings().recordStream(record) >= 0
          && graph.recordPosition(record) >= 0) {
        records.put(record, new int[0]);
      }
    }
    return records;
  }

  private static Finding finding(Pair pair, List<Integer> rows, Facts facts) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    boolean itself = pair.waiter() == pair.source();
    String waiter = timeline.stream(pair.waiter()).label();
    String source = timeline.stream(pair.source()).label();
    FindingDraft draft = new FindingDraft(facts, ID, Severity.INFO);
    boolean recorded = true;
    long host = 0;
    CallView call = timeline.calls();
    for (int row : rows) {
      recorded &= graph.bindings().rule(row).isRecorded();
      int by = graph.links().callOfWait(row);
      draft.atCall(by, pair.waiter());
      host += call.at(by).duration();
    }
    if (!recorded) {
      draft.confidence(Confidence.LIKELY);
      draft.sure("the waits are there");
      draft.guessed("what they wait for: it is inferred from the order of the calls");
    }
    draft.explain(
        itself
            ? "A stream keeps its own order; a wait for its own event adds nothing."
            : "An earlier wait of " + waiter + " covers the same work of " + source + ".");
    return draft.make(
        "waits that add no order",
        "Stream "
            + waiter
            + " waited "
            + Words.times(rows.size())
            + " for "
            + (itself ? "itself" : source)
            + " though it comes after that work anyway; the calls took the host "
            + Words.ms(host)
            + ".",
        "Leave them out if nothing else changes; they hold nothing.");
  }
}
