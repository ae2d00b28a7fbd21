package dev.eddyline.trace;

import static dev.eddyline.trace.FrameHeader.NO_FIRST;
import static dev.eddyline.trace.FrameHeader.NO_LAST;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace file: takes rows and definitions, hands finished frames to a {@link FrameSink}.
 *
 * <p>Threads: every method may be called by any thread; one lock is held, also while a frame is
 * compressed and written, so an appending thread may have to wait for that. Where that matters, let
 * one thread append. Rows of one thread keep their order within their type.
 *
 * <p>Memory: at most {@link WriterOptions#blockRows} rows per type, the dictionary within its
 * bounds, and one frame; nothing is allocated per row.
 *
 * <p>Errors: nothing that goes wrong while writing is thrown. The first failure is told to {@link
 * WriterOptions#onFailure}; the rows of a frame that could not be written are counted as dropped,
 * under {@value #NOT_WRITTEN}. The next frame is tried again and begins with the header, if that is
 * missing, and all definitions, so that a disk that was full for a while costs only the rows of
 * that while.
 */
public final class EddyWriter implements Closeable {
  /** Kind of loss under which rows are counted whose frame could not be written. */
  public static final String NOT_WRITTEN = "not written";

  /** Longer strings are cut to so many characters. */
  public static final int MAX_STRING_LENGTH = 4 << 20;

  /** Dictionaries may be at most this part of the file, whatever their repetition says. */
  private static final int DICTIONARY_SHARE = 8;

  private static final int ROWS_BETWEEN_CLOCK_LOOKS = 1024;
  private final FrameSink sink;
  private final TraceHeader header;
  private final WriterOptions options;
  private final FrameBytes frame;
  private final Dictionaries dictionaries;
  private final CborOutput content = new CborOutput();
  private final Map<RecordType, RowBuffer> buffers = new EnumMap<>(RecordType.class);
  private final Map<String, Long> dropped = new LinkedHashMap<>();
  private int pendingRows;
  private long oldestRowAt;
  private int rowsSinceClockLook;
  private boolean headerWritten;
  private boolean closed;
  private long recordsWritten;
  private long bytesWritten;
  private long bytesSinceDictionaries;
  private long dictionaryBytes;
  private long failures;
  private @Nullable Throwable firstFailure;

  /**
   * Begins a file; the header is written at once.
   *
   * @param sink takes the frames; the writer closes it
   */
  public EddyWriter(FrameSink sink, TraceHeader header, WriterOptions options) {
    this.sink = sink;
    this.header = header;
    this.options = options;
    this.frame = new FrameBytes(Compressors.best(options.level()));
    this.dictionaries = new Dictionaries(options.maxStrings(), options.maxCharacters());
    for (RecordType type : RecordType.values()) {
      buffers.put(type, new RowBuffer(type, options.blockRows()));
    }
    headerWritten = emitHeader();
  }

  /**
   * The id of a string, defined if it was not there; 0 is the empty string. Beyond the bounds of
   * {@link WriterOptions} every new string gets the id of one and the same, which says so.
   */
  public synchronized int string(String value) {
    boolean fits = value.length() <= MAX_STRING_LENGTH;
    return dictionaries.string(fits ? value : value.substring(0, MAX_STRING_LENGTH));
  }

  /** Defines a process, thread, device, stream or source; returns its id, from 0 for each kind. */
  public synchronized int define(Definition definition) {
    return dictionaries.add(definition);
  }

  /**
   * Replaces a definition, as when a thread gets its name.
   *
   * @throws IndexOutOfBoundsException if that id was not defined
   */
  public synchronized void redefine(int id, Definition definition) {
    dictionaries.set(id, definition);
  }

  /**
   * Appends one row.
   *
   * @param row its values in the order of the constants in {@link RecordType}; copied
   * @return false if the writer is closed
   */
  public boolean append(RecordType type, long[] row) {
    return append(type, row, 1);
  }

  /**
   * Appends rows under one lock.
   *
   * @param rows the values of the first row, then those of the second, …; copied
   * @param count how many rows
   * @return false if the writer is closed
   */
  public synchronized boolean append(RecordType type, long[] rows, int count) {
    if (closed) {
      return false;
    }
    RowBuffer buffer = Objects.requireNonNull(buffers.get(type));
    int width = type.width();
    for (int i = 0; i < count; i++) {
      if (pendingRows++ == 0) {
        oldestRowAt = System.nanoTime();
      }
      buffer.add(rows, i * width);
      if (buffer.isFull()) {
        writeBlocks(List.of(buffer));
      }
    }
    rowsSinceClockLook += count;
    if (rowsSinceClockLook >= ROWS_BETWEEN_CLOCK_LOOKS) {
      rowsSinceClockLook = 0;
      flushIfDue(System.nanoTime());
    }
    return true;
  }

  /**
   * Counts records that were lost before they came here; the count stands in the next marks.
   *
   * @param kind which records
   */
  public synchronized void dropped(String kind, long count) {
    dropped.merge(kind, count, Long::sum);
  }

  /**
   * Writes all rows and then marks.
   *
   * @param clock the clocks now
   * @param completeUpTo every record that ended before this time on the file's axis was appended;
   *     {@link RecordType#NONE} if that is not known
   */
  public synchronized void mark(ClockTriple clock, long completeUpTo) {
    if (closed) {
      return;
    }
    flush();
    if (isReady()) {
      encodeMarks(clock, completeUpTo, recordsWritten);
      emit(FrameKind.MARKS, 1, clock.monotonic(), clock.monotonic());
    }
  }

  /** Writes all rows that were appended. */
  public synchronized void flush() {
    List<RowBuffer> filled = new ArrayList<>();
    int rows = 0;
    for (RowBuffer buffer : buffers.values()) {
      if (buffer.rows() == 0) {
        continue;
      }
      if (rows + buffer.rows() > FrameHeader.MAX_FRAME_ROWS) {
        writeBlocks(filled);
        filled.clear();
        rows = 0;
      }
      filled.add(buffer);
      rows += buffer.rows();
    }
    if (!filled.isEmpty()) {
      writeBlocks(filled);
    }
  }

  /**
   * Writes all rows if the oldest is older than {@link WriterOptions#flushNanos}. Appending looks
   * at the clock every {@value #ROWS_BETWEEN_CLOCK_LOOKS} rows; whoever wants rows out that no
   * other follows calls this from time to time.
   *
   * @param now {@link System#nanoTime()}
   */
  public synchronized void flushIfDue(long now) {
    if (!closed && pendingRows > 0 && now - oldestRowAt >= options.flushNanos()) {
      flush();
    }
  }

  /** Writes all rows and the end mark, and closes the sink. Later rows are refused. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    flush();
    if (isReady()) {
      encodeMarks(null, RecordType.NONE, recordsWritten);
      emit(FrameKind.END, 1, NO_FIRST, NO_LAST);
    }
    closed = true;
    frame.close();
    try {
      sink.close();
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  /**
   * Writes a whole file of what the writer's {@link FrameRing} holds: header, all definitions, the
   * kept frames and an end mark. The writer goes on afterwards.
   *
   * @param target takes the frames, outside of the writer's lock; the caller closes it
   * @throws IOException if the target throws it
   * @throws IllegalStateException if the writer's sink is no ring, or the writer is closed
   */
  public void snapshot(FrameSink target) throws IOException {
    for (FrameRing.Kept kept : frames()) {
      target.write(kept.header(), kept.frame(), kept.frame().length);
    }
  }

  private synchronized List<FrameRing.Kept> frames() {
    if (closed || !(sink instanceof FrameRing ring)) {
      throw new IllegalStateException("no open writer into a ring");
    }
    flush();
    List<FrameRing.Kept> frames = new ArrayList<>();
    header.encode(cleared(), frame.isRaw());
    frames.add(pack(FrameKind.HEADER, 1));
    dictionaries.rewind();
    cleared();
    dictionaries.encode(
        content,
        definitions -> {
          frames.add(pack(FrameKind.DICTIONARY, definitions));
          content.clear();
        });
    long records = 0;
    for (FrameRing.Kept kept : ring.frames()) {
      frames.add(kept);
      records += kept.header().kind() == FrameKind.DATA ? kept.header().records() : 0;
    }
    encodeMarks(null, RecordType.NONE, records);
    frames.add(pack(FrameKind.END, 1));
    return frames;
  }

  private FrameRing.Kept pack(FrameKind kind, int records) {
    FrameHeader packed = frame.pack(kind, content, records, NO_FIRST, NO_LAST);
    byte[] copy = Arrays.copyOf(frame.bytes(), FrameBytes.length(packed));
    return new FrameRing.Kept(packed, copy, 0);
  }

  /** How many rows stand in frames that were written. */
  public synchronized long recordsWritten() {
    return recordsWritten;
  }

  /** How many bytes were handed to the sink. */
  public synchronized long bytesWritten() {
    return bytesWritten;
  }

  /** How many frames could not be written. */
  public synchronized long failures() {
    return failures;
  }

  /** The first failure to write, or null. */
  public synchronized @Nullable Throwable firstFailure() {
    return firstFailure;
  }

  /** Whether frames hold raw blocks, because zstd-jni could not be loaded. */
  public boolean isRaw() {
    return frame.isRaw();
  }

  private void writeBlocks(List<RowBuffer> filled) {
    int rows = 0;
    long first = NO_FIRST;
    long last = NO_LAST;
    boolean written = isReady();
    cleared();
    for (RowBuffer buffer : filled) {
      rows += buffer.rows();
      if (written) {
        buffer.encode(content);
        first = Math.min(first, buffer.firstTime());
        last = Math.max(last, buffer.lastTime());
      }
      buffer.clear();
    }
    written = written && emit(FrameKind.DATA, rows, first, last);
    pendingRows -= rows;
    if (written) {
      recordsWritten += rows;
    } else {
      dropped.merge(NOT_WRITTEN, (long) rows, Long::sum);
    }
  }

  /** Writes what a frame of rows must find before it; whether that stands in the file. */
  private boolean isReady() {
    if (!headerWritten) {
      headerWritten = emitHeader();
      if (!headerWritten) {
        return false;
      }
    }
    long due = Math.max(options.repeatBytes(), DICTIONARY_SHARE * dictionaryBytes);
    if (bytesSinceDictionaries >= due) {
      dictionaries.rewind();
      dictionaryBytes = 0;
      bytesSinceDictionaries = 0;
    }
    if (dictionaries.isWritten()) {
      return true;
    }
    boolean[] written = {true};
    long before = bytesWritten;
    cleared();
    dictionaries.encode(
        content,
        definitions -> {
          written[0] = written[0] && emit(FrameKind.DICTIONARY, definitions, NO_FIRST, NO_LAST);
          content.clear();
        });
    dictionaryBytes += bytesWritten - before;
    bytesSinceDictionaries -= bytesWritten - before;
    if (!written[0]) {
      dictionaries.rewind();
    }
    return written[0];
  }

  private boolean emitHeader() {
    header.encode(cleared(), frame.isRaw());
    return emit(FrameKind.HEADER, 1, NO_FIRST, NO_LAST);
  }

  private void encodeMarks(@Nullable ClockTriple clock, long completeUpTo, long records) {
    cleared();
    content.map(clock == null ? 3 : 4);
    if (clock != null) {
      content.text("clock");
      TraceHeader.encode(clock, content);
    }
    content.text("complete");
    content.integer(completeUpTo);
    content.text("records");
    content.integer(records);
    content.text("dropped");
    content.map(dropped.size());
    dropped.forEach(
        (kind, count) -> {
          content.text(kind);
          content.integer(count);
        });
  }

  private CborOutput cleared() {
    content.clear();
    return content;
  }

  private boolean emit(FrameKind kind, int records, long first, long last) {
    try {
      FrameHeader packed = frame.pack(kind, content, records, first, last);
      int length = FrameBytes.length(packed);
      sink.write(packed, frame.bytes(), length);
      bytesWritten += length;
      bytesSinceDictionaries += length;
      return true;
    } catch (IOException | RuntimeException e) {
      failed(e);
      return false;
    }
  }

  private void failed(Exception failure) {
    failures++;
    if (firstFailure == null) {
      firstFailure = failure;
      options.onFailure().accept(failure);
    }
  }
}
