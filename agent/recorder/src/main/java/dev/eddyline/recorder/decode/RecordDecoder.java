package dev.eddyline.recorder.decode;

import dev.eddyline.recorder.rows.ClockMap;
import dev.eddyline.recorder.rows.Names;
import dev.eddyline.recorder.rows.StreamTable;
import dev.eddyline.recorder.rows.ThreadTable;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.trace.Overhead;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Allocation;
import dev.eddyline.trace.RecordType.Call;
import dev.eddyline.trace.RecordType.EventRecord;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Sync;
import dev.eddyline.trace.RecordType.Wait;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * Makes rows of the records of an activity buffer. Nothing is allocated per record. For the thread
 * that drains.
 */
public final class RecordDecoder {
  private static final int SYNC_EVENT = 1;
  private static final int SYNC_STREAM_WAIT = 2;
  private static final int SYNC_STREAM = 3;
  private static final int SYNC_CONTEXT = 4;
  private static final int MEMORY_ALLOCATED = 1;
  private static final int MEMORY_FREED = 2;
  private static final int OBJECT_THREAD = 2;
  private static final long NO_SYNC_ID = 0xFFFFFFFFL;

  /** Takes what is no row by itself. */
  public interface Listener {
    /** An external id was on the thread that made a call. */
    void external(long externalId, int correlation);

    /** The program called an API. */
    void called(int correlation, long start);

    /** A kernel ran. */
    void kernel(int correlation, int stream, int name, int shimName);

    /** An event was recorded. */
    void event(int correlation, int event);

    /** A copy ran; memories are {@code Op.MEMORY_} values. */
    void copy(int correlation, int stream, long bytes, long from, long to);

    /** A fill ran. */
    void fill(int correlation, int stream, long bytes, long memory);
  }

  private final Layout layout;
  private final TraceRows rows;
  private final ThreadTable threads;
  private final StreamTable streams;
  private final Names names;
  private final ClockMap clock;
  private final Captures captures;
  private final OwnCalls own;
  private final MemoryBlocks blocks;
  private final Listener listener;
  private final boolean late;
  private final long[] call = TraceRows.row(RecordType.CALL);
  private final long[] op = TraceRows.row(RecordType.OP);
  private final long[] record = TraceRows.row(RecordType.RECORD);
  private final long[] wait = TraceRows.row(RecordType.WAIT);
  private final long[] sync = TraceRows.row(RecordType.SYNC);
  private final long[] allocation = TraceRows.row(RecordType.ALLOCATION);
  private final long[] overhead = TraceRows.row(RecordType.OVERHEAD);
  private long unknownKinds;

  /**
   * @param late whether CUDA ran before the recording began: then an event may have been recorded
   *     before
   */
  public RecordDecoder(
      Layout layout,
      TraceRows rows,
      ThreadTable threads,
      StreamTable streams,
      Names names,
      ClockMap clock,
      Captures captures,
      OwnCalls own,
      MemoryBlocks blocks,
      Listener listener,
      boolean late) {
    this.layout = layout;
    this.rows = rows;
    this.threads = threads;
    this.streams = streams;
    this.names = names;
    this.clock = clock;
    this.captures = captures;
    this.own = own;
    this.blocks = blocks;
    this.listener = listener;
    this.late = late;
  }

  /**
   * Decodes one buffer.
   *
   * @param records holds it, in native order
   * @param base where it begins
   * @param offsets of its records, from {@code base}
   * @param first index of the first offset
   * @param count how many records
   */
  public void decode(ByteBuffer records, int base, IntBuffer offsets, int first, int count) {
    if (records.order() != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException("byte order");
    }
    for (int i = first; i < first + count; i++) {
      decode(records, base + offsets.get(i));
    }
  }

  private void decode(ByteBuffer b, int at) {
    switch (b.getInt(at + Layout.KIND)) {
      case Kind.CONCURRENT_KERNEL, Kind.KERNEL -> kernel(b, at);
      case Kind.RUNTIME -> call(b, at, Shim.DOMAIN_RUNTIME);
      case Kind.DRIVER -> call(b, at, Shim.DOMAIN_DRIVER);
      case Kind.SYNCHRONIZATION -> synchronization(b, at);
      case Kind.CUDA_EVENT -> event(b, at);
      case Kind.MEMCPY -> copy(b, at, false);
      case Kind.MEMCPY2 -> copy(b, at, true);
      case Kind.MEMSET -> fill(b, at);
      case Kind.STREAM -> stream(b, at);
      case Kind.CONTEXT -> context(b, at);
      case Kind.DEVICE -> device(b, at);
      case Kind.EXTERNAL_CORRELATION ->
          listener.external(
              b.getLong(at + Layout.EXTERNAL_ID), b.getInt(at + Layout.EXTERNAL_CORRELATION));
      case Kind.MEMORY2 -> memory(b, at);
      case Kind.OVERHEAD -> overhead(b, at);
      default -> unknownKinds++;
    }
  }

