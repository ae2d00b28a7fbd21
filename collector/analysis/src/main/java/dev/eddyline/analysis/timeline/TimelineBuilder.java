package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.Group;
import dev.eddyline.trace.RecordType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Takes what importers read and makes the {@link Timeline}: sorted, joined by correlation. Times
 * are nanoseconds since the Unix epoch. For one thread.
 */
public final class TimelineBuilder {
  private record StreamKey(int process, long context, long id, int generation) {}

  private record ThreadKey(int process, long tid) {}

  private final Strings strings = new Strings();
  private final List<SourceInfo> sources = new ArrayList<>();
  private final List<ProcessInfo> processes = new ArrayList<>();
  private final List<ThreadInfo> threads = new ArrayList<>();
  private final List<DeviceInfo> devices = new ArrayList<>();
  private final List<StreamInfo> streams = new ArrayList<>();
  private final List<SkippedRange> skipped = new ArrayList<>();
  private final Map<StreamKey, Integer> streamIds = new HashMap<>();
  private final Map<ThreadKey, Integer> threadIds = new HashMap<>();
  private final Map<RecordType, Table> tables = new EnumMap<>(RecordType.class);

  public TimelineBuilder() {
    for (RecordType type : RecordType.values()) {
      tables.put(type, new Table(type));
    }
  }

  /** The strings; importers put names here and store the ids. */
  public Strings strings() {
    return strings;
  }

  /** Adds a file; returns its index. */
  public int addSource(SourceInfo source) {
    sources.add(source);
    return sources.size() - 1;
  }

  /** Replaces what is known of a file, when its properties stand at its end. */
  public void setSource(int index, SourceInfo source) {
    sources.set(index, source);
  }

  /** Adds a process; returns its index. */
  public int addProcess(ProcessInfo process) {
    processes.add(process);
    return processes.size() - 1;
  }

  /** Replaces what is known of a process. */
  public void setProcess(int index, ProcessInfo process) {
    processes.set(index, process);
  }

  /** What is known of a process so far. */
  public ProcessInfo process(int index) {
    return processes.get(index);
  }

  /** The index of a thread, new if it was not there. */
  public int thread(int process, long tid) {
    return threadIds.computeIfAbsent(
        new ThreadKey(process, tid),
        key -> {
          threads.add(new ThreadInfo(process, tid, ""));
          return threads.size() - 1;
        });
  }

  /** Names a thread. */
  public void nameThread(int thread, String name) {
    ThreadInfo known = threads.get(thread);
    threads.set(thread, new ThreadInfo(known.process(), known.tid(), name));
  }

  /** Adds a device. */
  public void addDevice(DeviceInfo device) {
    devices.add(device);
  }

  /** The index of a stream, new and without a name if it was not there. */
  public int stream(int process, int device, long context, long id, int generation) {
    return streamIds.computeIfAbsent(
        // Without contexts (HIP) the same id on another device is another stream.
        new StreamKey(process, context > 0 ? context : ~(long) device, id, generation),
        key -> {
          streams.add(
              new StreamInfo(
                  process, device, context, id, generation, StreamInfo.Kind.UNKNOWN, ""));
          return streams.size() - 1;
        });
  }

  /** Replaces what is known of a stream; process, context, id and generation must not change. */
  public void setStream(int index, StreamInfo stream) {
    streams.set(index, stream);
  }

  /** What is known of a stream so far. */
  public StreamInfo stream(int index) {
    return streams.get(index);
  }

  /** How many streams there are so far. */
  public int streamCount() {
    return streams.size();
  }

  /** Notes a part of an input that was left out. */
  public void addSkipped(SkippedRange range) {
    skipped.add(range);
  }

  /**
   * Adds a record.
   *
   * @param type what the row is
   * @param row its values, in the order of the constants in {@link RecordType}; copied
   * @return its row number until {@link #build()}
   */
  public int add(RecordType type, long[] row) {
    return table(type).add(row);
  }

  /**
   * Adds many records at once.
   *
   * @param type what the rows are
   * @param columns one array per column of the type, each with at least {@code rows} values; copied
   */
  public void addAll(RecordType type, long[][] columns, int rows) {
    table(type).addAll(columns, rows);
  }

  /** How many rows a table has so far. */
  public int size(RecordType type) {
    return table(type).size();
  }

  /** The rows of a type so far, to read; they keep their numbers until {@link #build()}. */
  public Table rows(RecordType type) {
    return table(type);
  }

