package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.viewer.track.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A trace that is open: its analysis, its rows, its arrows. Immutable. */
public final class TraceModel {
  private final String name;
  private final Timeline timeline;
  private final Analysis analysis;
  private final List<Track> tracks;
  private final TrackIndex index;
  private final Links links;
  private final Map<Integer, Overlap> overlaps = new HashMap<>();
  private final Map<Integer, HostBlock> blockOfCall = new HashMap<>();
  private final OpNames names;
  private final Peers peers;
  private final Span whole;
  private final long zero;

  private TraceModel(String name, Analysis analysis) {
    this.name = name;
    this.analysis = analysis;
    this.timeline = analysis.graph().timeline();
    for (HostBlock block : analysis.hostBlocks()) {
      blockOfCall.put(block.call(), block);
    }
    this.tracks = TrackBuilder.build(analysis.graph(), blockOfCall);
    this.index = new TrackIndex(timeline, tracks);
    this.links = new Links(analysis.graph(), analysis.hostBlocks(), index);
    this.names = new OpNames(analysis.graph());
    this.peers = Peers.of(analysis.graph());
    this.whole =
        new Span(
            timeline.windowStart(), Math.max(timeline.windowEnd(), timeline.windowStart() + 1));
    for (Track track : tracks) {
      if (track.kind() == Track.Kind.OVERLAP) {
        overlaps.put(track.index(), Overlap.of(analysis.graph(), track, whole));
      }
    }
    this.zero =
        analysis.report().steps().steps().stream()
            .mapToLong(Steps.Step::startNs)
            .min()
            .orElseGet(timeline::windowStart);
  }

  /**
   * Analyses a timeline and lays it out. Takes as long as an analysis does: not for the thread that
   * draws.
   *
   * @param name what to call it: its file, or the first of several
   */
  public static TraceModel of(String name, Timeline timeline) {
    return of(name, Analyzer.analyze(timeline, AnalysisOptions.defaults()));
  }

  /** Lays out a timeline that is analysed already. */
  public static TraceModel of(String name, Analysis analysis) {
    return new TraceModel(name, analysis);
  }

  /** What to call it. */
  public String name() {
    return name;
  }

  public Timeline timeline() {
    return timeline;
  }

  public StreamGraph graph() {
    return analysis.graph();
  }

  public Analysis analysis() {
    return analysis;
  }

  public Report report() {
    return analysis.report();
  }

  /** All rows, from the top, those that are not in sight at first included. */
  public List<Track> tracks() {
    return tracks;
  }

  public TrackIndex index() {
    return index;
  }

  public Links links() {
    return links;
  }

  /** Names of ops to show. */
  public OpNames names() {
    return names;
  }

  /** Which ops are the same collective on other ranks. */
  public Peers peers() {
    return peers;
  }

  /** The overlap of the device of a row of that kind. */
  public @Nullable Overlap overlap(int track) {
    return overlaps.get(track);
  }

  /** The call that could hold the host, by the row of its call, or null. */
  public @Nullable HostBlock block(int call) {
    return blockOfCall.get(call);
  }

  /** From the first to the last thing. */
  public Span whole() {
    return whole;
  }

  /** What times are shown from: the first step, or the start of the trace, as in reports. */
  public long zeroNs() {
    return zero;
  }
}
