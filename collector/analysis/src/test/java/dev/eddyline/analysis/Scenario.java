package dev.eddyline.analysis;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.Group;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Call;
import dev.eddyline.trace.RecordType.Collective;
import dev.eddyline.trace.RecordType.EventRecord;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Range;
import dev.eddyline.trace.RecordType.Role;
import dev.eddyline.trace.RecordType.Sync;
import dev.eddyline.trace.RecordType.Wait;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A small hand-made trace: one process, one device, times in microseconds. Each call that makes
 * something returns its correlation id.
 */
public final class Scenario {
  private static final long NS = 1000;
  private final TimelineBuilder builder = new TimelineBuilder();
  private final int process;
  private final Map<String, Integer> streams = new HashMap<>();
  private long nextCorrelation = 1;
  private long nextSyncId = 1;
  private final Map<String, Long> syncIds = new HashMap<>();
  private int thread;
  private long nextSequence;
  private int nextBlocks = 64;
  private long nextResult = RecordType.NONE;

  public Scenario() {
    this(4);
  }

  public Scenario(int multiprocessors) {
    int source = builder.addSource(new SourceInfo("scenario", "hand-made", Map.of()));
    process = builder.addProcess(new ProcessInfo(source, 1, 0, 1, ""));
    builder.addDevice(new DeviceInfo(process, 0, "GPU", multiprocessors));
    thread = builder.thread(process, 1);
  }

  public Scenario onThread(long tid) {
    thread = builder.thread(process, tid);
    return this;
  }

  public int stream(String name) {
    return streams.computeIfAbsent(
        name,
        key -> {
          int index = builder.stream(process, 0, 1, streams.size() + 1, 0);
          builder.setStream(index, builder.stream(index).named(name));
          return index;
        });
  }

  public Scenario kind(String name, StreamInfo.Kind kind) {
    int index = stream(name);
    StreamInfo old = builder.stream(index);
    builder.setStream(
        index, new StreamInfo(old.process(), 0, old.context(), old.id(), 0, kind, old.name()));
    return this;
  }

  public Scenario context(String name, long context) {
    int index = builder.stream(process, 0, context, 1000 + context, 0);
    builder.setStream(index, builder.stream(index).named(name));
    streams.put(name, index);
    return this;
  }

  public long call(String api, double at, double duration) {
    long correlation = nextCorrelation++;
    long[] row = row(RecordType.CALL);
    row[Call.START] = ns(at);
    row[Call.DURATION] = ns(duration);
    row[Call.THREAD] = thread;
    row[Call.NAME] = builder.strings().intern(api);
    row[Call.CORRELATION] = correlation;
    row[Call.RESULT] = nextResult;
    nextResult = nextResult < 0 ? nextResult : 0;
    builder.add(RecordType.CALL, row);
    return correlation;
  }

  public long kernel(String name, String stream, double launched, double start, double end) {
    return op(name, stream, Op.KIND_KERNEL, "cudaLaunchKernel", launched, 1, start, end, -1, -1);
  }

  public long copy(
      String api,
      String stream,
      int source,
      int target,
      double called,
      double duration,
      double start,
      double end) {
    return op("Memcpy", stream, Op.KIND_COPY, api, called, duration, start, end, source, target);
  }

  private long op(
      String name,
      String stream,
      int kind,
      String api,
      double called,
      double duration,
      double start,
      double end,
      int source,
      int target) {
    long correlation = call(api, called, duration);
    long[] row = row(RecordType.OP);
    row[Op.START] = ns(start);
    row[Op.DURATION] = ns(end) - ns(start);
    row[Op.STREAM] = stream(stream);
    row[Op.NAME] = builder.strings().intern(name);
    row[Op.KIND] = kind;
    row[Op.CORRELATION] = correlation;
    row[Op.BYTES] = kind == Op.KIND_COPY ? 4096 : RecordType.NONE;
    row[Op.SRC_MEMORY] = source;
    row[Op.DST_MEMORY] = target;
    row[Op.BLOCKS] = kind == Op.KIND_KERNEL ? nextBlocks : RecordType.NONE;
    row[Op.BLOCK_THREADS] = kind == Op.KIND_KERNEL ? 256 : RecordType.NONE;
    builder.add(RecordType.OP, row);
    return correlation;
  }

  public long record(String event, String stream, double at) {
    return record(event, stream, at, RecordType.NONE);
  }

  public long record(String event, String stream, double at, long eventId) {
    long correlation = call("cudaEventRecord", at, 0.5);
    long id = nextSyncId++;
    syncIds.put(event, id);
    long[] row = row(RecordType.RECORD);
    row[EventRecord.PROCESS] = process;
    row[EventRecord.CORRELATION] = correlation;
    row[EventRecord.STREAM] = stream(stream);
    row[EventRecord.EVENT] = eventId;
    row[EventRecord.SYNC_ID] = id;
    builder.add(RecordType.RECORD, row);
    return correlation;
  }

  public long await(String stream, String event, double at) {
    Long id = syncIds.get(event);
    long flags = id == null ? Wait.FLAG_EMPTY : 0;
    return waitRow(stream, at, RecordType.NONE, id == null ? RecordType.NONE : id, flags);
  }

  public long awaitUnknown(String stream, double at) {
    return waitRow(stream, at, RecordType.NONE, RecordType.NONE, 0);
  }

  public long awaitEventId(String stream, long event, double at) {
    return waitRow(stream, at, event, RecordType.NONE, 0);
  }

