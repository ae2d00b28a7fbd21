package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamOps;
import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rule about uses of memory that nothing orders: takes its faults, groups them, words them. */
abstract class FaultRule implements Rule {
  static final String NEEDS_ADDRESSES = "needs addresses";

  /** What is said of a group of faults, by its first one. */
  record Text(String title, String summary, String explanation, String remedy) {}

  /** The faults that this rule tells of. */
  abstract Set<Fault.Kind> kinds();

  /**
   * Words a group.
   *
   * @param fault its first fault
   * @param group all of it
   */
  abstract Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts);

  @Override
  public boolean isAboutCorrectness() {
    return true;
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    return facts.timeline().accesses().size() == 0 ? NEEDS_ADDRESSES : null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    FaultWords words = new FaultWords(facts);
    Map<String, List<Fault>> groups = new LinkedHashMap<>();
    Set<Fault.Kind> kinds = kinds();
    for (Fault fault : facts.memory().faults()) {
      if (kinds.contains(fault.kind())) {
        groups.computeIfAbsent(key(fault, words), key -> new ArrayList<>()).add(fault);
      }
    }
    List<Finding> findings = new ArrayList<>();
    groups.values().forEach(group -> findings.add(finding(group, words, facts)));
    return findings;
  }

  /** Faults with the same key are one finding. */
  String key(Fault fault, FaultWords words) {
    Touch second = fault.second();
    return fault.kind()
        + "/"
        + fault.hazard()
        + "/"
        + fault.confidence()
        + "/"
        + words.kind(fault.first())
        + "/"
        + (second == null ? "" : words.kind(second));
  }

  private Finding finding(List<Fault> group, FaultWords words, Facts facts) {
    Fault first = group.get(0);
    Text text = describe(first, group, words, facts);
    Map<Occurrence, Occurrence> distinct = new LinkedHashMap<>();
    for (Fault fault : group) {
      Occurrence at = occurrence(fault, facts);
      distinct.putIfAbsent(at, withMissingOrder(at, fault));
    }
    List<Occurrence> occurrences =
        distinct.values().stream().sorted(Comparator.comparingLong(Occurrence::startNs)).toList();
    List<Integer> steps = new ArrayList<>();
    for (Occurrence occurrence : occurrences) {
      int step = facts.steps().indexAt(process(first, facts), occurrence.startNs());
      if (step >= 0 && !steps.contains(step)) {
        steps.add(step);
      }
    }
    String times =
        occurrences.size() == 1
            ? ""
            : " "
                + sentence(Words.times(occurrences.size()))
                + " in this trace; the first time is told.";
    return new Finding(
        id(),
        severity(first),
        first.confidence(),
        text.title(),
        text.summary() + times,
        text.explanation(),
        text.remedy(),
        first.confidence() == Confidence.CERTAIN
            ? List.of()
            : List.of("the trace holds no edge that orders the two"),
        guessed(first),
        null,
        null,
        false,
        occurrences,
        steps.size());
  }

  private static Severity severity(Fault fault) {
    if (fault.confidence() == Confidence.CERTAIN) {
      return Severity.ERROR;
    }
    return fault.note() ? Severity.INFO : Severity.WARNING;
  }

  private static List<String> guessed(Fault fault) {
    if (fault.confidence() == Confidence.CERTAIN) {
      return List.of();
    }
    if (fault.note()) {
      return List.of(
          "whether the pageable source was read before the call returned: CUDA 11.0 promises it,"
              + " 12.2 and later do not");
    }
    return List.of(
        "which part of the block is used, and whether it is written: the arguments of a launch"
            + " tell neither");
  }

  private static int process(Fault fault, Facts facts) {
    return facts.timeline().accesses().at(fault.first().row).process();
  }

  private static Occurrence withMissingOrder(Occurrence at, Fault fault) {
    Touch second = fault.second();
    if (second == null || fault.first().op < 0 || second.op < 0) {
      return at;
    }
    return at.missing(fault.first().op, second.op);
  }

  /** The later use, or the free. */
  private static Occurrence occurrence(Fault fault, Facts facts) {
    Timeline timeline = facts.timeline();
    Touch second = fault.second();
    if (second != null && !second.isByHost()) {
      return atCall(second.call, timeline.stream(second.stream).label(), facts);
    }
    int thread;
    long time;
    String stream = "";
    if (second != null) {
      thread = second.thread;
      time = timeline.accesses().at(second.row).start();
    } else {
      AllocationView free = timeline.allocations().at(fault.free());
      int call = timeline.callOf(free.process(), free.correlation());
      stream = free.stream() < 0 ? "" : timeline.stream(free.stream()).label();
      if (call >= 0) {
        return atCall(call, stream, facts);
      }
      thread = free.thread();
      time = free.start();
    }
    return new Occurrence(
        time,
        time,
        -1,
        timeline.process(process(fault, facts)).rank(),
        thread < 0 ? "" : timeline.thread(thread).label(),
        "",
        -1,
        stream,
        thread < 0 ? List.of() : facts.places().at(thread, time),
        List.of(),
        List.of());
  }

  static Occurrence atCall(int row, String stream, Facts facts) {
    Timeline timeline = facts.timeline();
    CallView call = timeline.calls().at(row);
    return new Occurrence(
        call.start(),
        call.end(),
        row,
        timeline.process(call.process()).rank(),
        timeline.thread(call.thread()).label(),
        call.name(),
        call.correlation(),
        stream,
        facts.places().at(call.thread(), call.start()),
        List.of(),
        List.of());
  }

  // ---- sentences that several rules need ----

  static String sentence(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  /** The one edge that would order them. */
  static String edge(Fault fault, FaultWords words) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    return "Record an event on "
        + words.stream(first)
        + " right after "
        + words.who(first)
        + ", and let "
        + words.stream(second)
        + " wait for it before "
        + words.who(second)
        + ".";
  }

  /** How far the later stream does come after the earlier one. */
  static String lastCommon(Fault fault, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    StreamOps ops = facts.graph().ops();
    int known = facts.reachability().positionBefore(first.stream, second.op, true);
    if (known == 0) {
      return sentence(words.stream(second))
          + " comes after nothing of "
          + words.stream(first)
          + " up to there.";
    }
    int last = ops.op(first.stream, known - 1);
    return "The last point that "
        + words.stream(second)
        + " comes after on "
        + words.stream(first)
        + " is the end of "
        + OpWords.of(last, facts)
        + between(ops.indexOf(first.op) - known)
        + ".";
  }

  private static String between(int ops) {
    return ops == 0
        ? ", right before"
        : ", with " + Words.count(ops, "op", "ops") + " between it and the one that matters";
  }

  /** How the two lay in time when this was recorded. */
  static String thisRun(Fault fault, Facts facts) {
    Touch second = Objects.requireNonNull(fault.second());
    OpView op = facts.timeline().ops();
    long firstStart = op.at(fault.first().op).start();
    long firstEnd = op.end();
    long secondStart = op.at(second.op).start();
    long secondEnd = op.end();
    if (secondStart >= firstEnd) {
      return "In this run the second began "
          + Words.ms(secondStart - firstEnd)
          + " after the first had ended; nothing keeps this order.";
    }
    if (secondEnd <= firstStart) {
      return "In this run the second was over "
          + Words.ms(firstStart - secondEnd)
          + " before the first began.";
    }
    return "In this run the two overlapped.";
  }
}
