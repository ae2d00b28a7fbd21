package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.SyncView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Two ops use the same memory, one of them writes it, and nothing orders them. */
public final class UnorderedAccess extends FaultRule {
  static final String ID = "unordered-access";
  private static final String EARLY_EVENT = "early-event";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "Two ops on different streams use the same memory, at least one writes it, and no path"
        + " of edges leads from one to the other.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    // Where there is a rule for records that come before their collective, it says so, once.
    boolean other = Analyzer.rules().stream().anyMatch(rule -> rule.id().equals(EARLY_EVENT));
    return other
        ? Set.of(Fault.Kind.UNORDERED, Fault.Kind.TOO_EARLY)
        : Set.of(Fault.Kind.UNORDERED, Fault.Kind.TOO_EARLY, Fault.Kind.BEFORE_LAUNCH);
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    String addresses = super.notEvaluatedBecause(facts);
    return addresses == null ? null : ShapedPairs.notEvaluatedBecause(facts);
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    return facts.timeline().accesses().size() == 0
        ? ShapedPairs.find(facts)
        : super.evaluate(facts);
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    String who = words.who(second);
    String title =
        "nothing orders "
            + words.kind(second)
            + " on "
            + words.stream(second)
            + " after "
            + words.kind(first)
            + " on "
            + words.stream(first);
    String summary =
        sentence(who)
            + " on "
            + words.stream(second)
            + " "
            + FaultWords.does(second)
            + " "
            + words.shared(first, second)
            + ", which "
            + words.who(first)
            + " on "
            + words.stream(first)
            + " "
            + FaultWords.did(first)
            + ": "
            + why(fault, words, facts)
            + " ("
            + fault.hazard().word()
            + ").";
    List<String> explanation = new ArrayList<>();
    explanation.add(lastCommon(fault, words, facts));
    explanation.add(thisRun(fault, facts));
    add(explanation, legacy(first, second, words, facts));
    add(explanation, laterSync(second, words, facts));
    return new Text(title, summary, String.join(" ", explanation), edge(fault, words));
  }

  private static String why(Fault fault, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    if (fault.kind() != Fault.Kind.UNORDERED) {
      int thread = second.thread;
      int waiter = facts.timeline().waits().at(fault.cause()).stream();
      return words.stream(waiter, thread)
          + " does wait for an event of "
          + words.stream(first)
          + ", but that was recorded before "
          + words.who(first)
          + " was enqueued and does not cover it";
    }
    return "no path leads from "
        + words.stream(first)
        + " to "
        + words.stream(second)
        + " after it";
  }

  private static void add(List<String> sentences, String more) {
    if (!more.isEmpty()) {
      sentences.add(more);
    }
  }

  /** A stream that is not ordered by the legacy stream, although one might think so. */
  private static String legacy(Touch first, Touch second, FaultWords words, Facts facts) {
    StreamInfo one = facts.timeline().stream(first.stream);
    StreamInfo two = facts.timeline().stream(second.stream);
    boolean oneIsLegacy = one.kind() == StreamInfo.Kind.LEGACY_DEFAULT;
    boolean twoIsLegacy = two.kind() == StreamInfo.Kind.LEGACY_DEFAULT;
    StreamInfo other = oneIsLegacy ? two : one;
    if (oneIsLegacy == twoIsLegacy || other.kind() != StreamInfo.Kind.NON_BLOCKING) {
      return "";
    }
    Touch free = oneIsLegacy ? second : first;
    return sentence(words.stream(free))
        + " is non-blocking: the rules of the legacy default stream do not apply to it.";
  }

  /** A sync of the stream right afterwards protects its result, not its input. */
  private static String laterSync(Touch second, FaultWords words, Facts facts) {
    StreamGraph graph = facts.graph();
    CallView call = facts.timeline().calls();
    SyncView sync = facts.timeline().syncs();
    int thread = call.at(second.call).thread();
    for (int row = second.call + 1; row < call.size(); row++) {
      call.at(row);
      if (call.thread() != thread) {
        continue;
      }
      int syncRow = graph.syncTargets().syncOf(row);
      boolean same =
          call.kind() == ApiKind.STREAM_SYNC
              && syncRow >= 0
              && sync.at(syncRow).stream() == second.stream;
      return same
          ? "The sync of "
              + words.stream(second)
              + " right afterwards protects only what it computes, not what it reads."
          : "";
    }
    return "";
  }
}