  /** Records of kinds that nobody asked for. */
  public long unknownKinds() {
    return unknownKinds;
  }

  private static long unsigned(ByteBuffer b, int at) {
    return b.getInt(at) & 0xFFFFFFFFL;
  }

  private static long orNone(long zeroIsNone) {
    return zeroIsNone == 0 ? RecordType.NONE : zeroIsNone;
  }

  private void times(ByteBuffer b, int startAt, int endAt) {
    long start = b.getLong(startAt);
    long end = b.getLong(endAt);
    boolean known = start != 0 && end != 0;
    op[Op.START] = known ? clock.monotonic(start) : RecordType.NONE;
    op[Op.DURATION] = known ? end - start : RecordType.NONE;
  }

  private void kernel(ByteBuffer b, int at) {
    times(b, at + Layout.KERNEL_START, at + Layout.KERNEL_END);
    int stream =
        streams.id(
            b.getInt(at + Layout.KERNEL_CONTEXT),
            b.getInt(at + Layout.KERNEL_STREAM),
            b.getInt(at + Layout.KERNEL_DEVICE));
    int shimName = (int) b.getLong(at + Layout.KERNEL_NAME);
    int name = names.kernel(shimName);
    int correlation = b.getInt(at + Layout.KERNEL_CORRELATION);
    op[Op.STREAM] = stream;
    op[Op.NAME] = name;
    op[Op.KIND] = Op.KIND_KERNEL;
    op[Op.CORRELATION] = correlation & 0xFFFFFFFFL;
    op[Op.BYTES] = RecordType.NONE;
    op[Op.SRC_MEMORY] = RecordType.NONE;
    op[Op.DST_MEMORY] = RecordType.NONE;
    op[Op.GRAPH] = orNone(unsigned(b, at + Layout.KERNEL_GRAPH));
    op[Op.GRAPH_NODE] = orNone(b.getLong(at + Layout.KERNEL_GRAPH_NODE));
    op[Op.BLOCKS] = volume(b, at + Layout.KERNEL_GRID);
    op[Op.BLOCK_THREADS] = volume(b, at + Layout.KERNEL_BLOCK);
    rows.append(RecordType.OP, op);
    listener.kernel(correlation, stream, name, shimName);
  }

  private static long volume(ByteBuffer b, int at) {
    return (long) b.getInt(at) * b.getInt(at + 4) * b.getInt(at + 8);
  }

  private void copy(ByteBuffer b, int at, boolean peer) {
    times(b, at + Layout.COPY_START, at + Layout.COPY_END);
    int from = b.get(at + Layout.COPY_FROM);
    int to = b.get(at + Layout.COPY_TO);
    place(b, at);
    op[Op.NAME] = names.copy(b.get(at + Layout.COPY_KIND), from, to);
    op[Op.KIND] = Op.KIND_COPY;
    op[Op.CORRELATION] =
        unsigned(b, at + (peer ? Layout.PEER_CORRELATION : Layout.COPY_CORRELATION));
    op[Op.SRC_MEMORY] = memory(from);
    op[Op.DST_MEMORY] = memory(to);
    listener.copy(
        (int) op[Op.CORRELATION],
        (int) op[Op.STREAM],
        op[Op.BYTES],
        op[Op.SRC_MEMORY],
        op[Op.DST_MEMORY]);
    op[Op.GRAPH] = orNone(unsigned(b, at + (peer ? Layout.PEER_GRAPH : Layout.COPY_GRAPH)));
    op[Op.GRAPH_NODE] =
        orNone(b.getLong(at + (peer ? Layout.PEER_GRAPH_NODE : Layout.COPY_GRAPH_NODE)));
    rows.append(RecordType.OP, op);
  }

  /** What copies and fills have at the same offsets. */
  private void place(ByteBuffer b, int at) {
    op[Op.STREAM] =
        streams.id(
            b.getInt(at + Layout.COPY_CONTEXT),
            b.getInt(at + Layout.COPY_STREAM),
            b.getInt(at + Layout.COPY_DEVICE));
    op[Op.BYTES] = b.getLong(at + Layout.COPY_BYTES);
    op[Op.BLOCKS] = RecordType.NONE;
    op[Op.BLOCK_THREADS] = RecordType.NONE;
  }

