package dev.eddyline.junit;

import dev.eddyline.analysis.finding.KernelNames;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.Places;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Role;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One analysed trace, with the look-ups and the words that checks need. */
final class TraceView {
  private static final String INTERNAL_ROLE = "nccl-internal";

  private final Analysis analysis;
  private final StreamGraph graph;
  private final Timeline timeline;
  private final Reachability reachability;
  private final Places places;
  private final boolean[] internal;
  private final boolean[] namesWaiters;

  TraceView(Analysis analysis) {
    this.analysis = analysis;
    this.graph = analysis.graph();
    this.timeline = graph.timeline();
    this.reachability = new Reachability(graph);
    this.places = new Places(graph, steps());
    internal = new boolean[timeline.streams().size()];
    Table roles = timeline.table(RecordType.ROLE);
    for (int i = 0; i < roles.size(); i++) {
      if (timeline.strings().get(roles.get(i, Role.ROLE)).equals(INTERNAL_ROLE)) {
        internal[(int) roles.get(i, Role.STREAM)] = true;
      }
    }
    namesWaiters = new boolean[timeline.processes().size()];
    java.util.Arrays.fill(namesWaiters, true);
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      namesWaiters[wait.at(i).process()] = false;
    }
    for (int i = 0; i < wait.size(); i++) {
      namesWaiters[wait.at(i).process()] |= wait.stream() >= 0;
    }
  }

  Analysis analysis() {
    return analysis;
  }

  StreamGraph graph() {
    return graph;
  }

  Timeline timeline() {
    return timeline;
  }

  Reachability reachability() {
    return reachability;
  }

  Steps steps() {
    return analysis.report().steps();
  }

  // ---- streams ----

  /** Streams with a name, an id or a role, of all ranks; those that ran nothing too. */
  List<Integer> streams(String name) {
    List<Integer> found = new ArrayList<>();
    for (int s = 0; s < internal.length; s++) {
      var stream = timeline.stream(s);
      boolean named = stream.name().equals(name) || name.equals(Long.toString(stream.id()));
      if (!internal[s] && named) {
        found.add(s);
      }
    }
    if (found.isEmpty()) {
      for (int s = 0; s < internal.length; s++) {
        if (!internal[s] && roles(s).contains(name)) {
          found.add(s);
        }
      }
    }
    return found;
  }

  /** The roles that a stream was given; a stream that ran collectives has the role "nccl". */
  Set<String> roles(int stream) {
    Set<String> found = new LinkedHashSet<>();
    Table table = timeline.table(RecordType.ROLE);
    for (int i = 0; i < table.size(); i++) {
      if (table.get(i, Role.STREAM) == stream) {
        found.add(timeline.strings().get(table.get(i, Role.ROLE)));
      }
    }
    if (graph.collectives().ranCollective(stream)) {
      found.add("nccl");
    }
    return found;
  }

  /** Whether a stream is the program's, not NCCL's own, and has a name or did something. */
  private boolean isVisible(int stream) {
    boolean known = !timeline.stream(stream).name().isEmpty();
    boolean used = graph.ops().count(stream) > 0 || graph.waitCount(stream) > 0;
    return !internal[stream] && (known || used);
  }

  /** Whether NCCL made a wait by itself. */
  boolean isInternalWait(int wait) {
    int waiter = timeline.waits().at(wait).stream();
    int source = graph.bindings().source(wait);
    return graph.bindings().isNcclInternal(wait)
        || waiter >= 0 && internal[waiter]
        || source >= 0 && internal[source];
  }

  /** Whether it is not known for what stream a wait waits. */
  boolean isOpen(int wait) {
    return !graph.bindings().isEmpty(wait)
        && !isInternalWait(wait)
        && (graph.bindings().source(wait) < 0 || graph.coveredBy(wait) < 0);
  }

  /** Whether the source says of a process's waits which streams make them. */
  boolean namesWaiters(int process) {
    return namesWaiters[process];
  }

  String label(int stream) {
    return timeline.stream(stream).label();
  }

  /** The streams of the trace in words: "Streams here: 7, 17, 25." */
  String streamsHere() {
    Set<String> labels = new LinkedHashSet<>();
    for (int s = 0; s < internal.length; s++) {
      if (isVisible(s)) {
        labels.add(label(s));
      }
    }
    return labels.isEmpty()
        ? "No stream ran anything."
        : "Streams here: " + String.join(", ", labels) + ".";
  }

  // ---- ops ----

  /** Whether an op has a name: that of its kernel, or of an operator or range that launched it. */
  boolean hasName(int row, String name) {
    OpView op = timeline.ops().at(row);
    if (op.name().equals(name) || KernelNames.shorten(op.name()).equals(name)) {
      return true;
    }
    int launch = graph.ops().callOf(row);
    if (launch < 0) {
      return false;
    }
    CallView call = timeline.calls().at(launch);
    var range = timeline.ranges();
    for (int at : graph.rangeIndex().allAt(call.thread(), call.start())) {
      if (range.at(at).name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** What to call an op: its collective, its operator, or its kernel. */
  String opWords(int row) {
    OpView op = timeline.ops().at(row);
    if (graph.collectives().isCollective(op)) {
      return graph.collectives().label(row);
    }
    String name = op.name();
    int launch = graph.ops().callOf(row);
    if (op.kind() == Op.KIND_KERNEL && launch >= 0) {
      CallView call = timeline.calls().at(launch);
      String operator = places.operatorAt(call.thread(), call.start());
      if (!operator.isEmpty()) {
        return operator;
      }
    }
    return KernelNames.shorten(name);
  }

  /** "all-reduce #0 of group "world", stream nccl". */
  String opOnStream(int row) {
    String group = graph.collectives().communicator(row);
    String of =
        graph.collectives().isCollective(timeline.ops().at(row)) && !group.isEmpty()
            ? " of group \"" + group + "\""
            : "";
    return opWords(row) + of + ", stream " + label(timeline.ops().at(row).stream());
  }

  /** Start of the call that launched an op, its own start where that is not known. */
  long launchedAt(int row) {
    int launch = graph.ops().callOf(row);
    return launch < 0 ? timeline.ops().at(row).start() : timeline.calls().at(launch).start();
  }

  // ---- times and places ----

  /** What times are told from: the start of the first step of a process, else of the trace. */
  long zero(int process) {
    return steps().steps().stream()
        .filter(step -> step.process() == process)
        .mapToLong(Steps.Step::startNs)
        .findFirst()
        .orElse(timeline.windowStart());
  }

  /** "rank 1 " where there are several. */
  String rankWords(int process) {
    int rank = timeline.process(process).rank();
    return timeline.processes().size() < 2 || rank < 0 ? "" : "rank " + rank + " ";
  }

  /** Where a call was made: "DilocoLoop.step(DilocoLoop.java:88), step0, thread 733". */
  String placeOfCall(int row) {
    CallView call = timeline.calls().at(row);
    int thread = call.thread();
    int process = call.process();
    List<Place> levels = places.at(thread, call.start());
    List<String> words = new ArrayList<>();
    String java = userFrame(levels);
    String path = java.isEmpty() ? Places.shortPath(levels) : java;
    if (!path.isEmpty()) {
      words.add(path);
    }
    if (!levels.isEmpty() && levels.get(0).kind() == Place.Kind.STEP) {
      words.add(levels.get(0).name());
    }
    words.add(rankWords(process) + threadWords(timeline.thread(thread).label()));
    return String.join(", ", words);
  }

  /** The innermost Java frame of the user around a call, "" where the trace has none. */
  String userFrame(int callRow) {
    CallView call = timeline.calls().at(callRow);
    return userFrame(places.at(call.thread(), call.start()));
  }

  private static String userFrame(List<Place> levels) {
    String user = "";
    String innermost = "";
    for (Place level : levels) {
      if (level.kind() == Place.Kind.JAVA) {
        innermost = LibraryFrames.withoutLambda(level.name());
        user = LibraryFrames.isOne(level.name()) ? user : innermost;
      }
    }
    return user.isEmpty() ? innermost : user;
  }

  private static String threadWords(String label) {
    return label.startsWith("thread ") ? label : "thread \"" + label + "\"";
  }

  /** Where an op was launched, "" if not known. */
  String placeOfOp(int row) {
    int launch = graph.ops().callOf(row);
    return launch < 0 ? "" : placeOfCall(launch);
  }
}
