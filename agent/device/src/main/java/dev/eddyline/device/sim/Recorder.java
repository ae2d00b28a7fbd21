package dev.eddyline.device.sim;

import dev.eddyline.marks.MarkLayout;
import dev.eddyline.trace.Definition.DeviceEntry;
import dev.eddyline.trace.Definition.ProcessEntry;
import dev.eddyline.trace.Definition.StreamEntry;
import dev.eddyline.trace.Definition.ThreadEntry;
import dev.eddyline.trace.EddyWriter;
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
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes what happens as rows of a trace, the same that a recorder of real devices writes. For
 * whoever holds the baton.
 */
final class Recorder {
  private static final int CONTEXT = 1;
  private final EddyWriter writer;
  final MemoryRecorder memory;
  private final boolean on;
  private final boolean stacks;
  private final boolean allStacks;
  private final Map<String, Integer> names = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private int[] textIds = new int[64];
  private final Map<Api, Integer> apiNames = new EnumMap<>(Api.class);
  private final Map<SimThread, ArrayDeque<OpenRange>> ranges = new HashMap<>();
  private final Map<SimThread, Described> described = new HashMap<>();
  private final Map<Long, StreamPlace> streams = new HashMap<>();
  private final long[] callRow = row(RecordType.CALL);
  private final long[] opRow = row(RecordType.OP);
  private final long[] recordRow = row(RecordType.RECORD);
  private final long[] waitRow = row(RecordType.WAIT);
  private final long[] syncRow = row(RecordType.SYNC);

  private record OpenRange(String name, long start, int kind) {}

  private record StreamPlace(int id, StreamEntry entry) {}

  /** What a program says of its next collective. */
  record Described(String communicator, long sequence, String kind, String dtype, long workEvent) {}

  Recorder(EddyWriter writer, SimOptions options) {
    this.writer = writer;
    this.on = options.recorded();
    this.memory = new MemoryRecorder(writer, on);
    this.allStacks = options.recorded() && options.allStacks();
    this.stacks = options.recorded() && options.stacks() && !allStacks;
    for (Api api : Api.values()) {
      apiNames.put(api, writer.string(api.call()));
    }
  }

  private static long[] row(RecordType type) {
    long[] row = new long[type.width()];
    Arrays.fill(row, RecordType.NONE);
    return row;
  }

  private void append(RecordType type, long[] row) {
    if (on) {
      writer.append(type, row);
    }
  }

  /** Id of a name of ops. */
  int name(String text) {
    Integer known = names.get(text);
    if (known != null) {
      return known;
    }
    int name = texts.size();
    names.put(text, name);
    texts.add(text);
    if (name == textIds.length) {
      textIds = Arrays.copyOf(textIds, 2 * name);
    }
    textIds[name] = writer.string(text);
    return name;
  }

  /** The name of an id. */
  String text(int name) {
    return texts.get(name);
  }

  // ---- definitions ----

  int process(int rank, int worldSize) {
    return writer.define(new ProcessEntry(0, RecordType.NONE, rank, worldSize, ""));
  }

  int thread(SimProcess process, int number, String name) {
    return writer.define(new ThreadEntry(process.recorded, number + 1L, name));
  }

  void device(SimProcess process, int ordinal, String name, int multiprocessors) {
    writer.define(new DeviceEntry(process.recorded, ordinal, name, multiprocessors));
  }

  int stream(
      SimProcess process,
      int ordinal,
      long id,
      int generation,
      SimStream.Flags flags,
      String name) {
    int code =
        switch (flags) {
          case BLOCKING -> StreamEntry.FLAGS_BLOCKING;
          case NON_BLOCKING -> StreamEntry.FLAGS_NON_BLOCKING;
          case LEGACY -> StreamEntry.FLAGS_LEGACY_DEFAULT;
          case PER_THREAD -> StreamEntry.FLAGS_PER_THREAD_DEFAULT;
        };
    StreamEntry entry =
        new StreamEntry(
            process.recorded, ordinal, CONTEXT + (long) ordinal, id, generation, code, name);
    int defined = writer.define(entry);
    streams.put(key(process, ordinal, id), new StreamPlace(defined, entry));
    return defined;
  }

  private static long key(SimProcess process, long ordinal, long id) {
    return (long) process.recorded << 48 | ordinal << 40 | id;
  }

  // ---- rows ----

