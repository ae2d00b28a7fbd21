package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Sync;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Feeds {@link HappensBefore} with the calls of a trace, in the order of their starts. */
final class CallSweep {
  /** How far the end of a call and that of the op it waited for may lie apart on two clocks. */
  private static final long CLOCKS_NS = 25_000;

  private static final int NONE = -1;

  /** A sync that other threads of its process may hear of once it has returned. */
  private record Told(long endNs, int process, int thread, int upTo) {}

  private final Timeline timeline;
  private final StreamGraph graph;
  private final CallView call;
  private final OpView op;
  private final SyncView sync;
  private final int[] launchOfOp;
  private final int[][] streamsOfProcess;
  private final int[][] followersOf;
  private final boolean[] manyThreads;
  private final List<Told> untold = new ArrayList<>();
  private final Map<Long, int[]> lastCollective = new HashMap<>();
  private final Map<Long, int[]> groupStreams;
  private final PoolOrder pool;
  private final HappensBefore order;

  CallSweep(StreamGraph graph) {
    this.graph = graph;
    timeline = graph.timeline();
    call = timeline.calls();
    op = timeline.ops();
    sync = timeline.syncs();
    launchOfOp = launches();
    streamsOfProcess = streamsOfProcess();
    manyThreads = manyThreads();
    groupStreams = groupStreams();
    pool = new PoolOrder(timeline);
    int[] contextOf = new int[timeline.streams().size()];
    int[] legacyOf = contexts(contextOf);
    followersOf = followers(contextOf, legacyOf);
    order =
        new HappensBefore(
            contextOf.length,
            timeline.threads().size(),
            timeline.processes().size(),
            contextOf,
            legacyOf);
    for (int s = 0; s < contextOf.length; s++) {
      if (graph.ops().count(s) > 0 && launchOfOp[graph.ops().op(s, 0)] == NONE) {
        order.began(s, moment(NONE));
      }
    }
  }

  /** The moment of a call; of what was enqueued before the first one for row -1. */
  static int moment(int row) {
    return 2 * row;
  }

  /** Row of the call that enqueued each op, or of the latest one before it on its stream. */
  int[] launchOfOp() {
    return launchOfOp;
  }

  private int[] launches() {
    int[] launches = new int[op.size()];
    StreamOps ops = graph.ops();
    for (int s = 0; s < timeline.streams().size(); s++) {
      int latest = NONE;
      for (int i = 0; i < ops.count(s); i++) {
        int row = ops.op(s, i);
        latest = Math.max(latest, ops.callOf(row));
        launches[row] = latest;
      }
    }
    return launches;
  }

