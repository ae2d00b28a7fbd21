package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.MemoryHistory;
import dev.eddyline.analysis.blame.Blame;
import dev.eddyline.analysis.blame.ClockTolerance;
import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.blame.HostBlockFinder;
import dev.eddyline.analysis.blame.MatchedArrivals;
import dev.eddyline.analysis.blame.RemoteArrivals;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rules look at: the graph, the blocked calls with their blame, the steps. */
public final class Facts {
  private final StreamGraph graph;
  private final Timeline timeline;
  private final AnalysisOptions options;
  private final ClockTolerance tolerance;
  private final Steps steps;
  private final Places places;
  private final Reachability reachability;
  private final RemoteArrivals arrivals;
  private final DeviceTimes deviceTimes;
  private final PeriodicSyncs periodicSyncs;
  private final OpAccesses opAccesses;
  private final List<HostBlock> blocks;
  private final List<JudgedBlock> blocked = new ArrayList<>();
  private final List<JudgedBlock> idle = new ArrayList<>();
  private @Nullable List<CostlyWaits.Costly> costlyWaits;
  private @Nullable Coverage coverage;
  private @Nullable MemoryHistory memory;

  /** Finds and explains the blocked calls of a graph. */
  public Facts(StreamGraph graph, AnalysisOptions options) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.options = options;
    tolerance = ClockTolerance.of(graph);
    steps = StepFinder.find(timeline);
    places = new Places(graph, steps);
    reachability = new Reachability(graph);
    periodicSyncs = new PeriodicSyncs(graph);
    opAccesses = new OpAccesses(graph);
    deviceTimes = new DeviceTimes(timeline, graph.collectives());
    blocks = HostBlockFinder.find(graph, tolerance);
    arrivals = MatchedArrivals.of(graph);
    Blame blame = new Blame(graph, tolerance, arrivals);
    for (HostBlock block : blocks) {
      JudgedBlock judged = judge(block, blame);
      (block.isBlocked() ? blocked : idle).add(judged);
    }
  }

  private JudgedBlock judge(HostBlock block, Blame blame) {
    List<Segment> segments = blame.explain(block);
    OpView op = timeline.ops();
    List<Integer> collectives = new ArrayList<>();
    boolean inferred = block.inferredRelease();
    for (Segment segment : segments) {
      boolean active =
          segment.state() == Segment.State.RUNNING || segment.state() == Segment.State.REMOTE;
      if (active && segment.opRow() >= 0 && isCollective(op.at(segment.opRow()))) {
        collectives.add(segment.opRow());
      }
      inferred |= segment.via().stream().anyMatch(via -> via.known().equals("inferred"));
    }
    CallView call = timeline.calls().at(block.call());
    List<Place> where = places.at(call.thread(), block.startNs());
    String stream = block.stream() < 0 ? "" : timeline.stream(block.stream()).label();
    Occurrence occurrence =
        new Occurrence(
            block.startNs(),
            block.endNs(),
            block.call(),
            timeline.process(call.process()).rank(),
            timeline.thread(call.thread()).label(),
            call.name(),
            call.correlation(),
            stream,
            where,
            block.isBlocked() ? segments : List.of(),
            List.of());
    int step = steps.indexAt(call.process(), block.startNs());
    return new JudgedBlock(
        block, occurrence, collectives.stream().distinct().toList(), inferred, step);
  }

  private boolean isCollective(OpView op) {
    return graph.collectives().isCollective(op);
  }

  public StreamGraph graph() {
    return graph;
  }

  public Timeline timeline() {
    return timeline;
  }

  public AnalysisOptions options() {
    return options;
  }

  /** How long was recorded, as the sources say, else from the first to the last thing. */
  public long lengthNs() {
    long recorded = -1;
    for (var source : timeline.sources()) {
      recorded = Math.max(recorded, source.recordedNs());
    }
    return recorded >= 0 ? recorded : timeline.windowEnd() - timeline.windowStart();
  }

  /** How far host and device clocks disagree. */
  public ClockTolerance tolerance() {
    return tolerance;
  }

  public Steps steps() {
    return steps;
  }

  public Places places() {
    return places;
  }

  public Reachability reachability() {
    return reachability;
  }

  /** When the last rank arrived at a collective, as far as its file is there. */
  public RemoteArrivals arrivals() {
    return arrivals;
  }

  /** What the trace can answer; worked out when first asked for. */
  Coverage coverage() {
    Coverage known = coverage;
    if (known == null) {
      known = CoverageMaker.of(this);
      coverage = known;
    }
    return known;
  }

  /** Which memory each op uses, as far as the trace says. */
  OpAccesses opAccesses() {
    return opAccesses;
  }

  /** Waits that held a stream without need; worked out when first asked for. */
  List<CostlyWaits.Costly> costlyWaits() {
    List<CostlyWaits.Costly> known = costlyWaits;
    if (known == null) {
      known = CostlyWaits.find(this);
      costlyWaits = known;
    }
    return known;
  }

  /** Event syncs that bound how far the host runs ahead. */
  PeriodicSyncs periodicSyncs() {
    return periodicSyncs;
  }

  /** When each device ran collectives, and when anything else. */
  DeviceTimes deviceTimes() {
    return deviceTimes;
  }

  /** Which uses of memory nothing orders; worked out when first asked for. */
  public MemoryHistory memory() {
    MemoryHistory known = memory;
    if (known == null) {
      known = MemoryHistory.of(graph, reachability);
      memory = known;
    }
    return known;
  }

  /** Every call that could hold the host, blocked or not, in order of time. */
  public List<HostBlock> blocks() {
    return blocks;
  }

  /** The calls that held the host for GPU work, in order of time. */
  public List<JudgedBlock> blocked() {
    return blocked;
  }

  /** The host syncs that found nothing to wait for, in order of time. */
  public List<JudgedBlock> idle() {
    return idle;
  }
}
