package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Call;
import dev.eddyline.trace.RecordType.Collective;
import dev.eddyline.trace.RecordType.EventRecord;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Range;
import dev.eddyline.trace.RecordType.Sync;
import dev.eddyline.trace.RecordType.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/** Makes the timeline's rows of the events of one file. */
final class KinetoRows {
  private static final String COLLECTIVE_OPERATOR = "record_param_comms";

  private final TimelineBuilder target;
  private final KinetoIds ids;
  private final Communicators communicators;
  private final OpSet ops;
  private final Map<RecordType, long[]> rows = new EnumMap<>(RecordType.class);
  private final Map<RecordType, Integer> firstRow = new EnumMap<>(RecordType.class);
  private final IdTable memories = new IdTable();
  private final List<long[]> collectivesOfKernels = new ArrayList<>();
  private boolean hasCollectiveOperators;
  private long base;
  private long recordedNs;

  KinetoRows(TimelineBuilder target, KinetoIds ids, Communicators communicators) {
    this.target = target;
    this.ids = ids;
    this.communicators = communicators;
    this.ops = new OpSet(target.rows(RecordType.OP));
    for (RecordType type : RecordType.values()) {
      rows.put(type, new long[type.width()]);
      firstRow.put(type, target.size(type));
    }
  }

  /** The time that the following events count from, in nanoseconds since the Unix epoch. */
  void setBase(long nanos) {
    base = nanos;
  }

  /** How long the profiler recorded, 0 if the file does not say. */
  long recordedNs() {
    return recordedNs;
  }

  private int firstRow(RecordType type) {
    return Objects.requireNonNull(firstRow.get(type));
  }

  private long[] row(RecordType type) {
    long[] row = Objects.requireNonNull(rows.get(type));
    Arrays.fill(row, RecordType.NONE);
    return row;
  }

  /** Adds what an event says. */
  void add(KinetoEvent event) throws TraceReadException {
    if (event.phase == 'M') {
      addName(event);
      return;
    }
    switch (event.category) {
      case KERNEL, COPY, FILL -> addOp(event);
      case CALL -> addCall(event);
      case OPERATOR -> {
        addRange(event, Range.KIND_OPERATOR);
        if (event.collective >= 0 && target.strings().get(event.name).equals(COLLECTIVE_OPERATOR)) {
          hasCollectiveOperators = true;
          collectivesOfKernels.clear();
          target.add(RecordType.COLLECTIVE, collective(event));
        }
      }
      case ANNOTATION -> addRange(event, Range.KIND_ANNOTATION);
      case PYTHON -> addRange(event, Range.KIND_PYTHON);
      case SYNC -> addSync(event);
      case EVENT_RECORD -> addRecord(event);
      case RECORDING -> recordedNs = event.duration;
      case OTHER -> {}
    }
  }

  private void addName(KinetoEvent event) {
    if (event.label >= 0 && target.strings().get(event.name).equals("thread_name")) {
      ids.nameThread(event.pid, event.tid, event.label);
    }
  }

  private int stream(KinetoEvent event, long id) throws TraceReadException {
    long device = event.device >= 0 ? event.device : event.pid;
    return id < 0 ? -1 : ids.stream(device, event.context, id);
  }

