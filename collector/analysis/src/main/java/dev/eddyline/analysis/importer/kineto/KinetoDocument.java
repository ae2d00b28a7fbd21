package dev.eddyline.analysis.importer.kineto;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceInput;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Strings;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Loss;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One file on its way into the timeline: its structure, and how reading goes on behind faults. */
final class KinetoDocument {
  private static final long MAX_NAME_CHARACTERS = 64L << 20;
  private static final byte[] EVENTS_AGAIN = "[".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] FIELDS_AGAIN = "{\"\":0".getBytes(StandardCharsets.ISO_8859_1);

  /** What the parser is to read next. */
  private enum Part {
    WHOLE,
    /** The events behind a fault. */
    EVENTS,
    /** The fields that follow such events. */
    FIELDS
  }

  private final Path file;
  private final TraceInput input;
  private final Splice splice;
  private final TimelineBuilder target;
  private final ReadOptions options;
  private final JsonFactory factory;
  private final int source;
  private final KinetoHeader header = new KinetoHeader();
  private final KinetoIds ids;
  private final Communicators communicators = new Communicators();
  private final KinetoRows rows;
  private final TextTable names;
  private final KinetoEvent event;

  private boolean anyEvents;
  private long usedBase;
  private int recoveries;

  /** Where the parser's first byte lies in the file; lines and columns count from 0 here. */
  private long originByte;

  private long originLine;
  private long originColumn;

  /** Start of the event that is being read, or the end of the last good one. */
  private long unsafeFrom;

  KinetoDocument(Path file, TraceInput input, TimelineBuilder target, ReadOptions options) {
    this.file = file;
    this.input = input;
    this.splice = new Splice(input);
    this.target = target;
    this.options = options;
    source = target.addSource(new SourceInfo(file.toString(), "Kineto", Map.of()));
    ids = new KinetoIds(file.toString(), target, source, options.limits());
    rows = new KinetoRows(target, ids, communicators);
    names = new TextTable(target.strings()::intern);
    event = new KinetoEvent(names, options.limits().maxStringLength());
    factory =
        JsonFactory.builder()
            .streamReadConstraints(options.limits().streamReadConstraints())
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();
  }

  void read() throws IOException {
    Part part = Part.WHOLE;
    while (part != null) {
      part = read(part);
    }
    if (!anyEvents) {
      throw new TraceReadException(
          file + ": JSON, but no trace: it has no \"traceEvents\"; open what torch.profiler wrote");
    }
    finish();
  }

  private @Nullable Part read(Part part) throws IOException {
    try (JsonParser parser = factory.createParser(splice)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      try {
        switch (part) {
          case WHOLE -> readWhole(parser);
          case EVENTS -> {
            parser.nextToken();
            readEvents(parser);
            return fieldsBehind(parser);
          }
          case FIELDS -> {
            parser.nextToken();
            readFields(parser);
            readEnd(parser);
          }
        }
        return null;
      } catch (JsonProcessingException e) {
        return recover(parser, e);
      }
    }
  }

  private void readWhole(JsonParser parser) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == JsonToken.START_ARRAY) {
      readEvents(parser);
    } else if (first == JsonToken.START_OBJECT) {
      readFields(parser);
    } else {
      throw new TraceReadException(place(parser.currentTokenLocation()) + "expected '{' or '['");
    }
    readEnd(parser);
  }

  private void readEnd(JsonParser parser) throws IOException {
    unsafeFrom = originByte + parser.currentLocation().getByteOffset();
    if (parser.nextToken() != null) {
      fault(parser, "the end of the file", parser.currentTokenLocation(), -1);
    }
  }

  private void readFields(JsonParser parser) throws IOException {
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      if (field.equals("traceEvents") && value == JsonToken.START_ARRAY) {
        readEvents(parser);
      } else {
        header.readField(parser, field);
      }
    }
  }

  private void readEvents(JsonParser parser) throws IOException {
    if (!anyEvents) {
      usedBase = header.base();
      rows.setBase(usedBase);
      anyEvents = true;
    }
    boolean recover = options.recover();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      if (recover) {
        unsafeFrom = originByte + parser.currentTokenLocation().getByteOffset();
      }
      if (t == JsonToken.START_OBJECT) {
        event.read(parser);
        addEvent(parser);
      } else {
        JsonLocation start = parser.currentTokenLocation();
        parser.skipChildren();
        fault(parser, "an event, that is an object", start, end(parser));
      }
      if (recover) {
        unsafeFrom = end(parser);
      }
    }
  }

  private long end(JsonParser parser) {
    return originByte + parser.currentLocation().getByteOffset();
  }

  private void addEvent(JsonParser parser) throws IOException {
    if (!event.isRelevant()) {
      return;
    }
    if (event.phase != 'M' && event.fault == null) {
      event.checkTimes(usedBase);
    }
    if (event.fault != null && event.phase != 'M') {
      JsonLocation at = event.faultAt != null ? event.faultAt : parser.currentTokenLocation();
      fault(parser, event.fault, at, end(parser));
      return;
    }
    rows.add(event);
    if (target.strings().size() > options.limits().maxStrings()
        || names.characters() > MAX_NAME_CHARACTERS) {
      throw new TraceReadException(
          file + ": too many different names for a usable trace; record a shorter window");
    }
  }

  /** A value that is good JSON but cannot be used: fails, or leaves it out and goes on. */
  private void fault(JsonParser parser, String expected, JsonLocation at, long end)
      throws IOException {
    String message = place(at) + "expected " + expected;
    if (!options.recover()) {
      throw new TraceReadException(message);
    }
    countRecovery(message);
    target.addSkipped(new SkippedRange(source, unsafeFrom, end, "expected " + expected));
    unsafeFrom = end(parser);
  }

  private void countRecovery(String message) throws TraceReadException {
    if (++recoveries > options.limits().maxRecoveries()) {
      throw new TraceReadException(
          message + "; gave up after " + options.limits().maxRecoveries() + " such places");
    }
  }

  private String place(JsonLocation at) {
    long line = at.getLineNr();
    long column = line == 1 ? at.getColumnNr() + originColumn : at.getColumnNr();
    return file + ":" + (line + originLine) + ":" + column + ": ";
  }

  /** Finds where to go on behind a fault in the JSON. */
  private @Nullable Part recover(JsonParser parser, JsonProcessingException fault)
      throws IOException {
    JsonLocation at = fault.getLocation() != null ? fault.getLocation() : parser.currentLocation();
    String expected = "expected " + JsonFaults.expected(fault, options.limits());
    if (input.damage() != null) {
      expected = "expected more: the gzip data are cut off or damaged";
    }
    String message = place(at) + expected;
    if (!options.recover()) {
      throw new TraceReadException(message, fault);
    }
    countRecovery(message);
    Resync resync = behind(parser);
    boolean found = resync.toNextEvent();
    target.addSkipped(new SkippedRange(source, unsafeFrom, found ? resync.offset() : -1, expected));
    if (!found) {
      return null;
    }
    if (resync.base() >= 0) {
      header.setBase(resync.base());
    }
    goOn(resync, EVENTS_AGAIN);
    return Part.EVENTS;
  }

  /** After events that were read behind a fault: the fields that may follow their array. */
  private @Nullable Part fieldsBehind(JsonParser parser) throws IOException {
    Resync resync = behind(parser);
    if (resync.toNextByte() != ',') {
      return null;
    }
    goOn(resync, FIELDS_AGAIN);
    return Part.FIELDS;
  }

  /** Gives back what the parser has buffered, and stands where it stood. */
  private Resync behind(JsonParser parser) throws IOException {
    JsonLocation here = parser.currentLocation();
    ByteArrayOutputStream buffered = new ByteArrayOutputStream();
    parser.releaseBuffered(buffered);
    splice.putBack(buffered.toByteArray());
    long line = here.getLineNr();
    long column = line == 1 ? here.getColumnNr() + originColumn : here.getColumnNr();
    return new Resync(splice, originByte + here.getByteOffset(), line + originLine, column);
  }

  private void goOn(Resync from, byte[] prefix) {
    splice.putBack(prefix);
    originByte = from.offset() - prefix.length;
    originLine = from.line() - 1;
    originColumn = from.column() - 1 - prefix.length;
    unsafeFrom = from.offset();
  }

  private void finish() throws IOException {
    Strings strings = target.strings();
    header.completeFrom(String.valueOf(file.getFileName()));
    if (header.base() != usedBase) {
      rows.shift(header.base() - usedBase);
    }
    for (KinetoHeader.Group group : header.groups()) {
      communicators.number(
          strings.intern(group.description()), strings.intern(group.name()), group.size());
    }
    rows.finish(communicators.naming(strings, header.worldSize()));
    ids.applyThreadNames();
    for (int process : ids.allProcesses()) {
      ProcessInfo known = target.process(process);
      target.setProcess(
          process,
          new ProcessInfo(source, known.pid(), header.rank(), header.worldSize(), known.host()));
    }
    header
        .devices()
        .forEach(
            (id, device) -> {
              if (ids.devices().contains(id)) {
                target.addDevice(
                    new DeviceInfo(
                        ids.mainProcess(), id.intValue(), device.name(), device.multiprocessors()));
              }
            });
    target.setSource(
        source,
        new SourceInfo(
            file.toString(), "Kineto", header.properties(ids.devices(), rows.recordedNs())));
    for (KinetoHeader.Lost lost : header.losses()) {
      long[] row = new long[RecordType.LOSS.width()];
      Arrays.fill(row, RecordType.NONE);
      row[Loss.PROCESS] = ids.mainProcess();
      row[Loss.KIND] = strings.intern(lost.kind());
      row[Loss.COUNT] = lost.count();
      target.add(RecordType.LOSS, row);
    }
  }
}
