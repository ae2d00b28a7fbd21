package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A wait for an event that was never recorded: it waits for nothing. */
public final class EmptyWait extends FaultRule {
  static final String ID = "empty-wait";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A stream waits for an event that was never recorded: the wait waits for nothing.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    return Set.of(Fault.Kind.EMPTY_WAIT);
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    Coverage coverage = facts.coverage();
    boolean none = coverage.waits() > 0 && coverage.waitsRecorded() + coverage.waitsEmpty() == 0;
    return none ? "needs the record of a wait" : null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    List<Finding> findings = new ArrayList<>(super.evaluate(facts));
    Set<Integer> told = new HashSet<>();
    facts.memory().faults().stream()
        .filter(fault -> fault.kind() == Fault.Kind.EMPTY_WAIT)
        .forEach(fault -> told.add(facts.timeline().waits().at(fault.cause()).stream()));
    Map<Integer, List<Integer>> alone = new LinkedHashMap<>();
    Set<Long> recorded = recordedEvents(facts);
    WaitView wait = facts.timeline().waits();
    for (int i = 0; i < wait.size(); i++) {
      // An event that is recorded later is that of a loop whose first round has nothing to wait
      // for.
      boolean later = recorded.contains(key(wait.at(i).process(), wait.event()));
      if (wait.isEmptyWait()
          && !wait.isCaptured()
          && wait.stream() >= 0
          && wait.event() >= 0
          && wait.call() >= 0
          && !later
          && !told.contains(wait.stream())) {
        alone.computeIfAbsent(wait.stream(), key -> new ArrayList<>()).add(i);
      }
    }
    alone.forEach((stream, waits) -> findings.add(alone(stream, waits, facts)));
    return findings;
  }

  private static long key(int process, long event) {
    return event << 16 ^ process;
  }

  private static Set<Long> recordedEvents(Facts facts) {
    Set<Long> events = new HashSet<>();
    RecordView record = facts.timeline().records();
    for (int i = 0; i < record.size(); i++) {
      events.add(key(record.at(i).process(), record.event()));
    }
    return events;
  }

  /** A wait of which it is sure that it waits for nothing, and not known whether that matters. */
  private Finding alone(int stream, List<Integer> waits, Facts facts) {
    FaultWords words = new FaultWords(facts);
    String label = facts.timeline().stream(stream).label();
    return new Finding(
        id(),
        Severity.WARNING,
        Confidence.CERTAIN,
        "a wait on "
            + words.stream(stream, -1)
            + " waits for nothing: the event was never recorded",
        Words.count(waits.size(), "wait", "waits")
            + " of "
            + words.stream(stream, -1)
            + (waits.size() == 1 ? " waits" : " wait")
            + " for nothing: the event was never recorded.",
        "CUDA takes such a wait as done. If it was meant to hold work back, that work is not held"
            + " back.",
        "Record the event, on the stream whose work is meant, before the call that waits for it;"
            + " or leave the wait out.",
        List.of(),
        List.of(),
        null,
        null,
        false,
        waits.stream()
            .map(row -> atCall(facts.timeline().waits().at(row).call(), label, facts))
            .toList(),
        0);
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    String stream = words.stream(second);
    return new Text(
        "a wait on " + stream + " waits for nothing: the event was never recorded",
        "The wait of "
            + stream
            + " before "
            + words.who(second)
            + " waits for nothing: the event was never recorded. "
            + sentence(words.who(second))
            + " "
            + FaultWords.does(second)
            + " "
            + words.shared(first, second)
            + " while "
            + words.who(first)
            + " on "
            + words.stream(first)
            + " may still be pending.",
        "CUDA takes a wait for an event that was never recorded as done. "
            + lastCommon(fault, words, facts)
            + " "
            + thisRun(fault, facts),
        edge(fault, words));
  }
}
