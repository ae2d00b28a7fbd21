package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReader;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameKind;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads {@code .eddy} files. A frame that is damaged or cut costs its own records and is noted as
 * skipped; the end of a file that was cut, or not closed, as a {@link SkippedRange} to -1.
 */
public final class EddyReader implements TraceReader {
  static final String FORMAT = "Eddyline";

  /** Property of a source that was exported: the name of the file that it came from. */
  public static final String EXPORTED_FROM = "exported from";

  /** Heap that a record needs until the timeline is sorted, roughly. */
  private static final int BYTES_PER_RECORD = 40;

  /** The part of the heap that the strings of a file may take. */
  private static final int STRING_SHARE = 4;

  /** More threads would only hold more decoded frames at a time. */
  private static final int MAX_PARALLELISM = 4;

  private static final int GZIP_MAGIC = 0x8B1F;
  private static final String LOST_STRING = "(lost)";
  private final long maxRecords;
  private final int parallelism;

  /** A reader that takes as many records as fit into the heap, on up to four processors. */
  public EddyReader() {
    this(
        Runtime.getRuntime().maxMemory() / BYTES_PER_RECORD,
        Math.min(MAX_PARALLELISM, Runtime.getRuntime().availableProcessors()));
  }

  /**
   * @param maxRecords files with more are refused
   * @param parallelism how many threads decode frames; 1 for the calling thread alone
   */
  public EddyReader(long maxRecords, int parallelism) {
    this.maxRecords = maxRecords;
    this.parallelism = parallelism;
  }

  @Override
  public String format() {
    return FORMAT;
  }

  /** Either of the two marks of a first frame will do, so that one damaged byte hides no file. */
  @Override
  public boolean recognises(byte[] head) {
    if (head.length < Integer.BYTES) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.getInt(FrameHeader.MAGIC_OFFSET) == FrameHeader.MAGIC
        || (head.length >= FrameHeader.VERSION_OFFSET
            && bytes.getInt(FrameHeader.SIGNATURE_OFFSET) == FrameHeader.SIGNATURE);
  }