  void call(SimThread thread, long start, long end, Api api, long correlation, int result) {
    memory.flush();
    long[] row = callRow;
    row[Call.START] = start;
    row[Call.DURATION] = end - start;
    row[Call.THREAD] = thread.recorded;
    row[Call.NAME] = Objects.requireNonNull(apiNames.get(api));
    row[Call.CORRELATION] = correlation;
    row[Call.RESULT] = result;
    append(RecordType.CALL, row);
    if (allStacks && api.orders() && SimThread.currentOrNull() == thread) {
      frames(thread, start, end);
    }
  }

  void op(Item item) {
    if (!on) {
      return;
    }
    long[] row = opRow;
    row[Op.START] = item.startAt;
    row[Op.DURATION] = item.doneAt - item.startAt;
    row[Op.STREAM] = item.stream.recorded;
    row[Op.NAME] = textIds[item.name];
    row[Op.KIND] =
        switch (item.kind) {
          case COPY -> Op.KIND_COPY;
          case FILL -> Op.KIND_FILL;
          case HOST_FUNCTION -> Op.KIND_HOST_FUNCTION;
          default -> Op.KIND_KERNEL;
        };
    row[Op.CORRELATION] = item.correlation;
    row[Op.BYTES] = item.facts.bytes();
    row[Op.SRC_MEMORY] = item.facts.source();
    row[Op.DST_MEMORY] = item.facts.target();
    row[Op.BLOCKS] = item.facts.blocks();
    row[Op.BLOCK_THREADS] = item.facts.threads();
    append(RecordType.OP, row);
  }

  void record(SimProcess process, long correlation, SimStream stream, SimEvent event) {
    long[] row = recordRow;
    row[EventRecord.PROCESS] = process.recorded;
    row[EventRecord.CORRELATION] = correlation;
    row[EventRecord.STREAM] = stream.recorded;
    row[EventRecord.EVENT] = event.handle();
    row[EventRecord.SYNC_ID] = event.syncId();
    append(RecordType.RECORD, row);
  }

  void await(SimProcess process, long correlation, SimStream stream, SimEvent event) {
    long[] row = waitRow;
    row[Wait.PROCESS] = process.recorded;
    row[Wait.CORRELATION] = correlation;
    row[Wait.STREAM] = stream.recorded;
    row[Wait.EVENT] = event.handle();
    row[Wait.SYNC_ID] = event.syncId();
    row[Wait.FLAGS] = event.latest() == null ? Wait.FLAG_EMPTY : 0;
    append(RecordType.WAIT, row);
  }

  void sync(
      SimProcess process,
      long correlation,
      int kind,
      int stream,
      @Nullable SimEvent event,
      long start,
      long duration) {
    long[] row = syncRow;
    row[Sync.PROCESS] = process.recorded;
    row[Sync.CORRELATION] = correlation;
    row[Sync.KIND] = kind;
    row[Sync.STREAM] = stream;
    row[Sync.EVENT] = event == null ? RecordType.NONE : event.handle();
    row[Sync.SYNC_ID] = event == null ? RecordType.NONE : event.syncId();
    row[Sync.START] = start;
    row[Sync.DURATION] = duration;
    append(RecordType.SYNC, row);
  }

  /** The Java frames of a call that blocked, unless all calls have theirs. */
  void stack(SimThread thread, long start, long end) {
    if (stacks) {
      frames(thread, start, end);
    }
  }

  /** The Java frames of the user's code that made a call, outermost first. */
  private void frames(SimThread thread, long start, long end) {
    List<String> frames = CallSites.ofCaller();
    for (int i = frames.size() - 1; i >= 0; i--) {
      range(thread, start, end, Range.KIND_JAVA, frames.get(i));
    }
  }

  private void range(SimThread thread, long start, long end, int kind, String name) {
    long[] row = row(RecordType.RANGE);
    row[Range.START] = start;
    row[Range.DURATION] = end - start;
    row[Range.THREAD] = thread.recorded;
    row[Range.KIND] = kind;
    row[Range.NAME] = writer.string(name);
    append(RecordType.RANGE, row);
  }

  void role(long time, int stream, String role) {
    long[] row = row(RecordType.ROLE);
    row[Role.START] = time;
    row[Role.STREAM] = stream;
    row[Role.ROLE] = writer.string(role);
    append(RecordType.ROLE, row);
  }

