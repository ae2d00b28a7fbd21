package dev.eddyline.analysis.importer.kineto;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceInput;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.kineto.JsonWindow.Kind;
import dev.eddyline.analysis.importer.kineto.JsonWindow.Underflow;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * One file on its way into the timeline: its structure, and how reading goes on behind faults.
 *
 * <p>The file is read in steps: the start, a field of the file's object, an event, the end. A step
 * that reaches beyond the window is done again when more bytes are there, so a step changes nothing
 * but the cursor before it has seen all its bytes.
 */
final class KinetoDocument {
  private static final long MAX_TEXT_BYTES = 256L << 20;
  private static final long MAX_EVENTS = 100_000_000;
  private static final String GZIP_DAMAGED = "more: the gzip data are cut off or damaged";
  private static final String FILE_ENDS = "more: the file ends inside the trace";

  /** What comes next. */
  private enum Step {
    START,
    FIRST_FIELD,
    FIELD,
    FIRST_EVENT,
    EVENT,
    EVENT_BEHIND_FAULT,
    END,
    DONE
  }

  private final Path file;
  private final TraceInput input;
  private final TimelineBuilder target;
  private final ReadOptions options;
  private final JsonFactory factory;
  private final int source;
  private final JsonWindow window;
  private final KinetoHeader header = new KinetoHeader();
  private final KinetoIds ids;
  private final Communicators communicators = new Communicators();
  private final KinetoRows rows;
  private final KinetoEvent event;

  private boolean isObject;
  private boolean anyEvents;
  private long base;
  private int recoveries;
  private long events;

  KinetoDocument(Path file, TraceInput input, TimelineBuilder target, ReadOptions options) {
    this.file = file;
    this.input = input;
    this.target = target;
    this.options = options;
    TraceReadLimits limits = options.limits();
    source = target.addSource(new SourceInfo(file.toString(), "Kineto", Map.of()));
    window = new JsonWindow(input, 2L * limits.maxStringLength(), limits.maxDepth());
    ids = new KinetoIds(file.toString(), target, source, limits);
    rows = new KinetoRows(target, ids, communicators);
    TextTable names =
        new TextTable((b, from, to) -> target.strings().intern(JsonTexts.decode(b, from, to)));
    TextTable raws =
        new TextTable((b, from, to) -> target.strings().intern(JsonTexts.raw(b, from, to)));
    event = new KinetoEvent(names, raws, limits.maxStringLength());
    factory =
        JsonFactory.builder()
            .streamReadConstraints(limits.streamReadConstraints())
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();
  }

  /**
   * Reads the file.
   *
   * @throws TraceReadException if it is malformed, with the place; if recovery is allowed, only if
   *     it is no trace at all, or malformed too often
   */
  void read() throws IOException {
    Step step = Step.START;
    while (step != Step.DONE) {
      int mark = window.at;
      try {
        step = read(step);
      } catch (Underflow e) {
        step = more(step, mark);
      } catch (ScanFault e) {
        step = recover(step, e, mark);
      }
    }
    if (!anyEvents) {
      throw new TraceReadException(
          file + ": JSON, but no trace: it has no \"traceEvents\"; open what torch.profiler wrote");
    }
    new KinetoEnd(file, target, source, header, ids, communicators).finish(rows, base);
  }

  private Step read(Step step) throws IOException, ScanFault {
    return switch (step) {
      case START -> readStart();
      case FIRST_FIELD -> window.enter('}') ? readField() : Step.END;
      case FIELD -> window.isFurtherField() ? readField() : Step.END;
      case FIRST_EVENT -> window.enter(']') ? readEvent() : behindEvents();
      case EVENT -> window.isFurtherElement() ? readEvent() : behindEvents();
      case EVENT_BEHIND_FAULT -> readEvent();
      case END -> readEnd();
      case DONE -> Step.DONE;
    };
  }

  /** The window ends inside a step: gets more bytes and does it again, or finds the file ended. */
  private Step more(Step step, int mark) throws IOException {
    window.at = mark;
    try {
      if (window.slide(mark)) {
        return step;
      }
    } catch (ScanFault e) {
      return recover(step, e, mark);
    }
    if (step == Step.END && input.damage() == null) {
      return Step.DONE;
    }
    String expected = input.damage() == null ? FILE_ENDS : GZIP_DAMAGED;
    return recover(step, new ScanFault(window.offset(window.limit), expected), 0);
  }