  @Override
  public void read(Path file, TimelineBuilder target, ReadOptions options) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      new Reading(file.toString(), channel, target, options).run();
    }
  }

  /** One file on its way into a timeline. */
  private final class Reading {
    private final String file;
    private final FileChannel channel;
    private final TimelineBuilder target;
    private final ReadOptions options;
    private final Gaps gaps;
    private final FileNotes notes = new FileNotes();
    private final FileDictionary dictionary;

    Reading(String file, FileChannel channel, TimelineBuilder target, ReadOptions options) {
      this.file = file;
      this.channel = channel;
      this.target = target;
      this.options = options;
      this.gaps = new Gaps(options.limits().maxRecoveries());
      this.dictionary =
          new FileDictionary(
              file, options.limits(), Runtime.getRuntime().maxMemory() / STRING_SHARE);
    }

    void run() throws IOException {
      checkStart();
      List<Frame> frames = FrameIndex.scan(channel, options.limits().maxFrameBytes(), gaps);
      checkSize(frames);
      try (FrameExpander expander = new FrameExpander(channel, options.limits())) {
        readDefinitions(frames, expander);
      }
      Definer definer = new Definer(dictionary, target, file, notes.properties());
      RowMapper mapper = definer.define(notes.epochOffset());
      addLosses(mapper);
      DataFrames data = new DataFrames(channel, mapper, options, parallelism);
      data.read(frames, gaps, this::add);
      gaps.of(definer.mainSource()).forEach(target::addSkipped);
    }

    private void checkStart() throws IOException {
      ByteBuffer head = ByteBuffer.allocate(FrameHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      FrameIndex.readFully(channel, head, 0);
      if (head.position() == 0) {
        throw new TraceReadException(file + ": the file is empty");
      }
      byte[] known = new byte[Integer.BYTES];
      ByteBuffer.wrap(known).order(ByteOrder.LITTLE_ENDIAN).putInt(FrameHeader.MAGIC);
      int length = Math.min(head.position(), known.length);
      boolean begins = head.slice(0, length).equals(ByteBuffer.wrap(known, 0, length));
      if (!begins && !recognises(head.array())) {
        boolean gzip = (head.getShort(0) & 0xFFFF) == GZIP_MAGIC;
        throw new TraceReadException(
            file + (gzip ? ": compressed with gzip; expand it first" : ": not an .eddy file"));
      }
      int version = head.getShort(FrameHeader.VERSION_OFFSET) & 0xFFFF;
      boolean isWhole = head.position() > FrameHeader.VERSION_OFFSET + 1;
      boolean isSigned = head.getInt(FrameHeader.SIGNATURE_OFFSET) == FrameHeader.SIGNATURE;
      if (begins && isWhole && isSigned && version > FrameHeader.VERSION) {
        refuse(version, head);
      }
    }

    /** Every version begins with a frame of this layout whose map names the release it needs. */
    private void refuse(int version, ByteBuffer head) throws IOException {
      FrameHeader header = head.hasRemaining() ? null : FrameHeader.decode(head, 0);
      if (header == null) {
        return;
      }
      Frame frame = new Frame(0, header);
      if (frame.end() > channel.size() || header.expanded() > FrameIndex.MAX_SMALL_FRAME) {
        throw new TraceReadException(newer(version, FileNotes.UNKNOWN_RELEASE));
      }
      try (FrameExpander expander = new FrameExpander(channel, options.limits())) {
        notes.header(expander.open(frame));
      } catch (DamagedFrameException | JacksonException e) {
        throw new TraceReadException(newer(version, FileNotes.UNKNOWN_RELEASE), e);
      }
      throw new TraceReadException(newer(version, notes.needs()));
    }

    private String newer(int version, String needs) {
      String release = needs.isEmpty() ? "a newer Eddyline" : "Eddyline ≥ " + needs;
      return file + ": needs " + release + " (its format version is " + version + ")";
    }

    private void checkSize(List<Frame> frames) throws TraceReadException {
      long records = 0;
      for (Frame frame : frames) {
        records += frame.header().kind() == FrameKind.DATA ? frame.header().records() : 0;
      }
      if (records > maxRecords) {
        throw new TraceReadException(
            file
                + ": "
                + records
                + " records, but this heap holds "
                + maxRecords
                + "; give more with EDDYLINE_JAVA_OPTS=-Xmx…");
      }
    }

    private void readDefinitions(List<Frame> frames, FrameExpander expander) throws IOException {
      long lastTime = 0;
      for (Frame frame : frames) {
        FrameHeader header = frame.header();
        if (header.kind() == FrameKind.DATA) {
          lastTime = header.lastTime() == FrameHeader.NO_LAST ? lastTime : header.lastTime();
          continue;
        }
        try (CBORParser parser = expander.open(frame)) {
          switch (header.kind()) {
            case HEADER -> notes.header(parser);
            case DICTIONARY -> dictionary.read(parser);
            default -> notes.marks(parser, lastTime);
          }
        } catch (DamagedFrameException e) {
          gaps.add(frame.offset(), frame.end(), e.expected());
        } catch (JacksonException e) {
          gaps.add(frame.offset(), frame.end(), "a frame of valid CBOR");
        }
      }
    }

    private void addLosses(RowMapper mapper) {
      if (mapper.processes().length == 0 || mapper.processes()[0] == RowMapper.UNDEFINED) {
        return;
      }
      long[] row = new long[RecordType.LOSS.width()];
      for (FileNotes.Loss loss : notes.losses()) {
        row[RecordType.Loss.TIME] = loss.time() + mapper.epochOffset();
        row[RecordType.Loss.PROCESS] = mapper.processes()[0];
        row[RecordType.Loss.KIND] = target.strings().intern(loss.kind());
        row[RecordType.Loss.COUNT] = loss.count();
        target.add(RecordType.LOSS, row);
      }
    }

    private void add(DataFrames.Decoded decoded) {
      if (decoded.rowsLeftOut() > 0) {
        gaps.add(
            decoded.frame().offset(),
            decoded.frame().end(),
            "the processes, threads and streams of " + decoded.rowsLeftOut() + " records");
      }
      if (decoded.stringsLost() > 0) {
        gaps.add(
            decoded.frame().offset(),
            decoded.frame().end(),
            "the strings of " + decoded.stringsLost() + " values");
        long lost = target.strings().intern(LOST_STRING);
        decoded.blocks().forEach(block -> RowMapper.name(block, lost));
      }
      if (decoded.rowsOfUnknownTypes() > 0) {
        gaps.add(
            decoded.frame().offset(),
            decoded.frame().end(),
            "records of known types; a newer Eddyline reads these");
      }
      for (Block block : decoded.blocks()) {
        target.addAll(block.type, block.columns, block.rows);
      }
    }
  }
}
