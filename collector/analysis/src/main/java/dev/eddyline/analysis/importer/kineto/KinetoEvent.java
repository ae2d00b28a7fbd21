package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.kineto.JsonWindow.Kind;
import dev.eddyline.trace.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one event, as far as the importer needs them; one object for all events of a file.
 * Texts are ids in the timeline's strings, numbers that are not there {@link RecordType#NONE}.
 */
final class KinetoEvent {
  private static final int NO_STRING = -1;

  /** A thread's or process's name where it is no number, as an id below every real one. */
  static final long TEXT_IDS = Long.MIN_VALUE / 2;

  /** Half of what fits, so that the sum of two times fits too. */
  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  private final EventKeys keys = new EventKeys();
  private final TextTable names;
  private final TextTable raws;
  private final int maxTextLength;
  private final List<Category> categories = new ArrayList<>();
  private final TextTable categoryTable =
      new TextTable(
          (bytes, from, to) -> {
            categories.add(Category.of(JsonTexts.decode(bytes, from, to)));
            return categories.size() - 1;
          });

  char phase;
  Category category = Category.OTHER;
  int name;
  long pid;
  long tid;
  long start;
  long duration;
  long stream;
  long device;
  long context;
  long correlation;
  long bytes;
  long blocks;
  long blockThreads;
  long graph;
  long graphNode;
  int shape;
  int inputType;
  int collective;
  int groupName;
  int groupDescription;
  long countIn;
  long countOut;
  long groupSize;
  int dtype;
  long sequence;
  long waitStream;
  long waitRecord;
  long event;
  int syncKind;
  int label;

  private boolean categoryKnown;
  private @Nullable ScanFault fault;

  /**
   * Reads events.
   *
   * @param names numbers texts, without their quotes and escapes
   * @param raws numbers JSON values as they stand in the file
   * @param maxTextLength bytes of the longest text or value to keep
   */
  KinetoEvent(TextTable names, TextTable raws, int maxTextLength) {
    this.names = names;
    this.raws = raws;
    this.maxTextLength = maxTextLength;
  }

  /** How much memory the texts of all events take, roughly. */
  long textBytes() {
    return names.totalBytes() + raws.totalBytes() + categoryTable.totalBytes();
  }

  /** Whether rows are made of such an event. */
  boolean isRelevant() {
    return phase == 'X' && category != Category.OTHER || phase == 'M';
  }

  /** What is wrong with a value that rows need, or null. */
  @Nullable ScanFault fault() {
    return fault;
  }

  /** Reads the event at whose '{' the window's cursor stands. */
  void read(JsonWindow window, long base) throws ScanFault {
    clear();
    int begin = window.at;
    for (boolean more = window.enter('}'); more; more = window.isFurtherField()) {
      window.name();
      int key = keys.code(window.bytes, window.from, window.to);
      if (key == EventKeys.ARGS && window.next() == '{' && mayMatter()) {
        readArguments(window);
        continue;
      }
      Kind kind = window.value();
      switch (key) {
        case EventKeys.PH -> phase = window.to > window.from ? (char) window.bytes[window.from] : 0;
        case EventKeys.CAT -> readCategory(window);
        case EventKeys.NAME -> {
          if (mayMatter()) {
            name = text(window, kind);
          }
        }
        case EventKeys.PID -> pid = id(window, kind);
        case EventKeys.TID -> tid = id(window, kind);
        case EventKeys.TS -> start = time(window, "ts");
        case EventKeys.DUR -> duration = Math.max(0, time(window, "dur"));
        default -> {}
      }
    }
    if (fault == null) {
      checkTimes(window, begin, base);
    }
  }

  private void checkTimes(JsonWindow window, int begin, long base) {
    if (start == Microseconds.BAD) {
      fault = new ScanFault(window.offset(begin), "a field \"ts\" in the event");
    } else if (start < -MAX_TIME || start > MAX_TIME - base || duration > MAX_TIME) {
      fault = new ScanFault(window.offset(begin), "times that 64-bit nanoseconds can hold");
    }
  }

  private boolean mayMatter() {
    if (phase == 'M') {
      return true;
    }
    return (phase == 0 || phase == 'X') && (!categoryKnown || category != Category.OTHER);
  }

  private void clear() {
    phase = 0;
    category = Category.OTHER;
    categoryKnown = false;
    name = NO_STRING;
    pid = RecordType.NONE;
    tid = RecordType.NONE;
    start = Microseconds.BAD;
    duration = 0;
    fault = null;
    stream = RecordType.NONE;
    device = RecordType.NONE;
    context = 0;
    correlation = RecordType.NONE;
    bytes = RecordType.NONE;
    blocks = RecordType.NONE;
    blockThreads = RecordType.NONE;
    graph = RecordType.NONE;
    graphNode = RecordType.NONE;
    shape = NO_STRING;
    inputType = NO_STRING;
    collective = NO_STRING;
    groupName = NO_STRING;
    groupDescription = NO_STRING;
    countIn = RecordType.NONE;
    countOut = RecordType.NONE;
    groupSize = RecordType.NONE;
    dtype = NO_STRING;
    sequence = RecordType.NONE;
    waitStream = RecordType.NONE;
    waitRecord = RecordType.NONE;
    event = RecordType.NONE;
    syncKind = NO_STRING;
    label = NO_STRING;
  }