  private long waitRow(String stream, double at, long event, long syncId, long flags) {
    long correlation = call("cudaStreamWaitEvent", at, 0.5);
    long[] row = row(RecordType.WAIT);
    row[Wait.PROCESS] = process;
    row[Wait.CORRELATION] = correlation;
    row[Wait.STREAM] = stream(stream);
    row[Wait.EVENT] = event;
    row[Wait.SYNC_ID] = syncId;
    row[Wait.FLAGS] = flags;
    builder.add(RecordType.WAIT, row);
    return correlation;
  }

  public long synchronize(String stream, double at, double until) {
    long correlation = call("cudaStreamSynchronize", at, until - at);
    syncRow(correlation, Sync.KIND_STREAM, stream(stream), RecordType.NONE, at, until);
    return correlation;
  }

  public long synchronizeEvent(String event, double at, double until) {
    long correlation = call("cudaEventSynchronize", at, until - at);
    syncRow(correlation, Sync.KIND_EVENT, RecordType.NONE, syncIds.get(event), at, until);
    return correlation;
  }

  public long query(String event, double at) {
    long correlation = call("cudaEventQuery", at, 0.5);
    long[] row = row(RecordType.SYNC);
    row[Sync.PROCESS] = process;
    row[Sync.CORRELATION] = correlation;
    row[Sync.KIND] = Sync.KIND_EVENT;
    row[Sync.EVENT] = event.hashCode() & 0xFFFF;
    row[Sync.SYNC_ID] = syncIds.get(event);
    row[Sync.START] = ns(at);
    row[Sync.DURATION] = 500;
    builder.add(RecordType.SYNC, row);
    return correlation;
  }

  private void syncRow(
      long correlation, int kind, long stream, long syncId, double at, double until) {
    long[] row = row(RecordType.SYNC);
    row[Sync.PROCESS] = process;
    row[Sync.CORRELATION] = correlation;
    row[Sync.KIND] = kind;
    row[Sync.STREAM] = stream;
    row[Sync.SYNC_ID] = syncId;
    row[Sync.START] = ns(at);
    row[Sync.DURATION] = ns(until) - ns(at);
    builder.add(RecordType.SYNC, row);
  }

  public Scenario range(int kind, String name, double from, double to) {
    long[] row = row(RecordType.RANGE);
    row[Range.START] = ns(from);
    row[Range.DURATION] = ns(to) - ns(from);
    row[Range.THREAD] = thread;
    row[Range.KIND] = kind;
    row[Range.NAME] = builder.strings().intern(name);
    builder.add(RecordType.RANGE, row);
    return this;
  }

  public Scenario collective(String kind, String communicator, double from, double to) {
    long[] row = row(RecordType.COLLECTIVE);
    row[Collective.START] = ns(from);
    row[Collective.DURATION] = ns(to) - ns(from);
    row[Collective.THREAD] = thread;
    row[Collective.KIND] = builder.strings().intern(kind);
    row[Collective.COMMUNICATOR] = builder.strings().intern(communicator);
    builder.add(RecordType.COLLECTIVE, row);
    return this;
  }

  public Scenario collectiveOf(
      String kind, String communicator, String stream, double from, double to, long launch) {
    return collectiveOf(kind, communicator, stream, from, to, launch, RecordType.NONE);
  }

  public Scenario collectiveOf(
      String kind,
      String communicator,
      String stream,
      double from,
      double to,
      long launch,
      long workEvent) {
    long[] row = row(RecordType.COLLECTIVE);
    row[Collective.START] = ns(from);
    row[Collective.DURATION] = ns(to) - ns(from);
    row[Collective.THREAD] = thread;
    row[Collective.KIND] = builder.strings().intern(kind);
    row[Collective.COMMUNICATOR] = builder.strings().intern(communicator);
    row[Collective.SEQUENCE] = nextSequence++;
    row[Collective.STREAM] = stream(stream);
    row[Collective.CORRELATION] = launch;
    row[Collective.WORK_EVENT] = workEvent;
    builder.add(RecordType.COLLECTIVE, row);
    return this;
  }

  public Scenario group(int depth, int calls, double from, double to) {
    long[] row = row(RecordType.GROUP);
    row[Group.START] = ns(from);
    row[Group.DURATION] = ns(to) - ns(from);
    row[Group.THREAD] = thread;
    row[Group.DEPTH] = depth;
    row[Group.CALLS] = calls;
    builder.add(RecordType.GROUP, row);
    return this;
  }

  public Scenario onDevice(String stream, int device) {
    int index = builder.stream(process, device, 10 + device, 100 + streams.size(), 0);
    builder.setStream(index, builder.stream(index).named(stream));
    streams.put(stream, index);
    return this;
  }

  public Scenario blocks(int count) {
    nextBlocks = count;
    return this;
  }

  public Scenario result(int code) {
    nextResult = code;
    return this;
  }

  public Scenario role(String stream, String role, double from) {
    long[] row = row(RecordType.ROLE);
    row[Role.START] = ns(from);
    row[Role.STREAM] = stream(stream);
    row[Role.ROLE] = builder.strings().intern(role);
    builder.add(RecordType.ROLE, row);
    return this;
  }

  public TimelineBuilder builder() {
    return builder;
  }

  public int process() {
    return process;
  }

  public Timeline timeline() {
    return builder.build();
  }

  public StreamGraph graph() {
    return StreamGraph.of(timeline());
  }

  public static long ns(double us) {
    return Math.round(us * NS);
  }

  private static long[] row(RecordType type) {
    long[] row = new long[type.width()];
    Arrays.fill(row, RecordType.NONE);
    return row;
  }
}