  private Step readStart() throws ScanFault {
    if (window.at == 0 && window.isByteOrderMark()) {
      window.at += 3;
    }
    int first = window.next();
    isObject = first == '{';
    if (isObject) {
      return Step.FIRST_FIELD;
    }
    if (first != '[') {
      throw window.expected("'{' or '['");
    }
    beginEvents();
    return Step.FIRST_EVENT;
  }

  private Step readEnd() throws ScanFault {
    window.next();
    throw window.expected("the end of the file");
  }

  private Step readField() throws IOException, ScanFault {
    window.name();
    String field = JsonTexts.decode(window.bytes, window.from, window.to);
    if (field.equals("traceEvents") && window.next() == '[') {
      beginEvents();
      return Step.FIRST_EVENT;
    }
    boolean text = window.value() == Kind.TEXT;
    if (!KinetoHeader.isKnown(field)) {
      return Step.FIELD;
    }
    int from = text ? window.from - 1 : window.from;
    int to = text ? window.to + 1 : window.to;
    // As a String: of bytes Jackson would guess the encoding, by the first of them.
    try (JsonParser parser = factory.createParser(JsonTexts.raw(window.bytes, from, to))) {
      parser.nextToken();
      header.readField(parser, field);
    } catch (JsonProcessingException e) {
      String expected = "a value that can be read for \"" + field + "\"";
      leaveOut(
          new ScanFault(window.offset(from), expected), window.offset(from), window.offset(to));
    }
    return Step.FIELD;
  }

  private void beginEvents() {
    if (!anyEvents) {
      anyEvents = true;
      base = header.base();
      rows.setBase(base);
    }
  }

  private Step behindEvents() {
    return isObject ? Step.FIELD : Step.END;
  }

  private Step readEvent() throws IOException, ScanFault {
    if (window.next() != '{') {
      throw window.expected("an event, that is an object");
    }
    long begin = window.offset(window.at);
    event.read(window, base);
    if (!event.isRelevant()) {
      return Step.EVENT;
    }
    ScanFault fault = event.phase == 'M' ? null : event.fault();
    if (fault != null) {
      leaveOut(fault, begin, window.offset(window.at));
      return Step.EVENT;
    }
    rows.add(event);
    if (target.strings().size() > options.limits().maxStrings()
        || event.textBytes() > MAX_TEXT_BYTES) {
      throw new TraceReadException(
          file + ": too many different names for one trace; record a shorter window");
    }
    if (++events > MAX_EVENTS) {
      throw new TraceReadException(
          file + ": more than " + MAX_EVENTS + " events; record a shorter window");
    }
    return Step.EVENT;
  }

  /** Notes a part that cannot be used, or fails if that is not allowed. */
  private void leaveOut(ScanFault fault, long from, long to) throws TraceReadException {
    String expected = "expected " + fault.expected();
    int allowed = options.limits().maxRecoveries();
    if (!options.recover()) {
      throw new TraceReadException(Places.of(file, fault.offset()) + ": " + expected);
    }
    if (++recoveries > allowed) {
      throw new TraceReadException(
          Places.of(file, fault.offset())
              + ": "
              + expected
              + "; gave up after "
              + allowed
              + " such places");
    }
    target.addSkipped(new SkippedRange(source, from, to, expected));
  }

  /** Goes on at the next event behind a fault. */
  private Step recover(Step step, ScanFault fault, int mark) throws IOException {
    long begin = window.offset(window.behindSeparators(mark));
    if (!options.recover()) {
      leaveOut(fault, begin, -1);
    }
    // What looked like an event and was none must not be found again.
    int from = step == Step.EVENT_BEHIND_FAULT ? mark + 1 : mark;
    window.at = (int) Math.max(from, fault.offset() - window.offset(0));
    Resync resync = new Resync(window);
    boolean found = resync.toNextEvent();
    leaveOut(fault, begin, found ? window.offset(window.at) : -1);
    if (resync.base() >= 0) {
      header.setBase(resync.base());
    }
    if (!found) {
      return Step.DONE;
    }
    beginEvents();
    return Step.EVENT_BEHIND_FAULT;
  }
}