  /**
   * Changes the values of a column from a row on, where an importer learns at the end of a file
   * what they mean, as the origin of its times.
   */
  public void rewrite(RecordType type, int column, int fromRow, LongUnaryOperator change) {
    table(type).rewrite(column, fromRow, change);
  }

  /** Sorts and joins. The builder must not be used afterwards. */
  public Timeline build() {
    addRowsForCallsAlone(
        RecordType.RECORD, ApiKind.EVENT_RECORD, RecordType.EventRecord.CORRELATION);
    addRowsForCallsAlone(RecordType.WAIT, ApiKind.STREAM_WAIT_EVENT, RecordType.Wait.CORRELATION);
    sort(RecordType.CALL, RecordType.Call.START);
    sort(RecordType.OP, RecordType.Op.START);
    sort(RecordType.SYNC, RecordType.Sync.START);
    sort(RecordType.COLLECTIVE, RecordType.Collective.START);
    sort(RecordType.ROLE, RecordType.Role.START);
    sort(RecordType.ACCESS, RecordType.Access.START);
    sort(RecordType.ALLOCATION, RecordType.Allocation.START);
    sort(RecordType.GROUP, Group.START);
    sortRanges();
    Joins joins = new Joins(this::table, threads);
    sortByCall(
        RecordType.RECORD,
        RecordType.EventRecord.PROCESS,
        RecordType.EventRecord.CORRELATION,
        joins);
    sortByCall(RecordType.WAIT, RecordType.Wait.PROCESS, RecordType.Wait.CORRELATION, joins);
    return new Timeline(
        strings, sources, processes, threads, devices, streams, skipped, tables, joins);
  }

  private Table table(RecordType type) {
    return java.util.Objects.requireNonNull(tables.get(type));
  }

  /** A record or wait call of which the source wrote no row still is one: of unknown stream. */
  private void addRowsForCallsAlone(RecordType type, ApiKind kind, int correlationColumn) {
    Table calls = table(RecordType.CALL);
    Table rows = table(type);
    ApiKind[] kinds = new ApiKind[strings.size()];
    CorrelationIndex seen = new CorrelationIndex(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      seen.put((int) rows.get(i, 0), rows.get(i, correlationColumn), i);
    }
    long[] row = new long[type.width()];
    for (int i = 0; i < calls.size(); i++) {
      int name = (int) calls.get(i, RecordType.Call.NAME);
      if (kinds[name] == null) {
        kinds[name] = ApiKind.of(strings.get(name));
      }
      if (kinds[name] != kind) {
        continue;
      }
      int process = threads.get((int) calls.get(i, RecordType.Call.THREAD)).process();
      long correlation = calls.get(i, RecordType.Call.CORRELATION);
      if (seen.find(process, correlation) < 0) {
        java.util.Arrays.fill(row, RecordType.NONE);
        row[0] = process;
        row[correlationColumn] = correlation;
        if (type == RecordType.WAIT) {
          row[RecordType.Wait.FLAGS] = 0;
        }
        rows.add(row);
      }
    }
  }

  private void sort(RecordType type, int column) {
    LongColumn keys = table(type).column(column);
    reorder(type, Order.by(keys.size(), keys::get));
  }

  private void sortByCall(RecordType type, int processColumn, int correlation, Joins joins) {
    Table rows = table(type);
    LongColumn starts = table(RecordType.CALL).column(RecordType.Call.START);
    reorder(
        type,
        Order.by(
            rows.size(),
            i -> {
              int call = joins.call((int) rows.get(i, processColumn), rows.get(i, correlation));
              return call < 0 ? Long.MAX_VALUE >> 1 : starts.get(call);
            }));
  }

  /** By thread, then start, then the longer one first: an enclosing range before what it holds. */
  private void sortRanges() {
    Table ranges = table(RecordType.RANGE);
    LongColumn threadColumn = ranges.column(RecordType.Range.THREAD);
    LongColumn starts = ranges.column(RecordType.Range.START);
    LongColumn durations = ranges.column(RecordType.Range.DURATION);
    reorder(
        RecordType.RANGE,
        Order.by(
            ranges.size(), threadColumn::get, starts::get, i -> Long.MAX_VALUE - durations.get(i)));
  }

  private void reorder(RecordType type, int @org.jspecify.annotations.Nullable [] order) {
    if (order != null) {
      tables.put(type, table(type).permuted(order));
    }
  }
}
