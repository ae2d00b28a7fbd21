package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.WaitFact.State;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.ScopeIndex;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.graph.WaitBindings;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import dev.eddyline.trace.RecordType.Range;
import java.util.ArrayList;
import java.util.List;

/** Says of each wait of a trace who waits for what, and how that is known. */
final class WaitFacts {
  /** A stream that goes on within so many nanoseconds after another one's op resumed after it. */
  private static final long RESUME_GAP_NS = 3_000;

  private static final String LIBRARY = "dev.eddyline.group.";

  private final StreamGraph graph;
  private final Timeline timeline;
  private final WaitBindings bindings;
  private final Parties parties;
  private final Steps steps;
  private final ScopeIndex collectiveCalls;
  private final boolean[] waitersNamed;
  private final OpView op;
  private final CallView call;

  WaitFacts(StreamGraph graph, Parties parties, Steps steps) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.bindings = graph.bindings();
    this.parties = parties;
    this.steps = steps;
    this.collectiveCalls = graph.collectiveIndex();
    this.op = timeline.ops();
    this.call = timeline.calls();
    this.waitersNamed = new boolean[timeline.processes().size()];
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      waitersNamed[wait.at(i).process()] |= wait.stream() >= 0;
    }
  }

  /** All waits, in order of time. */
  List<WaitFact> all() {
    List<WaitFact> facts = new ArrayList<>();
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      facts.add(fact(wait.at(i)));
    }
    return facts;
  }

  private WaitFact fact(WaitView wait) {
    int row = wait.row();
    int by = graph.links().callOfWait(row);
    int record = bindings.record(row);
    int source = bindings.source(row);
    long time = by < 0 ? -1 : call.at(by).start();
    int thread = by < 0 ? -1 : call.thread();
    int scope = by < 0 ? -1 : collectiveCalls.innermostAt(thread, time);
    CollectiveView collective = timeline.collectives();
    String communicator = scope < 0 ? "" : collective.at(scope).communicator();
    int last = source < 0 ? -1 : lastCollective(source, graph.coveredBy(row));
    return new WaitFact(
        row,
        waiter(wait),
        target(wait, source),
        state(wait, source),
        bindings.rule(row),
        bindings.isNcclInternal(row),
        timeline.process(wait.process()).rank(),
        wait.event(),
        wait.correlation(),
        record < 0 ? -1 : timeline.records().at(record).correlation(),
        time,
        by < 0 ? -1 : steps.indexAt(wait.process(), time),
        by < 0 ? "" : madeBy(by, thread, time, scope, isWorkEvent(record, last)),
        communicator,
        last < 0 ? "" : graph.collectives().label(last),
        resumedAfter(wait.at(row), source));
  }

  private Party waiter(WaitView wait) {
    if (wait.stream() >= 0) {
      boolean own = bindings.isNcclInternal(wait.row()) && parties.ops(wait.stream()) == 0;
      return own ? Party.NCCL_OWN : parties.of(wait.stream());
    }
    return waitersNamed[wait.process()] ? Party.UNSEEN : Party.NOT_NAMED;
  }

  private Party target(WaitView wait, int source) {
    if (wait.isCaptured()) {
      return Party.CAPTURE;
    }
    if (bindings.isEmpty(wait.row())) {
      return Party.NOTHING;
    }
    boolean internal = bindings.isNcclInternal(wait.row());
    if (source >= 0) {
      return internal && parties.ops(source) == 0 ? Party.NCCL_OWN : parties.of(source);
    }
    return internal ? Party.NCCL_OWN : Party.UNKNOWN;
  }

  private State state(WaitView wait, int source) {
    if (wait.isCaptured()) {
      return State.CAPTURED;
    }
    if (bindings.isEmpty(wait.row())) {
      return State.EMPTY;
    }
    if (source < 0) {
      return bindings.isNcclInternal(wait.row()) ? State.LIKELY : State.UNKNOWN;
    }
    int record = bindings.record(wait.row());
    boolean placeInferred =
        record >= 0 && bindings.isRecordStreamInferred(record) && wait.sourceStream() != source;
    return bindings.rule(wait.row()).isRecorded() && !placeInferred ? State.RECORDED : State.LIKELY;
  }

  /** What the program called: the library's method where frames are there, else the API. */
  private String madeBy(int by, int thread, long time, int scope, boolean workEvent) {
    RangeView range = timeline.ranges();
    for (int row : graph.rangeIndex().allAt(thread, time)) {
      if (range.at(row).kind() == Range.KIND_JAVA && range.name().startsWith(LIBRARY)) {
        String method = range.name().substring(LIBRARY.length());
        int end = method.indexOf('(');
        return end < 0 ? method : method.substring(0, end);
      }
    }
    if (scope >= 0 && timeline.collectives().at(scope).kind().equals("wait")) {
      return "Work.wait";
    }
    return workEvent ? "the Work's event" : call.at(by).name();
  }

  /** Whether a record is of the event of the handle that a collective's call returned. */
  private boolean isWorkEvent(int record, int collectiveOp) {
    int row = collectiveOp < 0 ? -1 : graph.collectives().callOf(collectiveOp);
    if (record < 0 || row < 0) {
      return false;
    }
    long event = timeline.collectives().at(row).workEvent();
    return event >= 0 && event == timeline.records().at(record).event();
  }

  private int lastCollective(int stream, int covered) {
    for (int p = Math.min(covered, graph.ops().count(stream)) - 1; p >= 0; p--) {
      int row = graph.ops().op(stream, p);
      if (graph.collectives().isCollective(op.at(row))) {
        return row;
      }
      if (graph.collectives().ranOther(stream)) {
        return -1;
      }
    }
    return -1;
  }

  private long resumedAfter(WaitView wait, int source) {
    int covered = source < 0 ? 0 : graph.coveredBy(wait.row());
    int held = graph.waitPosition(wait.row());
    if (covered <= 0 || held < 0 || held >= graph.ops().count(wait.stream())) {
      return -1;
    }
    long end = op.at(graph.ops().op(source, covered - 1)).end();
    long gap = op.at(graph.ops().op(wait.stream(), held)).start() - end;
    return gap >= 0 && gap <= RESUME_GAP_NS ? gap : -1;
  }
}
