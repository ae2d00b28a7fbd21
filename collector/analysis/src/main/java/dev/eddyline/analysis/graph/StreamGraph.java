package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The stream graph of a timeline: ops per stream in order, what each wait waits for, and where on
 * its stream each record and wait stands. Edges are kept as arrays; {@link GraphEdges} hands them
 * out one by one. Immutable; any number of threads may read through cursors of their own.
 */
public final class StreamGraph {
  private final Timeline timeline;
  private final StreamOps ops;
  private final CallLinks links;
  private final Collectives collectives;
  private final WaitBindings bindings;
  private final SyncTargets syncTargets;
  private final ScopeIndex collectiveIndex;
  private final ScopeIndex rangeIndex;
  private final LegacyStreams legacyStreams;
  private final int refuted;
  private final int[] waitPosition;
  private final int[] recordPosition;
  private final int[] firstWaitOfStream;
  private final int[] waitsOfStream;

  private StreamGraph(Timeline timeline) {
    this.timeline = timeline;
    ops = new StreamOps(timeline);
    links = new CallLinks(timeline, ops);
    collectiveIndex = ScopeIndex.ofCollectives(timeline);
    collectives = new Collectives(timeline, ops, collectiveIndex);
    bindings = new WaitBindings(timeline);
    RecordedBinder recorded = new RecordedBinder(timeline, links, bindings);
    recorded.run();
    rangeIndex = ScopeIndex.ofRanges(timeline);
    legacyStreams = new LegacyStreams(timeline);
    new NcclBinder(timeline, ops, links, collectives, bindings, collectiveIndex, rangeIndex).run();
    new OrderBinder(timeline, ops, links, collectives, bindings, collectiveIndex).run();
    refuted = Refuter.run(timeline, ops, links, bindings);
    syncTargets = new SyncTargets(timeline, recorded, bindings, links);
    CallView call = timeline.calls();
    WaitView wait = timeline.waits();
    waitPosition = new int[wait.size()];
    firstWaitOfStream = new int[timeline.streams().size() + 1];
    for (int i = 0; i < waitPosition.length; i++) {
      int stream = wait.at(i).stream();
      waitPosition[i] = position(call, stream, links.callOfWait(i));
      if (stream >= 0) {
        firstWaitOfStream[stream + 1]++;
      }
    }
    for (int s = 0; s + 1 < firstWaitOfStream.length; s++) {
      firstWaitOfStream[s + 1] += firstWaitOfStream[s];
    }
    waitsOfStream = new int[firstWaitOfStream[firstWaitOfStream.length - 1]];
    int[] next = Arrays.copyOf(firstWaitOfStream, firstWaitOfStream.length);
    for (int i = 0; i < waitPosition.length; i++) {
      int stream = wait.at(i).stream();
      if (stream >= 0) {
        waitsOfStream[next[stream]++] = i;
      }
    }
    recordPosition = new int[timeline.records().size()];
    for (int i = 0; i < recordPosition.length; i++) {
      recordPosition[i] = position(call, bindings.recordStream(i), links.callOfRecord(i));
    }
  }

  /** Builds the graph. */
  public static StreamGraph of(Timeline timeline) {
    return new StreamGraph(timeline);
  }

  private int position(CallView call, int stream, int byCall) {
    return stream < 0 || byCall < 0 ? -1 : ops.positionAt(stream, call.at(byCall).start());
  }

  public Timeline timeline() {
    return timeline;
  }

  /** The ops of each stream in order. */
  public StreamOps ops() {
    return ops;
  }

  /** From calls to what they made. */
  public CallLinks links() {
    return links;
  }

  /** Which ops are collectives. */
  public Collectives collectives() {
    return collectives;
  }

  /** What each wait waits for. */
  public WaitBindings bindings() {
    return bindings;
  }

  /** Finds the ranges of a thread around a time. */
  public ScopeIndex rangeIndex() {
    return rangeIndex;
  }

  /** Finds the collectives' calls of a thread around a time. */
  public ScopeIndex collectiveIndex() {
    return collectiveIndex;
  }

  /** Which streams the legacy default streams order. */
  public LegacyStreams legacyStreams() {
    return legacyStreams;
  }

  /** What each host sync covers. */
  public SyncTargets syncTargets() {
    return syncTargets;
  }

  /** How many inferred joins device times refuted. */
  public int refuted() {
    return refuted;
  }

  /** Position of a wait on the stream that waits, or -1. */
  public int waitPosition(int wait) {
    return waitPosition[wait];
  }

  /** Position of a record on its stream, or -1. */
  public int recordPosition(int record) {
    return recordPosition[record];
  }

  /** How many waits a stream made. */
  public int waitCount(int stream) {
    return firstWaitOfStream[stream + 1] - firstWaitOfStream[stream];
  }

  /** A wait of a stream, in the order of their calls. */
  public int waitOf(int stream, int index) {
    return waitsOfStream[firstWaitOfStream[stream] + index];
  }

  /** Index of the first wait of a stream whose position is at least the given one. */
  public int firstWaitFrom(int stream, int position) {
    int low = 0;
    int high = waitCount(stream);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (waitPosition[waitOf(stream, middle)] < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Hands out the edges of some kinds; see {@link GraphEdges#forEach}. */
  public void edges(Set<EdgeKind> kinds, Consumer<Edge> sink) {
    new GraphEdges(this).forEach(kinds, sink);
  }

  /**
   * How many ops of a wait's source stream it covers: those before the record, or, where only the
   * stream is known, at most those enqueued before the wait. -1 where the source is not known.
   */
  public int coveredBy(int wait) {
    int record = bindings.record(wait);
    if (record >= 0) {
      return recordPosition[record];
    }
    int source = bindings.source(wait);
    return source < 0 ? -1 : position(timeline.calls(), source, links.callOfWait(wait));
  }
}