  private void fill(ByteBuffer b, int at) {
    times(b, at + Layout.COPY_START, at + Layout.COPY_END);
    int memory = b.getShort(at + Layout.FILL_MEMORY);
    place(b, at);
    op[Op.NAME] = names.fill(memory);
    op[Op.KIND] = Op.KIND_FILL;
    op[Op.CORRELATION] = unsigned(b, at + Layout.COPY_CORRELATION);
    op[Op.SRC_MEMORY] = RecordType.NONE;
    op[Op.DST_MEMORY] = memory(memory);
    listener.fill((int) op[Op.CORRELATION], (int) op[Op.STREAM], op[Op.BYTES], op[Op.DST_MEMORY]);
    op[Op.GRAPH] = orNone(unsigned(b, at + Layout.COPY_GRAPH));
    op[Op.GRAPH_NODE] = orNone(b.getLong(at + Layout.COPY_GRAPH_NODE));
    rows.append(RecordType.OP, op);
  }

  private static long memory(int cupti) {
    return switch (cupti) {
      case 1 -> Op.MEMORY_PAGEABLE;
      case 2 -> Op.MEMORY_PINNED;
      case 3, 6 -> Op.MEMORY_DEVICE;
      case 4 -> Op.MEMORY_ARRAY;
      case 5, 7 -> Op.MEMORY_MANAGED;
      default -> RecordType.NONE;
    };
  }

  private void call(ByteBuffer b, int at, int domain) {
    int tid = b.getInt(at + Layout.API_THREAD);
    int correlation = b.getInt(at + Layout.API_CORRELATION);
    if (own.isOwn(tid, correlation)) {
      return;
    }
    long start = b.getLong(at + Layout.API_START);
    long end = b.getLong(at + Layout.API_END);
    call[Call.START] = clock.monotonic(start);
    call[Call.DURATION] = start == 0 || end == 0 ? RecordType.NONE : end - start;
    call[Call.THREAD] = threads.id(tid);
    call[Call.NAME] = names.call(domain, b.getInt(at + Layout.API_CBID));
    call[Call.CORRELATION] = correlation & 0xFFFFFFFFL;
    call[Call.RESULT] = b.getInt(at + Layout.API_RESULT);
    rows.append(RecordType.CALL, call);
    listener.called(correlation, call[Call.START]);
  }

  private void event(ByteBuffer b, int at) {
    record[EventRecord.PROCESS] = rows.process();
    record[EventRecord.CORRELATION] = unsigned(b, at + Layout.EVENT_CORRELATION);
    record[EventRecord.STREAM] =
        streams.id(b.getInt(at + Layout.EVENT_CONTEXT), b.getInt(at + Layout.EVENT_STREAM));
    record[EventRecord.EVENT] = unsigned(b, at + Layout.EVENT_ID);
    record[EventRecord.SYNC_ID] = syncId(b, at, layout.eventSyncId());
    rows.append(RecordType.RECORD, record);
    listener.event(b.getInt(at + Layout.EVENT_CORRELATION), b.getInt(at + Layout.EVENT_ID));
  }

  private static long syncId(ByteBuffer b, int at, int field) {
    if (field == Layout.ABSENT) {
      return RecordType.NONE;
    }
    long id = b.getLong(at + field);
    return id == NO_SYNC_ID || id == 0 ? RecordType.NONE : id;
  }

  private void synchronization(ByteBuffer b, int at) {
    int type = b.getInt(at + Layout.SYNC_TYPE);
    if (type == SYNC_STREAM_WAIT) {
      await(b, at);
      return;
    }
    long start = b.getLong(at + Layout.SYNC_START);
    sync[Sync.PROCESS] = rows.process();
    sync[Sync.CORRELATION] = unsigned(b, at + Layout.SYNC_CORRELATION);
    sync[Sync.KIND] =
        switch (type) {
          case SYNC_EVENT -> Sync.KIND_EVENT;
          case SYNC_STREAM -> Sync.KIND_STREAM;
          case SYNC_CONTEXT -> Sync.KIND_DEVICE;
          default -> Sync.KIND_UNKNOWN;
        };
    sync[Sync.STREAM] =
        type == SYNC_STREAM
            ? streams.id(b.getInt(at + Layout.SYNC_CONTEXT), b.getInt(at + Layout.SYNC_STREAM))
            : RecordType.NONE;
    sync[Sync.EVENT] = type == SYNC_EVENT ? unsigned(b, at + Layout.SYNC_EVENT) : RecordType.NONE;
    sync[Sync.SYNC_ID] = type == SYNC_EVENT ? syncId(b, at, layout.syncSyncId()) : RecordType.NONE;
    sync[Sync.START] = clock.monotonic(start);
    sync[Sync.DURATION] = start == 0 ? RecordType.NONE : b.getLong(at + Layout.SYNC_END) - start;
    rows.append(RecordType.SYNC, sync);
  }

