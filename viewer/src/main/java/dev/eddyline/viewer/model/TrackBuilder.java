package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.report.StreamSummaries;
import dev.eddyline.analysis.report.StreamSummary;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.viewer.track.Lane;
import dev.eddyline.viewer.track.Lanes;
import dev.eddyline.viewer.track.Track;
import dev.eddyline.viewer.track.Track.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Lays out the rows: rank › host threads, devices › streams. Threads that only ask (watchdogs),
 * queries and capture calls have rows that are not in sight at first.
 */
final class TrackBuilder {
  /** Operators of Python programs nest deeply; nobody reads more levels than this. */
  private static final int MOST_LANES = 24;

  private final Timeline timeline;
  private final StreamGraph graph;
  private final List<StreamSummary> streams;
  private final boolean waitsNameStreams;
  private final Lanes[] calls;
  private final Lanes[] polls;
  private final Lanes[] ranges;
  private final List<Track> tracks = new ArrayList<>();

  private TrackBuilder(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.streams = StreamSummaries.of(timeline);
    int threads = timeline.threads().size();
    calls = new Lanes[threads];
    polls = new Lanes[threads];
    ranges = new Lanes[threads];
    for (int i = 0; i < threads; i++) {
      calls[i] = new Lanes(MOST_LANES);
      polls[i] = new Lanes(MOST_LANES);
      ranges[i] = new Lanes(MOST_LANES);
    }
    var wait = timeline.waits();
    waitsNameStreams =
        wait.size() == 0 || IntStream.range(0, wait.size()).anyMatch(i -> wait.at(i).stream() >= 0);
  }

  static List<Track> build(StreamGraph graph, Map<Integer, HostBlock> blocks) {
    TrackBuilder builder = new TrackBuilder(graph);
    builder.sortIntoThreads(blocks);
    List<Integer> processes = new ArrayList<>();
    for (int i = 0; i < builder.timeline.processes().size(); i++) {
      processes.add(i);
    }
    processes.sort(Comparator.comparing(i -> builder.timeline.process(i).rank()));
    processes.forEach(builder::addProcess);
    return List.copyOf(builder.tracks);
  }

  private void sortIntoThreads(Map<Integer, HostBlock> blocks) {
    CallView call = timeline.calls();
    for (int i = 0; i < call.size(); i++) {
      ApiKind kind = call.at(i).kind();
      boolean asks = kind.isPoll() || kind == ApiKind.CAPTURE;
      Tone tone = Tone.of(blocks.get(i));
      (asks ? polls : calls)[call.thread()].add(call.start(), call.end(), i, tone.code());
    }
    RangeView range = timeline.ranges();
    for (int i = 0; i < range.size(); i++) {
      ranges[range.at(i).thread()].add(range.start(), range.end(), i);
    }
  }

  private void addProcess(int process) {
    ProcessInfo info = timeline.process(process);
    int parent = -1;
    if (timeline.processes().size() > 1) {
      String host = info.host().isEmpty() ? "" : info.host();
      parent = add(Kind.PROCESS, process, process, -1, title(info), host, List.of(), true);
    }
    for (int thread = 0; thread < timeline.threads().size(); thread++) {
      if (timeline.thread(thread).process() == process) {
        addThread(process, thread, parent);
      }
    }
    TreeSet<Integer> devices = new TreeSet<>();
    for (StreamInfo stream : timeline.streams()) {
      if (stream.process() == process) {
        devices.add(stream.device());
      }
    }
    for (int device : devices) {
      addDevice(process, device, parent, devices.size() > 1);
    }
  }

  static String title(ProcessInfo process) {
    if (process.rank() >= 0) {
      return "rank " + process.rank();
    }
    return process.pid() >= 0 ? "process " + process.pid() : "process";
  }

  private void addThread(int process, int thread, int parent) {
    String label = timeline.thread(thread).label();
    boolean orders = graph.links().hasOrderingCalls(thread);
    List<Lane> rangeLanes = ranges[thread].build();
    List<Lane> callLanes = calls[thread].build();
    List<Lane> pollLanes = polls[thread].build();
    if (!rangeLanes.isEmpty()) {
      add(Kind.RANGES, process, thread, parent, label, "ranges", rangeLanes, orders);
    }
    if (!callLanes.isEmpty()) {
      add(Kind.CALLS, process, thread, parent, label, "calls", callLanes, orders);
    }
    if (!pollLanes.isEmpty()) {
      add(Kind.POLLS, process, thread, parent, label, "queries", pollLanes, false);
    }
  }

  private void addDevice(int process, int device, int parent, boolean several) {
    List<Integer> own = new ArrayList<>();
    for (int s = 0; s < timeline.streams().size(); s++) {
      StreamInfo stream = timeline.stream(s);
      if (stream.process() == process && stream.device() == device && graph.ops().count(s) > 0) {
        own.add(s);
      }
    }
    if (own.isEmpty()) {
      return;
    }
    String name = several ? "device " + device : "device";
    add(Kind.OVERLAP, process, device, parent, name, "compute, communication", List.of(), true);
    own.sort(
        Comparator.<Integer, Long>comparing(s -> timeline.stream(s).id())
            .thenComparing(s -> timeline.stream(s).generation()));
    for (int s : own) {
      add(Kind.STREAM, process, s, parent, streamLabel(s), note(s), lanes(s), true);
    }
  }

  private String streamLabel(int stream) {
    List<String> roles = streams.get(stream).roles();
    String label = timeline.stream(stream).label();
    return roles.isEmpty() ? label : label + "  " + String.join(", ", roles);
  }

  /** What a stream waits for, in few words. */
  private String note(int stream) {
    int waits = graph.waitCount(stream);
    if (waits == 0) {
      return waitsNameStreams ? "waits: none" : "waits: not in the trace";
    }
    int unknown = 0;
    int shown = 0;
    for (int i = 0; i < waits; i++) {
      int wait = graph.waitOf(stream, i);
      if (!graph.bindings().isNcclInternal(wait)) {
        shown++;
        unknown += graph.bindings().isUnknown(wait) ? 1 : 0;
      }
    }
    if (shown == 0) {
      return "waits: NCCL's own";
    }
    return "waits: " + shown + (unknown == 0 ? "" : ", " + unknown + " for ?");
  }

  private List<Lane> lanes(int stream) {
    Lanes lanes = new Lanes(MOST_LANES);
    OpView op = timeline.ops();
    for (int i = 0; i < graph.ops().count(stream); i++) {
      op.at(graph.ops().op(stream, i));
      lanes.add(op.start(), op.end(), op.row(), Tone.of(op, graph.collectives()).code());
    }
    return lanes.build();
  }

  private int add(
      Kind kind,
      int process,
      int ref,
      int parent,
      String label,
      String note,
      List<Lane> lanes,
      boolean atFirst) {
    int index = tracks.size();
    int level = parent < 0 ? 0 : 1;
    tracks.add(new Track(index, kind, process, ref, level, parent, label, note, lanes, atFirst));
    return index;
  }
}