  private void addOp(KinetoEvent event) throws TraceReadException {
    long[] row = row(RecordType.OP);
    long stream = event.stream >= 0 ? event.stream : Math.max(0, event.tid);
    row[Op.START] = base + event.start;
    row[Op.DURATION] = event.duration;
    row[Op.STREAM] = stream(event, stream);
    row[Op.NAME] = Math.max(0, event.name);
    row[Op.KIND] =
        switch (event.category) {
          case COPY -> Op.KIND_COPY;
          case FILL -> Op.KIND_FILL;
          default -> Op.KIND_KERNEL;
        };
    row[Op.CORRELATION] = event.correlation;
    row[Op.BYTES] = event.bytes;
    if (event.category != Category.KERNEL) {
      int places = memories(event.name);
      row[Op.SRC_MEMORY] = MemoryNames.source(places);
      row[Op.DST_MEMORY] = MemoryNames.destination(places);
    }
    boolean ofGraph = event.graphNode > 0 || event.graph > 0;
    row[Op.GRAPH] = ofGraph ? event.graph : RecordType.NONE;
    row[Op.GRAPH_NODE] = ofGraph ? event.graphNode : RecordType.NONE;
    row[Op.BLOCKS] = event.blocks;
    row[Op.BLOCK_THREADS] = event.blockThreads;
    if (ops.add(row)) {
      target.add(RecordType.OP, row);
      if (event.collective >= 0 && !hasCollectiveOperators) {
        long[] collective = collective(event).clone();
        collective[Collective.CORRELATION] = event.correlation;
        collective[Collective.STREAM] = row[Op.STREAM];
        collectivesOfKernels.add(collective);
      }
    }
  }

  private int memories(int name) {
    int known = memories.get(name, 0);
    if (known == IdTable.ABSENT) {
      known = MemoryNames.of(target.strings().get(name));
      memories.put(name, 0, known);
    }
    return known;
  }

  private void addCall(KinetoEvent event) throws TraceReadException {
    long[] row = row(RecordType.CALL);
    row[Call.START] = base + event.start;
    row[Call.DURATION] = event.duration;
    row[Call.THREAD] = ids.thread(event.pid, event.tid);
    row[Call.NAME] = Math.max(0, event.name);
    row[Call.CORRELATION] = event.correlation;
    target.add(RecordType.CALL, row);
  }

  private void addRange(KinetoEvent event, int kind) throws TraceReadException {
    long[] row = row(RecordType.RANGE);
    row[Range.START] = base + event.start;
    row[Range.DURATION] = event.duration;
    row[Range.THREAD] = ids.thread(event.pid, event.tid);
    row[Range.KIND] = kind;
    row[Range.NAME] = Math.max(0, event.name);
    row[Range.SHAPE] = event.shape;
    row[Range.DTYPE] = event.inputType;
    target.add(RecordType.RANGE, row);
  }

  private long[] collective(KinetoEvent event) throws TraceReadException {
    long[] row = row(RecordType.COLLECTIVE);
    row[Collective.START] = base + event.start;
    row[Collective.DURATION] = event.duration;
    row[Collective.THREAD] = event.category.isOp() ? -1 : ids.thread(event.pid, event.tid);
    row[Collective.KIND] = event.collective;
    row[Collective.COMMUNICATOR] =
        communicators.number(event.groupDescription, event.groupName, event.groupSize);
    row[Collective.SEQUENCE] = event.sequence;
    row[Collective.DTYPE] = event.dtype;
    row[Collective.COUNT_IN] = event.countIn;
    row[Collective.COUNT_OUT] = event.countOut;
    row[Collective.GROUP_SIZE] = event.groupSize;
    row[Collective.SHAPE] = event.shape;
    return row;
  }

  private void addSync(KinetoEvent event) throws TraceReadException {
    String name = target.strings().get(event.syncKind >= 0 ? event.syncKind : event.name);
    if (name.equals("Stream Wait Event")) {
      addWait(event);
      return;
    }
    long[] row = row(RecordType.SYNC);
    row[Sync.PROCESS] = ids.mainProcess();
    row[Sync.CORRELATION] = event.correlation;
    row[Sync.KIND] =
        switch (name) {
          case "Event Sync" -> Sync.KIND_EVENT;
          case "Stream Sync" -> Sync.KIND_STREAM;
          case "Context Sync" -> Sync.KIND_DEVICE;
          default -> Sync.KIND_UNKNOWN;
        };
    boolean stale = isStale(event);
    row[Sync.STREAM] = stream(event, event.stream >= 0 || stale ? event.stream : event.waitStream);
    row[Sync.EVENT] = event.event;
    row[Sync.RECORD_CORRELATION] = stale ? RecordType.NONE : event.waitRecord;
    row[Sync.START] = base + event.start;
    row[Sync.DURATION] = event.duration;
    target.add(RecordType.SYNC, row);
  }

