package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All that was read of one or more traces, on one time axis: nanoseconds since the Unix epoch.
 * Calls, ops, records, waits and syncs are sorted by time, ranges by thread, start and length.
 * Immutable after it was built but for {@link #nameStream}; any number of threads may read.
 */
public final class Timeline {
  private final Strings strings;
  private final List<SourceInfo> sources;
  private final List<ProcessInfo> processes;
  private final List<ThreadInfo> threads;
  private final List<DeviceInfo> devices;
  private final List<StreamInfo> streams;
  private final List<SkippedRange> skipped;
  private final Map<RecordType, Table> tables;
  private final Joins joins;
  private final ApiKind[] apiKinds;
  private final long windowStart;
  private final long windowEnd;

  Timeline(
      Strings strings,
      List<SourceInfo> sources,
      List<ProcessInfo> processes,
      List<ThreadInfo> threads,
      List<DeviceInfo> devices,
      List<StreamInfo> streams,
      List<SkippedRange> skipped,
      Map<RecordType, Table> tables,
      Joins joins) {
    this.strings = strings;
    this.sources = List.copyOf(sources);
    this.processes = List.copyOf(processes);
    this.threads = List.copyOf(threads);
    this.devices = List.copyOf(devices);
    this.streams = streams;
    this.skipped = List.copyOf(skipped);
    this.tables = tables;
    this.joins = joins;
    this.apiKinds = new ApiKind[strings.size()];
    Table calls = table(RecordType.CALL);
    for (int i = 0; i < calls.size(); i++) {
      int name = (int) calls.get(i, RecordType.Call.NAME);
      if (apiKinds[name] == null) {
        apiKinds[name] = ApiKind.of(strings.get(name));
      }
    }
    Window whole = Window.around(tables);
    windowStart = whole.isEmpty() ? 0 : whole.startNs();
    windowEnd = whole.isEmpty() ? 0 : whole.endNs();
  }

  /** The strings that the columns refer to. */
  public Strings strings() {
    return strings;
  }

  /** The files, in the order in which they were read. */
  public List<SourceInfo> sources() {
    return sources;
  }

  public List<ProcessInfo> processes() {
    return processes;
  }

  public ProcessInfo process(int index) {
    return processes.get(index);
  }

  public List<ThreadInfo> threads() {
    return threads;
  }

  public ThreadInfo thread(int index) {
    return threads.get(index);
  }

  public List<DeviceInfo> devices() {
    return devices;
  }

  public List<StreamInfo> streams() {
    return java.util.Collections.unmodifiableList(streams);
  }

  public StreamInfo stream(int index) {
    return streams.get(index);
  }

  /** Gives a stream a name to show, before the analysis begins. */
  public void nameStream(int index, String name) {
    streams.set(index, streams.get(index).named(name));
  }

  /** Parts of the inputs that could not be read. */
  public List<SkippedRange> skipped() {
    return skipped;
  }

  /** The rows of a type. */
  public Table table(RecordType type) {
    return Objects.requireNonNull(tables.get(type));
  }

  /** The row of the call with a correlation id in a process, or -1. */
  public int callOf(int process, long correlation) {
    return joins.call(process, correlation);
  }

  /** What the call with this name does. */
  ApiKind apiKind(long name) {
    return apiKinds[(int) name];
  }

  public CallView calls() {
    return new CallView(this);
  }

  public OpView ops() {
    return new OpView(this);
  }

  public RecordView records() {
    return new RecordView(this);
  }

  public WaitView waits() {
    return new WaitView(this);
  }

  public SyncView syncs() {
    return new SyncView(this);
  }

  public RangeView ranges() {
    return new RangeView(this);
  }

  public CollectiveView collectives() {
    return new CollectiveView(this);
  }

  public AccessView accesses() {
    return new AccessView(this);
  }

  public AllocationView allocations() {
    return new AllocationView(this);
  }

  public GroupView groups() {
    return new GroupView(this);
  }

  /** Start of the first call, op or range; 0 if there is none. */
  public long windowStart() {
    return windowStart;
  }

  /** End of the last call, op or range; 0 if there is none. */
  public long windowEnd() {
    return windowEnd;
  }

  /** Whether nothing at all was read. */
  public boolean isEmpty() {
    return tables.values().stream().allMatch(table -> table.size() == 0);
  }
}
