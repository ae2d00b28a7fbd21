package dev.eddyline.trace;

import static dev.eddyline.trace.Column.delta;
import static dev.eddyline.trace.Column.plain;
import static dev.eddyline.trace.Column.process;
import static dev.eddyline.trace.Column.stream;
import static dev.eddyline.trace.Column.string;
import static dev.eddyline.trace.Column.thread;
import static dev.eddyline.trace.Column.time;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of records that a trace holds, and their columns. Every value is a {@code long}: times
 * in nanoseconds on the trace's axis, references as ids of the dictionaries (strings, processes,
 * threads, streams), {@link #NONE} for "not known".
 *
 * <p>The order of the columns and the codes are part of the file format: append, never reorder.
 */
public enum RecordType {
  /** A host call of a CUDA API; columns in {@link Call}. */
  CALL(
      1,
      time("start"),
      delta("duration"),
      thread("thread"),
      string("name"),
      delta("correlation"),
      plain("result")),
  /** A unit of GPU work; columns in {@link Op}. */
  OP(
      2,
      time("start"),
      plain("duration"),
      stream("stream"),
      string("name"),
      plain("kind"),
      delta("correlation"),
      plain("bytes"),
      plain("src_memory"),
      plain("dst_memory"),
      plain("graph"),
      plain("graph_node"),
      plain("blocks"),
      plain("block_threads")),
  /** One event record ({@code cudaEventRecord}); columns in {@link Record}. */
  RECORD(
      3,
      process("process"),
      delta("correlation"),
      stream("stream"),
      plain("event"),
      delta("sync_id"),
      time("device_time")),
  /** One wait of a stream for an event ({@code cudaStreamWaitEvent}); columns in {@link Wait}. */
  WAIT(
      4,
      process("process"),
      delta("correlation"),
      stream("stream"),
      plain("event"),
      delta("sync_id"),
      delta("record_correlation"),
      stream("source_stream"),
      plain("flags")),
  /** What the source wrote of a host sync or query; columns in {@link Sync}. */
  SYNC(
      5,
      process("process"),
      delta("correlation"),
      plain("kind"),
      stream("stream"),
      plain("event"),
      delta("sync_id"),
      delta("record_correlation"),
      time("start"),
      plain("duration")),
  /** A named interval of a host thread; columns in {@link Range}. */
  RANGE(
      6,
      time("start"),
      plain("duration"),
      thread("thread"),
      plain("kind"),
      string("name"),
      string("shape"),
      string("dtype")),
  /** A collective as its library described it; columns in {@link Collective}. */
  COLLECTIVE(
      7,
      time("start"),
      plain("duration"),
      thread("thread"),
      string("kind"),
      string("communicator"),
      delta("sequence"),
      string("dtype"),
      plain("count_in"),
      plain("count_out"),
      plain("group_size"),
      string("shape"),
      delta("correlation"),
      stream("stream"),
      plain("work_event")),
  /** A role that a stream has from a time on; columns in {@link Role}. */
  ROLE(8, time("start"), stream("stream"), string("role")),
  /** Records that the source says it lost; columns in {@link Loss}. */
  LOSS(9, time("time"), process("process"), string("kind"), plain("count")),
  /** Memory that an op, or a host thread, reads or writes; columns in {@link Access}. */
  ACCESS(
      10,
      time("start"),
      process("process"),
      thread("thread"),
      stream("stream"),
      delta("correlation"),
      plain("kind"),
      plain("source"),
      plain("certainty"),
      plain("memory"),
      plain("buffer"),
      delta("begin"),
      plain("bytes")),
  /** Memory that was handed out, given back or used elsewhere; columns in {@link Allocation}. */
  ALLOCATION(
      11,
      time("start"),
      process("process"),
      thread("thread"),
      stream("stream"),
      delta("correlation"),
      plain("kind"),
      plain("allocator"),
      plain("memory"),
      plain("device"),
      plain("buffer"),
      delta("begin"),
      plain("bytes"),
      string("name")),
  /** Time that the driver or the recording took for itself; columns in {@link Overhead}. */
  OVERHEAD(
      12,
      time("start"),
      plain("duration"),
      process("process"),
      thread("thread"),
      string("kind"),
      delta("correlation")),
  /** A group of collective calls, from its start to its end; columns in {@link Group}. */
  GROUP(
      13,
      time("start"),
      plain("duration"),
      thread("thread"),
      plain("depth"),
      plain("calls"),
      delta("correlation"));

  /** The value of a column that is not known or does not apply. */
  public static final long NONE = -1;

  /** Columns of {@link #CALL}. {@code result} is the API's return code. */
  public static final class Call {
    public static final int START = 0;
    public static final int DURATION = 1;
    public static final int THREAD = 2;
    public static final int NAME = 3;
    public static final int CORRELATION = 4;
    public static final int RESULT = 5;

    private Call() {}
  }

  /**
   * Columns of {@link #OP}. {@code kind} is one of the {@code KIND_} values, memories one of the
   * {@code MEMORY_} values, {@code blocks} the number of blocks of the grid.
   */
  public static final class Op {
    public static final int START = 0;
    public static final int DURATION = 1;
    public static final int STREAM = 2;
    public static final int NAME = 3;
    public static final int KIND = 4;
    public static final int CORRELATION = 5;
    public static final int BYTES = 6;
    public static final int SRC_MEMORY = 7;
    public static final int DST_MEMORY = 8;
    public static final int GRAPH = 9;
    public static final int GRAPH_NODE = 10;
    public static final int BLOCKS = 11;
    public static final int BLOCK_THREADS = 12;

    public static final int KIND_KERNEL = 0;
    public static final int KIND_COPY = 1;
    public static final int KIND_FILL = 2;
    public static final int KIND_GRAPH = 3;
    public static final int KIND_HOST_FUNCTION = 4;

    public static final int MEMORY_PAGEABLE = 0;
    public static final int MEMORY_PINNED = 1;
    public static final int MEMORY_DEVICE = 2;
    public static final int MEMORY_ARRAY = 3;
    public static final int MEMORY_MANAGED = 4;

    private Op() {}
  }

  /** Columns of {@link #RECORD}. {@code event} is the source's event id, reused over time. */
  public static final class EventRecord {
    public static final int PROCESS = 0;
    public static final int CORRELATION = 1;
    public static final int STREAM = 2;
    public static final int EVENT = 3;
    public static final int SYNC_ID = 4;
    public static final int DEVICE_TIME = 5;

    private EventRecord() {}
  }

  /**
   * Columns of {@link #WAIT}. {@code stream} is the stream that waits; {@code record_correlation}
   * and {@code source_stream} are set where the source itself names what the wait waits for.
   */
  public static final class Wait {
    public static final int PROCESS = 0;
    public static final int CORRELATION = 1;
    public static final int STREAM = 2;
    public static final int EVENT = 3;
    public static final int SYNC_ID = 4;
    public static final int RECORD_CORRELATION = 5;
    public static final int SOURCE_STREAM = 6;
    public static final int FLAGS = 7;

    /** The source says that the event had never been recorded. */
    public static final int FLAG_EMPTY = 1;

    /** The call was made while its stream captured. */
    public static final int FLAG_CAPTURED = 2;

    private Wait() {}
  }

  /** Columns of {@link #SYNC}. {@code kind} is one of the {@code KIND_} values. */
  public static final class Sync {
    public static final int PROCESS = 0;
    public static final int CORRELATION = 1;
    public static final int KIND = 2;
    public static final int STREAM = 3;
    public static final int EVENT = 4;
    public static final int SYNC_ID = 5;
    public static final int RECORD_CORRELATION = 6;
    public static final int START = 7;
    public static final int DURATION = 8;

    public static final int KIND_UNKNOWN = 0;
    public static final int KIND_EVENT = 1;
    public static final int KIND_STREAM = 3;
    public static final int KIND_DEVICE = 4;

    private Sync() {}
  }

  /** Columns of {@link #RANGE}. {@code kind} is one of the {@code KIND_} values. */
  public static final class Range {
    public static final int START = 0;
    public static final int DURATION = 1;
    public static final int THREAD = 2;
    public static final int KIND = 3;
    public static final int NAME = 4;
    public static final int SHAPE = 5;
    public static final int DTYPE = 6;

    public static final int KIND_ANNOTATION = 0;
    public static final int KIND_OPERATOR = 1;
    public static final int KIND_PYTHON = 2;
    public static final int KIND_NVTX = 3;
    public static final int KIND_JAVA = 4;
    public static final int KIND_STEP = 5;

    private Range() {}
  }

  /**
   * Columns of {@link #COLLECTIVE}: the call of the library on its thread. {@code kind} is the
   * library's word ("allreduce", "wait", "barrier", …). {@code correlation} names the launch where
   * the source knows it, {@code sequence} counts per communicator where it is known.
   */
  public static final class Collective {
    public static final int START = 0;
    public static final int DURATION = 1;
    public static final int THREAD = 2;
    public static final int KIND = 3;
    public static final int COMMUNICATOR = 4;
    public static final int SEQUENCE = 5;
    public static final int DTYPE = 6;
    public static final int COUNT_IN = 7;
    public static final int COUNT_OUT = 8;
    public static final int GROUP_SIZE = 9;
    public static final int SHAPE = 10;
    public static final int CORRELATION = 11;
    public static final int STREAM = 12;
    public static final int WORK_EVENT = 13;

    private Collective() {}
  }

  /** Columns of {@link #ROLE}. */
  public static final class Role {
    public static final int START = 0;
    public static final int STREAM = 1;
    public static final int ROLE = 2;

    private Role() {}
  }

  /** Columns of {@link #LOSS}. {@code kind} is a string: which records were lost. */
  public static final class Loss {
    public static final int TIME = 0;
    public static final int PROCESS = 1;
    public static final int KIND = 2;
    public static final int COUNT = 3;

    private Loss() {}
  }

  /**
   * Columns of {@link #ACCESS}. An access of an op carries the {@code correlation} of the call that
   * enqueued the op, the time of that call and the op's {@code stream}; it lasts as long as the op.
   * An access of a host thread carries its {@code thread}, no stream, and the moment at which it
   * happened.
   *
   * <p>{@code begin} is the first address; or, where {@code buffer} is an id (not {@link #NONE}),
   * an offset in that buffer. {@code bytes} is {@link #NONE} where only the begin is known: the
   * access may then be to any part of the block that the begin lies in.
   */
  public static final class Access {
    public static final int START = 0;
    public static final int PROCESS = 1;
    public static final int THREAD = 2;
    public static final int STREAM = 3;
    public static final int CORRELATION = 4;
    public static final int KIND = 5;
    public static final int SOURCE = 6;
    public static final int CERTAINTY = 7;
    public static final int MEMORY = 8;
    public static final int BUFFER = 9;
    public static final int BEGIN = 10;
    public static final int BYTES = 11;

    public static final int KIND_READ = 0;
    public static final int KIND_WRITE = 1;
    public static final int KIND_READ_WRITE = 2;

    /** A read, a write or both: the source cannot tell. */
    public static final int KIND_UNKNOWN = 3;

    /** The library that made the collective. */
    public static final int SOURCE_GROUP = 0;

    /** The arguments of a copy or fill. */
    public static final int SOURCE_COPY = 1;

    /** Whoever carries the kernel out. */
    public static final int SOURCE_KERNEL = 2;

    /** A pointer among the arguments of a launch. */
    public static final int SOURCE_LAUNCH_PARAMETER = 3;

    /** The program said so. */
    public static final int SOURCE_DECLARED = 4;

    /** A host thread, through an API that knows of it. */
    public static final int SOURCE_HOST = 5;

    /** Just these bytes. */
    public static final int CERTAINTY_EXACT = 0;

    /** Some of these bytes, none outside. */
    public static final int CERTAINTY_WITHIN = 1;

    /** A guess: it may not be an access at all. */
    public static final int CERTAINTY_GUESSED = 2;

    private Access() {}
  }

  /**
   * Columns of {@link #ALLOCATION}. {@code memory} is one of the {@code MEMORY_} values of {@link
   * Op}. {@code stream} is the stream in whose order the memory is handed out or given back, or the
   * other stream that uses it; {@link #NONE} where no stream orders it. {@code bytes} is {@link
   * #NONE} for a free whose size is not known. {@code begin} and {@code buffer} as in {@link
   * Access}, a buffer's own offset is 0.
   */
  public static final class Allocation {
    public static final int START = 0;
    public static final int PROCESS = 1;
    public static final int THREAD = 2;
    public static final int STREAM = 3;
    public static final int CORRELATION = 4;
    public static final int KIND = 5;
    public static final int ALLOCATOR = 6;
    public static final int MEMORY = 7;
    public static final int DEVICE = 8;
    public static final int BUFFER = 9;
    public static final int BEGIN = 10;
    public static final int BYTES = 11;
    public static final int NAME = 12;

    public static final int KIND_ALLOCATE = 0;
    public static final int KIND_FREE = 1;

    /** Another stream uses the block, as PyTorch's {@code record_stream} says it. */
    public static final int KIND_OTHER_STREAM = 2;

    /** A block that was kept back for other streams can be handed out again. */
    public static final int KIND_RELEASE = 3;

    /** {@code cudaMalloc}, {@code cudaFree}: the free waits for the device. */
    public static final int ALLOCATOR_DEVICE = 0;

    /** {@code cudaMallocAsync}, {@code cudaFreeAsync}. */
    public static final int ALLOCATOR_POOL = 1;

    /** A framework's own, which hands out parts of memory that it has from another one. */
    public static final int ALLOCATOR_CACHING = 2;

    /** Memory of the host that CUDA knows: {@code cudaHostAlloc}, registered memory. */
    public static final int ALLOCATOR_PINNED = 3;

    /** Memory of the host that CUDA does not know; its free waits for nothing. */
    public static final int ALLOCATOR_HOST = 4;

    private Allocation() {}
  }

  private final int code;
  private final List<Column> columns;

  RecordType(int code, Column... columns) {
    this.code = code;
    this.columns = List.of(columns);
  }

  /** The number that stands for this type in a file. */
  public int code() {
    return code;
  }

  /** The columns, in the order of the constants. */
  public List<Column> columns() {
    return columns;
  }

  /** How many columns a row has. */
  public int width() {
    return columns.size();
  }

  /** The column by whose time a row is found, or -1 where the type has none. */
  public int timeColumn() {
    int start = indexOf("start");
    return start >= 0 ? start : indexOf("time");
  }

  /** The column that holds how long a row lasts, or -1 where the type has none. */
  public int durationColumn() {
    return indexOf("duration");
  }

  private int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The type of a code, or null where this version knows none. */
  public static @Nullable RecordType ofCode(long code) {
    for (RecordType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    return null;
  }
}