  /** A wait of a stream; one that was captured is no wait of the stream. */
  private void await(ByteBuffer b, int at) {
    int correlation = b.getInt(at + Layout.SYNC_CORRELATION);
    long syncId = syncId(b, at, layout.syncSyncId());
    boolean never =
        layout.syncSyncId() != Layout.ABSENT && b.getLong(at + layout.syncSyncId()) == 0 && !late;
    wait[Wait.PROCESS] = rows.process();
    wait[Wait.CORRELATION] = correlation & 0xFFFFFFFFL;
    wait[Wait.STREAM] =
        streams.id(b.getInt(at + Layout.SYNC_CONTEXT), b.getInt(at + Layout.SYNC_STREAM));
    wait[Wait.EVENT] = unsigned(b, at + Layout.SYNC_EVENT);
    wait[Wait.SYNC_ID] = syncId;
    wait[Wait.FLAGS] = never ? Wait.FLAG_EMPTY : 0;
    captures.waited(wait);
  }

  private void memory(ByteBuffer b, int at) {
    int operation = b.getInt(at + Layout.MEMORY_OPERATION);
    if (operation != MEMORY_ALLOCATED && operation != MEMORY_FREED) {
      return;
    }
    long memory = memory(b.getInt(at + Layout.MEMORY_KIND));
    int stream =
        streams.id(b.getInt(at + Layout.MEMORY_CONTEXT), b.getInt(at + Layout.MEMORY_STREAM));
    long address = b.getLong(at + Layout.MEMORY_ADDRESS);
    long bytes = b.getLong(at + Layout.MEMORY_BYTES);
    boolean freed = operation == MEMORY_FREED;
    allocation[Allocation.START] = clock.monotonic(b.getLong(at + Layout.MEMORY_TIME));
    allocation[Allocation.PROCESS] = rows.process();
    allocation[Allocation.STREAM] = stream;
    allocation[Allocation.CORRELATION] = unsigned(b, at + Layout.MEMORY_CORRELATION);
    allocation[Allocation.KIND] = freed ? Allocation.KIND_FREE : Allocation.KIND_ALLOCATE;
    allocation[Allocation.ALLOCATOR] =
        stream >= 0
            ? Allocation.ALLOCATOR_POOL
            : memory == Op.MEMORY_PINNED
                ? Allocation.ALLOCATOR_PINNED
                : Allocation.ALLOCATOR_DEVICE;
    allocation[Allocation.MEMORY] = memory;
    allocation[Allocation.DEVICE] = b.getInt(at + Layout.MEMORY_DEVICE);
    allocation[Allocation.BEGIN] = address;
    allocation[Allocation.BYTES] = bytes == 0 ? RecordType.NONE : bytes;
    rows.append(RecordType.ALLOCATION, allocation);
    if (freed) {
      blocks.free(address);
    } else {
      blocks.add(address, bytes);
    }
  }

  private void overhead(ByteBuffer b, int at) {
    long start = b.getLong(at + Layout.OVERHEAD_START);
    int tid = b.getInt(at + Layout.OVERHEAD_THREAD);
    boolean known = b.getInt(at + Layout.OVERHEAD_OBJECT) == OBJECT_THREAD && tid != 0;
    if (known && own.isOwn(tid, 0)) {
      return;
    }
    overhead[Overhead.START] = clock.monotonic(start);
    overhead[Overhead.DURATION] =
        start == 0 ? RecordType.NONE : b.getLong(at + Layout.OVERHEAD_END) - start;
    overhead[Overhead.PROCESS] = rows.process();
    overhead[Overhead.THREAD] = known ? threads.id(tid) : RecordType.NONE;
    overhead[Overhead.KIND] = names.overhead(b.getInt(at + Layout.OVERHEAD_KIND));
    overhead[Overhead.CORRELATION] =
        layout.overheadCorrelation() == Layout.ABSENT
            ? RecordType.NONE
            : orNone(unsigned(b, at + layout.overheadCorrelation()));
    rows.append(RecordType.OVERHEAD, overhead);
  }

  private void stream(ByteBuffer b, int at) {
    streams.created(
        b.getInt(at + Layout.STREAM_CONTEXT),
        b.getInt(at + Layout.STREAM_ID),
        b.getInt(at + Layout.STREAM_FLAG),
        b.getInt(at + Layout.STREAM_CORRELATION));
  }

  private void context(ByteBuffer b, int at) {
    streams.context(
        b.getInt(at + Layout.CONTEXT_ID),
        b.getInt(at + Layout.CONTEXT_DEVICE),
        b.getShort(at + Layout.CONTEXT_NULL_STREAM) & 0xFFFF);
  }

  private void device(ByteBuffer b, int at) {
    streams.device(
        b.getInt(at + Layout.DEVICE_ID),
        names.text((int) b.getLong(at + Layout.DEVICE_NAME)),
        b.getInt(at + Layout.DEVICE_MULTIPROCESSORS));
  }
}