  private void readCategory(JsonWindow window) {
    category = categories.get(categoryTable.get(window.bytes, window.from, window.to));
    categoryKnown = true;
  }

  private void readArguments(JsonWindow window) throws ScanFault {
    for (boolean more = window.enter('}'); more; more = window.isFurtherField()) {
      window.name();
      int key = keys.code(window.bytes, window.from, window.to);
      Kind kind = window.value();
      if (key >= EventKeys.COLLECTIVE) {
        readRareArgument(window, kind, key);
      } else if (key != EventKeys.UNKNOWN) {
        readArgument(window, kind, key);
      }
    }
  }

  private void readArgument(JsonWindow window, Kind kind, int key) {
    switch (key) {
      case EventKeys.NAME -> label = text(window, kind);
      case EventKeys.STREAM -> stream = number(window);
      case EventKeys.DEVICE -> device = number(window);
      case EventKeys.CONTEXT -> context = Math.max(0, number(window));
      case EventKeys.CORRELATION -> correlation = number(window);
      case EventKeys.BYTES -> bytes = number(window);
      case EventKeys.GRID -> blocks = product(window, kind);
      case EventKeys.BLOCK -> blockThreads = product(window, kind);
      case EventKeys.GRAPH -> graph = number(window);
      case EventKeys.GRAPH_NODE -> graphNode = number(window);
      case EventKeys.INPUT_DIMS -> shape = raw(window, kind);
      case EventKeys.INPUT_TYPE -> inputType = raw(window, kind);
      default -> {}
    }
  }

  private void readRareArgument(JsonWindow window, Kind kind, int key) {
    switch (key) {
      case EventKeys.COLLECTIVE -> collective = text(window, kind);
      case EventKeys.GROUP_NAME -> groupName = text(window, kind);
      case EventKeys.GROUP_DESCRIPTION -> groupDescription = text(window, kind);
      case EventKeys.COUNT_IN -> countIn = number(window);
      case EventKeys.COUNT_OUT -> countOut = number(window);
      case EventKeys.GROUP_SIZE -> groupSize = number(window);
      case EventKeys.DTYPE -> dtype = text(window, kind);
      case EventKeys.SEQUENCE -> sequence = number(window);
      case EventKeys.WAIT_STREAM -> waitStream = number(window);
      case EventKeys.WAIT_RECORD -> waitRecord = number(window);
      case EventKeys.WAIT_EVENT, EventKeys.EVENT -> event = number(window);
      case EventKeys.SYNC_KIND -> syncKind = text(window, kind);
      default -> {}
    }
  }

  /** A text, or a number as a text; arrays, objects and words are none. */
  private int text(JsonWindow window, Kind kind) {
    boolean known = kind == Kind.TEXT || kind == Kind.NUMBER;
    return known && isShort(window) ? names.get(window.bytes, window.from, window.to) : NO_STRING;
  }

  private int raw(JsonWindow window, Kind kind) {
    if (kind == Kind.WORD || !isShort(window)) {
      return NO_STRING;
    }
    return raws.get(window.bytes, window.from, window.to);
  }

  private boolean isShort(JsonWindow window) {
    if (window.to - window.from <= maxTextLength) {
      return true;
    }
    fault =
        new ScanFault(
            window.offset(window.from), "a text of at most " + maxTextLength + " characters");
    return false;
  }

  private long time(JsonWindow window, String field) {
    long nanos = Microseconds.toNanos(window.bytes, window.from, window.to);
    if (nanos == Microseconds.BAD) {
      fault =
          new ScanFault(
              window.offset(window.from),
              "a time in microseconds as the value of \"" + field + "\"");
    }
    return nanos;
  }

  /** A whole number, {@link RecordType#NONE} where there is none or it stands for none. */
  private static long number(JsonWindow window) {
    return number(window.bytes, window.from, window.to);
  }

  private static long number(byte[] bytes, int from, int to) {
    long value = Microseconds.toInteger(bytes, from, to);
    return value < 0 || value == 0xFFFF_FFFFL ? RecordType.NONE : value;
  }

  /** A process, thread or stream id: a number, the number that a text ends in, or a text. */
  private long id(JsonWindow window, Kind kind) {
    int to = window.to;
    long value = Microseconds.toInteger(window.bytes, window.from, to);
    if (value != Microseconds.BAD) {
      return value;
    }
    int first = to;
    while (first > window.from && isDigit(window.bytes[first - 1])) {
      first--;
    }
    value = Microseconds.toInteger(window.bytes, first, to);
    if (value != Microseconds.BAD) {
      return value;
    }
    return mayMatter() ? TEXT_IDS - Math.max(0, text(window, kind)) : TEXT_IDS;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** The product of the numbers of an array: blocks of a grid, threads of a block. */
  private static long product(JsonWindow window, Kind kind) {
    if (kind != Kind.ARRAY) {
      return RecordType.NONE;
    }
    long product = 1;
    int i = window.from;
    while (i < window.to) {
      int digits = i;
      while (i < window.to && isDigit(window.bytes[i])) {
        i++;
      }
      if (i > digits) {
        long value = number(window.bytes, digits, i);
        if (value < 0 || value > Integer.MAX_VALUE || product > Integer.MAX_VALUE) {
          return RecordType.NONE;
        }
        product *= value;
      }
      i++;
    }
    return product;
  }
}
