package dev.eddyline.recorder;

import dev.eddyline.recorder.decode.Accesses;
import dev.eddyline.recorder.decode.Captures;
import dev.eddyline.recorder.decode.Layout;
import dev.eddyline.recorder.decode.MemoryBlocks;
import dev.eddyline.recorder.decode.OwnCalls;
import dev.eddyline.recorder.decode.RecordDecoder;
import dev.eddyline.recorder.marks.GroupRows;
import dev.eddyline.recorder.marks.MarkRows;
import dev.eddyline.recorder.marks.MarkSink;
import dev.eddyline.recorder.rows.BlockedCalls;
import dev.eddyline.recorder.rows.ClockMap;
import dev.eddyline.recorder.rows.NameSource;
import dev.eddyline.recorder.rows.Names;
import dev.eddyline.recorder.rows.StreamTable;
import dev.eddyline.recorder.rows.StuckCalls;
import dev.eddyline.recorder.rows.ThreadTable;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.trace.Definition.ProcessEntry;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.RecordType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Takes what the shim has and makes rows of it. For one thread. */
final class Drain {
  private static final int NOTES = 256;
  private final EddyWriter writer;
  private final TraceRows rows;
  private final StreamTable streams;
  private final Names names;
  private final ClockMap clock;
  private final Captures captures;
  private final OwnCalls own = new OwnCalls();
  private final MemoryBlocks blocks = new MemoryBlocks();
  private final Accesses accesses;
  private final BlockedCalls blocked;
  private final StuckCalls stuck;
  private final MarkRows marks;
  private final GroupRows groups;
  private final RecordDecoder decoder;
  private final Losses losses;
  private final ByteBuffer memory;
  private final IntBuffer offsets;
  private final int recordsPerBuffer;
  private final int bufferBytes;
  private final ConcurrentLinkedQueue<Integer> ownThreads = new ConcurrentLinkedQueue<>();
  private final long[] threadSlots = new long[4 * Shim.MAX_THREADS];
  private final int[] taken = new int[3];
  private final long[] notes = new long[NOTES * Shim.NOTE_NUMBERS];

  Drain(
      EddyWriter writer,
      ProcessEntry process,
      RecorderOptions options,
      MarkSink sink,
      ClockMap clock,
      Consumer<BlockedCall> onBlocked) {
    this.clock = clock;
    this.writer = writer;
    rows = new TraceRows(writer, process);
    streams = new StreamTable(rows);
    names = new Names(writer, NameSource.ofShim());
    ThreadTable threads = new ThreadTable(rows);
    captures = new Captures(rows);
    accesses = new Accesses(rows, blocks);
    blocked = new BlockedCalls(rows, threads, names, onBlocked);
    stuck = new StuckCalls(rows, threads, names);
    groups = new GroupRows(rows);
    marks = new MarkRows(sink, rows, threads, streams, groups);
    losses = new Losses(writer, sink);
    decoder =
        new RecordDecoder(
            Layout.of(Shim.version()),
            rows,
            threads,
            streams,
            names,
            clock,
            captures,
            own,
            blocks,
            new Joins(),
            Shim.isLate());
    memory = Shim.memory().order(ByteOrder.nativeOrder());
    ByteBuffer offsetBytes = Shim.offsets().order(ByteOrder.nativeOrder());
    offsets = offsetBytes.asIntBuffer();
    bufferBytes = options.bufferBytes();
    recordsPerBuffer = offsets.capacity() / (memory.capacity() / bufferBytes);
  }

  /** A thread is the recorder's own: its calls are not recorded. May be called by any thread. */
  void ownThread(int tid) {
    ownThreads.add(tid);
  }

  /** Takes everything that is there; whether there was anything. */
  boolean once() {
    for (Integer tid = ownThreads.poll(); tid != null; tid = ownThreads.poll()) {
      own.thread(tid);
    }
    boolean any = takeNotes();
    any |= accesses.drain();
    blocked.drain();
    captures.release();
    any |= marks.drain();
    while (Shim.take(taken)) {
      int buffer = taken[0];
      // What callbacks and marks noted of a call precedes the call's record.
      takeNotes();
      marks.drain();
      accesses.drain();
      decoder.decode(memory, buffer * bufferBytes, offsets, buffer * recordsPerBuffer, taken[1]);
      Shim.release(buffer);
      any = true;
    }
    groups.release(System.nanoTime(), false);
    rows.flush();
    return any;
  }

  /** Writes marks and counts losses. */
  void mark() {
    forgetEndedThreads();
    losses.count();
    writer.mark(clock.read(), RecordType.NONE);
  }

  /** The shim has room for so many threads at a time. */
  private void forgetEndedThreads() {
    int count = Shim.threads(threadSlots);
    for (int i = 0; i < count; i++) {
      if (!Files.exists(Path.of("/proc/self/task/" + threadSlots[4 * i + 1]))) {
        Shim.forgetThread((int) threadSlots[4 * i]);
      }
    }
  }

  /** Writes calls that are stuck, and all Java stacks; words for the calls. */
  String stuck(List<HangWatch.Stuck> calls, long now) {
    List<String> words = new ArrayList<>();
    for (HangWatch.Stuck call : calls) {
      words.add(
          stuck.call(call.tid(), call.call() >>> 16, call.call() & 0xFFFF, call.since(), now));
    }
    stuck.stacks(Thread.getAllStackTraces(), now);
    rows.flush();
    return String.join(", ", words);
  }

  /** Takes the rest and writes what was held back. */
  void finish() {
    once();
    once();
    groups.release(System.nanoTime(), true);
    rows.flush();
    losses.count();
  }

  Losses losses() {
    return losses;
  }

  private boolean takeNotes() {
    boolean any = false;
    for (int count = Shim.takeNotes(notes); count > 0; count = Shim.takeNotes(notes)) {
      any = true;
      for (int i = 0; i < count; i++) {
        note(i * Shim.NOTE_NUMBERS);
      }
    }
    return any;
  }

  private void note(int at) {
    int correlation = (int) notes[at + 1];
    long a = notes[at + 3];
    switch ((int) notes[at]) {
      case Shim.NOTE_CAPTURED_WAIT -> captures.captured(correlation);
      case Shim.NOTE_EVENT_RECORD -> groups.recorded(correlation, a);
      case Shim.NOTE_OWN_CALL -> own.call(correlation);
      case Shim.NOTE_COPY, Shim.NOTE_FILL ->
          accesses.called(correlation, notes[at + 2], notes, at + 3);
      default -> {}
    }
  }

  /** Joins records with marks. */
  private final class Joins implements RecordDecoder.Listener {
    @Override
    public void external(long externalId, int correlation) {
      groups.external(externalId, correlation);
    }

    @Override
    public void called(int correlation, long start) {
      groups.called(correlation, start);
    }

    @Override
    public void kernel(int correlation, int stream, int name, int shimName) {
      groups.kernel(correlation, stream, name, names, shimName);
      accesses.kernel(correlation, stream);
    }

    @Override
    public void copy(int correlation, int stream, long bytes, long from, long to) {
      accesses.copy(correlation, stream, bytes, from, to);
    }

    @Override
    public void fill(int correlation, int stream, long bytes, long memory) {
      accesses.fill(correlation, stream, bytes, memory);
    }

    @Override
    public void event(int correlation, int event) {
      groups.event(correlation, event);
    }
  }
}