  private int[][] streamsOfProcess() {
    List<List<Integer>> lists = new ArrayList<>();
    timeline.processes().forEach(process -> lists.add(new ArrayList<>()));
    for (int s = 0; s < timeline.streams().size(); s++) {
      lists.get(timeline.stream(s).process()).add(s);
    }
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** Whether one thread of a process could hear of what another one learned. */
  private boolean[] manyThreads() {
    boolean[] acts = new boolean[timeline.threads().size()];
    for (int row = 0; row < call.size(); row++) {
      acts[call.at(row).thread()] |= call.kind().isPoll();
    }
    int[] count = new int[timeline.processes().size()];
    for (int t = 0; t < acts.length; t++) {
      count[timeline.thread(t).process()] += acts[t] || graph.links().hasOrderingCalls(t) ? 1 : 0;
    }
    boolean[] many = new boolean[count.length];
    for (int p = 0; p < many.length; p++) {
      many[p] = count[p] > 1;
    }
    return many;
  }

  /** Streams beside its own that a launch of a group of collectives names, by launch. */
  private Map<Long, int[]> groupStreams() {
    Map<Long, int[]> streams = new HashMap<>();
    CollectiveView collective = timeline.collectives();
    for (int i = 0; i < collective.size(); i++) {
      collective.at(i);
      if (collective.stream() >= 0 && collective.correlation() >= 0) {
        long key = collective.correlation() << 16 ^ collective.process();
        int[] known = streams.getOrDefault(key, new int[0]);
        int stream = collective.stream();
        if (Arrays.stream(known).noneMatch(other -> other == stream)) {
          int[] more = Arrays.copyOf(known, known.length + 1);
          more[known.length] = stream;
          streams.put(key, more);
        }
      }
    }
    streams.values().removeIf(named -> named.length < 2);
    return streams;
  }

  private int[] contexts(int[] contextOf) {
    Map<Long, Integer> numbers = new HashMap<>();
    int[] legacyOf = new int[contextOf.length];
    Arrays.fill(legacyOf, NONE);
    for (int s = 0; s < contextOf.length; s++) {
      StreamInfo stream = timeline.stream(s);
      contextOf[s] = NONE;
      if (stream.kind() == StreamInfo.Kind.UNKNOWN
          || stream.kind() == StreamInfo.Kind.NON_BLOCKING) {
        continue;
      }
      long context = stream.context() > 0 ? stream.context() : ~(long) stream.device();
      long key = (long) stream.process() << 40 ^ context;
      int number = numbers.computeIfAbsent(key, k -> numbers.size());
      contextOf[s] = number;
      if (stream.kind() == StreamInfo.Kind.LEGACY_DEFAULT && legacyOf[number] < 0) {
        legacyOf[number] = s;
      }
    }
    return legacyOf;
  }

  private static int[][] followers(int[] contextOf, int[] legacyOf) {
    int[][] followers = new int[contextOf.length][];
    for (int s = 0; s < contextOf.length; s++) {
      if (contextOf[s] >= 0 && legacyOf[contextOf[s]] == s) {
        int context = contextOf[s];
        List<Integer> list = new ArrayList<>();
        for (int other = 0; other < contextOf.length; other++) {
          if (contextOf[other] == context && other != s) {
            list.add(other);
          }
        }
        followers[s] = list.stream().mapToInt(Integer::intValue).toArray();
      }
    }
    return followers;
  }

  // ---- the calls ----

  HappensBefore run() {
    for (int row = 0; row < call.size(); row++) {
      ApiKind kind = call.at(row).kind();
      if (!untold.isEmpty()) {
        tell(row);
      }
      switch (kind) {
        case STREAM_WAIT_EVENT -> addWait(graph.links().waitOf(row), row);
        case EVENT_RECORD -> {
          int record = graph.links().recordOf(row);
          enqueue(record < 0 ? NONE : graph.bindings().recordStream(record), row);
        }
        case STREAM_SYNC, EVENT_SYNC, DEVICE_SYNC -> addSync(row, kind);
        case EVENT_QUERY, STREAM_QUERY -> {
          if (call.result() == 0) {
            addSync(row, kind);
          }
        }
        case POOL_ALLOC -> addPool(row);
        case FREE -> {
          if (pool.holdsHost(call.process(), call.correlation())) {
            coverAll(row, true);
          }
        }
        default -> {
          if (kind.isLaunch() && graph.links().opOf(row) >= 0) {
            addLaunch(row, kind);
          }
        }
      }
    }
    return order;
  }

  private void enqueue(int stream, int row) {
    if (stream >= 0) {
      int process = manyThreads[call.process()] ? call.process() : NONE;
      order.enqueue(stream, call.thread(), process, moment(row));
    }
  }

  private void addWait(int wait, int row) {
    int stream = wait < 0 ? NONE : timeline.waits().at(wait).stream();
    if (stream < 0) {
      return;
    }
    enqueue(stream, row);
    int source = graph.bindings().source(wait);
    if (source < 0) {
      return;
    }
    int record = graph.bindings().record(wait);
    int recordCall = record < 0 ? row : graph.links().callOfRecord(record);
    order.edge(stream, moment(row), source, moment(recordCall < 0 ? row : recordCall));
  }

  private void addLaunch(int row, ApiKind kind) {
    int first = graph.links().opOf(row);
    int stream = op.at(first).stream();
    enqueue(stream, row);
    if (graph.collectives().isCollective(op)) {
      orderCollective(first, stream, row);
    }
    if (holdsHost(kind, op.at(first))) {
      learn(row, stream, moment(row) + 1);
      tellLater(row);
    }
  }

  /** A communicator runs its launches in issue order, and a group holds all streams it names. */
  private void orderCollective(int row, int stream, int launch) {
    int library = graph.collectives().callOf(row);
    if (library < 0) {
      return;
    }
    CollectiveView collective = timeline.collectives().at(library);
    long key = (long) collective.process() << 32 | collective.communicatorId();
    int[] last = lastCollective.put(key, new int[] {stream, launch});
    if (last != null && last[0] != stream) {
      order.edge(stream, moment(launch), last[0], moment(last[1]) + 1);
    }
    long group = op.at(row).correlation() << 16 ^ op.process();
    int[] named = groupStreams.isEmpty() ? null : groupStreams.get(group);
    if (named == null) {
      return;
    }
    int process = manyThreads[call.process()] ? call.process() : NONE;
    for (int other : named) {
      if (other != stream) {
        order.edge(stream, moment(launch), other, order.untilNow(other));
      }
    }
    for (int other : named) {
      if (other != stream) {
        order.enqueue(other, call.thread(), process, moment(launch) + 1);
        order.edge(other, moment(launch) + 1, stream, moment(launch) + 1);
      }
    }
  }

  /** Whether a copy's call spans its end; copies within a device never wait. */
  private boolean holdsHost(ApiKind kind, OpView copy) {
    boolean device = copy.srcMemory() == Op.MEMORY_DEVICE && copy.dstMemory() == Op.MEMORY_DEVICE;
    boolean mayHold =
        kind == ApiKind.COPY && !device
            || copy.kind() == Op.KIND_COPY && copy.dstMemory() == Op.MEMORY_PAGEABLE;
    return mayHold && call.end() + CLOCKS_NS >= copy.end();
  }

  private void addPool(int row) {
    int done = pool.at(call.process(), call.correlation());
    int stream = done < 0 ? NONE : pool.stream(done);
    if (stream < 0) {
      return;
    }
    enqueue(stream, row);
    pool.add(
        /* row= */ done,
        /* call= */ row,
        (freedOn, freedBy) -> order.edge(stream, moment(row), freedOn, moment(freedBy)));
  }

  // ---- what threads learn ----

  private void learn(int row, int stream, int upTo) {
    order.edge(order.thread(call.at(row).thread()), moment(row) + 1, stream, upTo);
  }

  private void addSync(int row, ApiKind kind) {
    if (kind == ApiKind.DEVICE_SYNC) {
      coverAll(row, false);
      return;
    }
    int syncRow = graph.syncTargets().syncOf(row);
    if (syncRow < 0) {
      return;
    }
    sync.at(syncRow);
    if (sync.kind() == Sync.KIND_STREAM && sync.stream() >= 0) {
      int stream = sync.stream();
      learn(row, stream, order.untilNow(stream));
      int[] followers = followersOf[stream];
      if (followers != null) {
        for (int follower : followers) {
          learn(row, follower, order.untilNow(follower));
        }
      }
      tellLater(row);
      return;
    }
    int record = graph.syncTargets().recordOf(syncRow);
    int stream = record < 0 ? NONE : graph.bindings().recordStream(record);
    if (stream >= 0) {
      int by = graph.links().callOfRecord(record);
      if (by >= 0) {
        learn(row, stream, moment(by));
        tellLater(row);
      }
    }
  }

  /**
   * A device sync, or a free that waits like one: device times refute a free of which they tell
   * that it did not.
   */
  private void coverAll(int row, boolean mayBeRefuted) {
    int process = call.process();
    long end = call.end();
    for (int stream : streamsOfProcess[process]) {
      int upTo = order.untilNow(stream);
      if (upTo != HappensBefore.NEVER && (!mayBeRefuted || endedBy(stream, row, end))) {
        learn(row, stream, upTo);
      }
    }
    tellLater(row);
  }

  private boolean endedBy(int stream, int row, long end) {
    int position = graph.ops().positionAt(stream, call.at(row).start());
    return position == 0 || op.at(graph.ops().op(stream, position - 1)).end() <= end + CLOCKS_NS;
  }

  private void tellLater(int row) {
    int process = call.at(row).process();
    if (manyThreads[process]) {
      untold.add(new Told(call.end(), process, call.thread(), moment(row) + 1));
    }
  }

  /** Syncs that returned before a call begins are known to their processes. */
  private void tell(int row) {
    long now = call.at(row).start();
    for (int i = untold.size() - 1; i >= 0; i--) {
      Told told = untold.get(i);
      if (told.endNs() <= now) {
        order.tellProcess(told.process(), moment(row) - 1, told.thread(), told.upTo());
        untold.remove(i);
      }
    }
  }
}
