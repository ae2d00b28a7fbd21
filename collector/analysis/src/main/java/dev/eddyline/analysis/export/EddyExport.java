package dev.eddyline.analysis.export;

import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.ThreadInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.Column;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FileSink;
import dev.eddyline.trace.FrameSink;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a timeline as {@code .eddy}. Read back, it is the same timeline: the same rows in the same
 * order with the same ids, unless names were replaced. Only the names of its files differ: each
 * source then carries the name of the {@code .eddy} and, as a property, the name that it had.
 */
public final class EddyExport {
  private static final String WRITER = "eddyline export";
  private final Timeline timeline;
  private final EddyNames names;
  private final EddyWriter writer;

  private EddyExport(Timeline timeline, boolean scrub, FrameSink sink, WriterOptions options) {
    this.timeline = timeline;
    this.writer = new EddyWriter(sink, TraceHeader.imported(WRITER), options);
    this.names = scrub ? new EddyScrubber(timeline) : new EddyNames(timeline);
  }

  /**
   * Writes a file that only its owner may read.
   *
   * @param scrub whether names of hosts, threads and the program's own code are replaced, see
   *     {@link EddyScrubber}
   * @param overwrite whether an existing file is replaced
   * @throws java.nio.file.FileAlreadyExistsException if it exists and is not to be replaced
   * @throws IOException if it cannot be written
   */
  public static void write(Timeline timeline, Path file, boolean scrub, boolean overwrite)
      throws IOException {
    if (overwrite) {
      Files.deleteIfExists(file);
    }
    write(timeline, FileSink.create(file), scrub, WriterOptions.defaults());
  }

  /**
   * Writes to a sink, and closes it.
   *
   * @throws IOException if a frame could not be written
   */
  public static void write(
      Timeline timeline, FrameSink sink, boolean scrub, WriterOptions writerOptions)
      throws IOException {
    WriterOptions options = writerOptions.withStrings(Integer.MAX_VALUE, Long.MAX_VALUE);
    EddyExport export = new EddyExport(timeline, scrub, sink, options);
    export.run();
    Throwable failure = export.writer.firstFailure();
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  private void run() {
    try (writer) {
      names.defineAll(writer);
      defineSources();
      defineProcesses();
      defineStreams();
      for (RecordType type : RecordType.values()) {
        writeRows(timeline.table(type));
        writer.flush();
      }
    }
  }

  private void defineSources() {
    for (SourceInfo source : timeline.sources()) {
      Map<String, String> properties = new LinkedHashMap<>(source.properties());
      String before = properties.remove(EddyReader.EXPORTED_FROM);
      String file = before == null ? source.file() : before;
      writer.define(
          new Definition.SourceEntry(
              names.file(file), source.format(), names.properties(properties)));
    }
    for (SkippedRange skipped : timeline.skipped()) {
      writer.define(
          new Definition.SkippedEntry(
              skipped.source(), skipped.fromByte(), skipped.toByte(), names.what(skipped.what())));
    }
  }

  private void defineProcesses() {
    for (ProcessInfo process : timeline.processes()) {
      writer.define(
          new Definition.ProcessEntry(
              process.source(),
              process.pid(),
              process.rank(),
              process.worldSize(),
              names.host(process.host())));
    }
    for (ThreadInfo thread : timeline.threads()) {
      writer.define(
          new Definition.ThreadEntry(thread.process(), thread.tid(), names.thread(thread.name())));
    }
    for (DeviceInfo device : timeline.devices()) {
      writer.define(
          new Definition.DeviceEntry(
              device.process(), device.ordinal(), device.name(), device.multiprocessors()));
    }
  }

  private void defineStreams() {
    for (StreamInfo stream : timeline.streams()) {
      writer.define(
          new Definition.StreamEntry(
              stream.process(),
              stream.device(),
              stream.context(),
              stream.id(),
              stream.generation(),
              flags(stream.kind()),
              names.stream(stream.name())));
    }
  }

  private static int flags(StreamInfo.Kind kind) {
    return switch (kind) {
      case UNKNOWN -> Definition.StreamEntry.FLAGS_UNKNOWN;
      case BLOCKING -> Definition.StreamEntry.FLAGS_BLOCKING;
      case NON_BLOCKING -> Definition.StreamEntry.FLAGS_NON_BLOCKING;
      case LEGACY_DEFAULT -> Definition.StreamEntry.FLAGS_LEGACY_DEFAULT;
      case PER_THREAD_DEFAULT -> Definition.StreamEntry.FLAGS_PER_THREAD_DEFAULT;
    };
  }

  private void writeRows(Table table) {
    RecordType type = table.type();
    List<Column> columns = type.columns();
    long[] row = new long[type.width()];
    for (int i = 0; i < table.size(); i++) {
      table.copyRow(i, row);
      for (int column = 0; column < row.length; column++) {
        if (columns.get(column).meaning() == Column.Meaning.STRING && row[column] >= 0) {
          row[column] = names.string(type, column, row, writer);
        }
      }
      writer.append(type, row);
    }
  }
}