  void collective(SimThread thread, CollectiveCall call, long correlation) {
    if (!on) {
      return;
    }
    Described said = call.described;
    long[] row = row(RecordType.COLLECTIVE);
    row[Collective.START] = call.start;
    row[Collective.DURATION] = thread.now - call.start;
    row[Collective.THREAD] = thread.recorded;
    row[Collective.KIND] = writer.string(said == null ? call.kind.word() : said.kind());
    row[Collective.COMMUNICATOR] =
        writer.string(said == null ? call.communicator.name() : said.communicator());
    row[Collective.SEQUENCE] = said == null ? call.sequence : said.sequence();
    row[Collective.DTYPE] = writer.string(said == null ? call.type().shortName() : said.dtype());
    row[Collective.COUNT_IN] = call.countIn();
    row[Collective.COUNT_OUT] = call.countOut();
    row[Collective.GROUP_SIZE] = call.communicator.size();
    row[Collective.CORRELATION] = correlation;
    row[Collective.STREAM] = call.stream.recorded;
    row[Collective.WORK_EVENT] = said == null ? RecordType.NONE : said.workEvent();
    append(RecordType.COLLECTIVE, row);
  }

  /** A group of collective calls that ends now. */
  void group(SimThread thread, long start, long endCalled, int depth, int calls, long correlation) {
    if (!on) {
      return;
    }
    long[] row = row(RecordType.GROUP);
    row[Group.START] = start;
    row[Group.DURATION] = thread.now - start;
    row[Group.THREAD] = thread.recorded;
    row[Group.DEPTH] = depth;
    row[Group.CALLS] = calls;
    row[Group.CORRELATION] = correlation;
    append(RecordType.GROUP, row);
    if (allStacks) {
      frames(thread, endCalled, thread.now);
    }
  }

  // ---- marks ----

  /** What the thread said of the collective that it calls now; null if nothing. */
  @Nullable Described takeDescribed(SimThread thread) {
    return described.isEmpty() ? null : described.remove(thread);
  }

  /** Takes a record of {@code dev.eddyline.marks}. */
  void mark(SimThread thread, ByteBuffer mark) {
    switch (MarkLayout.kind(mark)) {
      case MarkLayout.STEP_BEGIN -> open(thread, MarkLayout.text(mark, 0, 0), Range.KIND_STEP);
      case MarkLayout.RANGE_BEGIN ->
          open(thread, MarkLayout.text(mark, 0, 0), Range.KIND_ANNOTATION);
      case MarkLayout.END -> close(thread);
      case MarkLayout.STREAM_NAME -> nameStream(thread, mark);
      case MarkLayout.ROLE -> {
        StreamPlace place = place(thread, mark);
        if (place != null) {
          role(thread.now, place.id(), MarkLayout.text(mark, 2, 0));
        }
      }
      case MarkLayout.COLLECTIVE -> {
        int numbers = MarkLayout.COLLECTIVE_NUMBERS;
        described.put(
            thread,
            new Described(
                MarkLayout.text(mark, numbers, 0),
                MarkLayout.number(mark, 0),
                MarkLayout.text(mark, numbers, 1),
                MarkLayout.text(mark, numbers, 2),
                MarkLayout.number(mark, numbers - 1)));
      }
      case MarkLayout.ACCESS -> memory.declare(thread, mark);
      case MarkLayout.ALLOCATED, MarkLayout.FREED, MarkLayout.USED_ON, MarkLayout.RELEASED ->
          memory.mark(thread, mark, streamOf(thread, mark));
      default -> {}
    }
  }

  private int streamOf(SimThread thread, ByteBuffer mark) {
    boolean named = MarkLayout.kind(mark) != MarkLayout.RELEASED && MarkLayout.number(mark, 1) >= 0;
    StreamPlace place = named ? place(thread, mark) : null;
    return place == null ? (int) RecordType.NONE : place.id();
  }

  private void open(SimThread thread, String name, int kind) {
    ranges
        .computeIfAbsent(thread, t -> new ArrayDeque<>())
        .push(new OpenRange(name, ++thread.now, kind));
  }

  private void close(SimThread thread) {
    ArrayDeque<OpenRange> open = ranges.get(thread);
    OpenRange range = open == null ? null : open.poll();
    if (range != null) {
      range(thread, range.start(), ++thread.now, range.kind(), range.name());
    }
  }

  private @Nullable StreamPlace place(SimThread thread, ByteBuffer mark) {
    return streams.get(key(thread.process, MarkLayout.number(mark, 0), MarkLayout.number(mark, 1)));
  }

  private void nameStream(SimThread thread, ByteBuffer mark) {
    StreamPlace place = place(thread, mark);
    if (place != null) {
      StreamEntry old = place.entry();
      writer.redefine(
          place.id(),
          new StreamEntry(
              old.process(),
              old.device(),
              old.context(),
              old.id(),
              old.generation(),
              old.flags(),
              MarkLayout.text(mark, 2, 0)));
    }
  }
}