  private void addWait(KinetoEvent event) throws TraceReadException {
    long[] row = row(RecordType.WAIT);
    boolean stale = isStale(event);
    row[Wait.PROCESS] = ids.mainProcess();
    row[Wait.CORRELATION] = event.correlation;
    row[Wait.STREAM] = stream(event, event.stream);
    row[Wait.EVENT] = event.event;
    row[Wait.RECORD_CORRELATION] = stale ? RecordType.NONE : event.waitRecord;
    row[Wait.SOURCE_STREAM] = stale ? RecordType.NONE : stream(event, event.waitStream);
    row[Wait.FLAGS] = 0;
    target.add(RecordType.WAIT, row);
  }

  /** Kineto may name a record that was made after the wait (kineto issue 1339): not its record. */
  private static boolean isStale(KinetoEvent event) {
    return event.correlation >= 0 && event.waitRecord > event.correlation;
  }

  private void addRecord(KinetoEvent event) throws TraceReadException {
    long[] row = row(RecordType.RECORD);
    row[EventRecord.PROCESS] = ids.mainProcess();
    row[EventRecord.CORRELATION] = event.correlation;
    row[EventRecord.STREAM] = stream(event, event.stream);
    row[EventRecord.EVENT] = event.event;
    row[EventRecord.DEVICE_TIME] = event.start > 0 ? base + event.start : RecordType.NONE;
    target.add(RecordType.RECORD, row);
  }

  /** Moves all times of this file's rows, where the file gave their origin after them. */
  void shift(long nanos) {
    LongUnaryOperator later = time -> time + nanos;
    rewrite(RecordType.CALL, Call.START, later);
    rewrite(RecordType.OP, Op.START, later);
    rewrite(RecordType.SYNC, Sync.START, later);
    rewrite(RecordType.RANGE, Range.START, later);
    rewrite(RecordType.COLLECTIVE, Collective.START, later);
    rewrite(
        RecordType.RECORD,
        EventRecord.DEVICE_TIME,
        time -> time == RecordType.NONE ? time : time + nanos);
    for (long[] collective : collectivesOfKernels) {
      collective[Collective.START] += nanos;
    }
  }

  private void rewrite(RecordType type, int column, LongUnaryOperator change) {
    target.rewrite(type, column, firstRow(type), change);
  }

  /**
   * Ends the file: collectives that only kernels tell of get the call that launched them, and all
   * collectives the names of their communicators.
   */
  void finish(LongUnaryOperator communicatorNames) throws TraceReadException {
    if (!collectivesOfKernels.isEmpty()) {
      addCollectivesOfKernels();
    }
    rewrite(RecordType.COLLECTIVE, Collective.COMMUNICATOR, communicatorNames);
  }

  private void addCollectivesOfKernels() throws TraceReadException {
    Map<Long, Integer> calls = new HashMap<>();
    for (long[] collective : collectivesOfKernels) {
      calls.put(collective[Collective.CORRELATION], -1);
    }
    Table all = target.rows(RecordType.CALL);
    for (int i = firstRow(RecordType.CALL); i < all.size(); i++) {
      calls.replace(all.get(i, Call.CORRELATION), i);
    }
    for (long[] collective : collectivesOfKernels) {
      long correlation = collective[Collective.CORRELATION];
      int call = correlation < 0 ? -1 : calls.getOrDefault(correlation, -1);
      if (call >= 0) {
        collective[Collective.START] = all.get(call, Call.START);
        collective[Collective.DURATION] = all.get(call, Call.DURATION);
        collective[Collective.THREAD] = all.get(call, Call.THREAD);
      } else {
        collective[Collective.THREAD] = ids.someThread();
      }
      target.add(RecordType.COLLECTIVE, collective);
    }
  }
}
