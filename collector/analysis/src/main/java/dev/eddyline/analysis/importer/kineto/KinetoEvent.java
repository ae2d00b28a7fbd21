package dev.eddyline.analysis.importer.kineto;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one event, as far as the importer needs them; one object for all events of a file.
 * Texts are ids in the timeline's strings, numbers that are not there {@link RecordType#NONE}.
 */
final class KinetoEvent {
  private static final int NO_STRING = -1;

  /** A quarter of what fits, so that sums and differences of times fit too. */
  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  /** A thread's or process's name where it is no number, as an id below every real one. */
  private static final long TEXT_IDS = -1000;

  private final Keys keys = new Keys();
  private final TextTable names;
  private final JsonText json;
  private final List<Category> categories = new ArrayList<>();
  private final TextTable categoryTable =
      new TextTable(
          text -> {
            categories.add(Category.of(text));
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

  /** What is wrong with a value of this event, or null. */
  @Nullable String fault;

  @Nullable JsonLocation faultAt;

  private boolean categoryKnown;

  KinetoEvent(TextTable names, int maxTextLength) {
    this.names = names;
    this.json = new JsonText(maxTextLength);
  }

  /** Whether rows are made of such an event. */
  boolean isRelevant() {
    return phase == 'X' && category != Category.OTHER || phase == 'M';
  }

  /** Finds fault with times that are not there, or beyond what nanoseconds can count. */
  void checkTimes(long base) {
    if (start == Microseconds.BAD) {
      fault = "a field \"ts\" before the end of the event";
    } else if (start < -MAX_TIME || start > MAX_TIME - Math.abs(base) || duration > MAX_TIME) {
      fault = "a time that 64-bit nanoseconds can hold";
    }
  }

  /** Reads the event at whose START_OBJECT the parser stands, up to its END_OBJECT. */
  void read(JsonParser parser) throws IOException {
    clear();
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      switch (keys.code(field)) {
        case Keys.PH -> phase = firstCharacter(parser, token);
        case Keys.CAT -> readCategory(parser, token);
        case Keys.NAME -> {
          if (mayMatter()) {
            name = text(parser, token);
          }
        }
        case Keys.PID -> pid = id(parser, token);
        case Keys.TID -> tid = id(parser, token);
        case Keys.TS -> start = time(parser, token, "ts");
        case Keys.DUR -> duration = Math.max(0, time(parser, token, "dur"));
        case Keys.ARGS -> readArguments(parser, token);
        default -> parser.skipChildren();
      }
    }
  }

  private boolean mayMatter() {
    return phase == 'M' || (phase == 0 || phase == 'X') && (!categoryKnown || isKnownCategory());
  }

  private boolean isKnownCategory() {
    return category != Category.OTHER;
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
    faultAt = null;
    clearArguments();
  }

  private void clearArguments() {
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

  private void readCategory(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_STRING) {
      parser.skipChildren();
      return;
    }
    int index =
        categoryTable.get(
            parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    category = categories.get(index);
    categoryKnown = true;
  }

  private void readArguments(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT || !mayMatter()) {
      parser.skipChildren();
      return;
    }
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      int key = keys.code(field);
      if (key == Keys.UNKNOWN) {
        parser.skipChildren();
      } else if (key >= Keys.COLLECTIVE) {
        readRareArgument(parser, value, key);
      } else {
        readArgument(parser, value, key);
      }
    }
  }

  private void readArgument(JsonParser parser, JsonToken value, int key) throws IOException {
    switch (key) {
      case Keys.NAME -> label = text(parser, value);
      case Keys.STREAM -> stream = number(parser, value);
      case Keys.DEVICE -> device = number(parser, value);
      case Keys.CONTEXT -> context = Math.max(0, number(parser, value));
      case Keys.CORRELATION -> correlation = number(parser, value);
      case Keys.BYTES -> bytes = number(parser, value);
      case Keys.GRID -> blocks = product(parser, value);
      case Keys.BLOCK -> blockThreads = product(parser, value);
      case Keys.GRAPH -> graph = number(parser, value);
      case Keys.GRAPH_NODE -> graphNode = number(parser, value);
      case Keys.INPUT_DIMS -> shape = rawText(parser, value);
      case Keys.INPUT_TYPE -> inputType = rawText(parser, value);
      default -> parser.skipChildren();
    }
  }

  private void readRareArgument(JsonParser parser, JsonToken value, int key) throws IOException {
    switch (key) {
      case Keys.COLLECTIVE -> collective = text(parser, value);
      case Keys.GROUP_NAME -> groupName = text(parser, value);
      case Keys.GROUP_DESCRIPTION -> groupDescription = text(parser, value);
      case Keys.COUNT_IN -> countIn = number(parser, value);
      case Keys.COUNT_OUT -> countOut = number(parser, value);
      case Keys.GROUP_SIZE -> groupSize = number(parser, value);
      case Keys.DTYPE -> dtype = text(parser, value);
      case Keys.SEQUENCE -> sequence = number(parser, value);
      case Keys.WAIT_STREAM -> waitStream = number(parser, value);
      case Keys.WAIT_RECORD -> waitRecord = number(parser, value);
      case Keys.WAIT_EVENT, Keys.EVENT -> event = number(parser, value);
      case Keys.SYNC_KIND -> syncKind = text(parser, value);
      default -> parser.skipChildren();
    }
  }

  private static char firstCharacter(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_STRING || parser.getTextLength() == 0) {
      parser.skipChildren();
      return '?';
    }
    return parser.getTextCharacters()[parser.getTextOffset()];
  }

  /** A text or a number as a text; arrays, objects and null are none. */
  private int text(JsonParser parser, JsonToken token) throws IOException {
    if (token == JsonToken.VALUE_STRING || token.isNumeric()) {
      return names.get(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    }
    parser.skipChildren();
    return NO_STRING;
  }

  private int rawText(JsonParser parser, JsonToken token) throws IOException {
    json.read(parser, token);
    if (json.isTooLong()) {
      fault = "a text of at most " + json.maxLength() + " characters";
      faultAt = parser.currentTokenLocation();
      return NO_STRING;
    }
    return names.get(json.characters(), 0, json.length());
  }

  private long time(JsonParser parser, JsonToken token, String field) throws IOException {
    long nanos = Microseconds.BAD;
    if (token.isNumeric() || token == JsonToken.VALUE_STRING) {
      nanos =
          Microseconds.toNanos(
              parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    } else {
      parser.skipChildren();
    }
    if (nanos == Microseconds.BAD) {
      fault = "a time in microseconds as the value of \"" + field + "\"";
      faultAt = parser.currentTokenLocation();
    }
    return nanos;
  }

  /** A whole number, {@link RecordType#NONE} where there is none or it stands for none. */
  private static long number(JsonParser parser, JsonToken token) throws IOException {
    if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
      parser.skipChildren();
      return RecordType.NONE;
    }
    long value =
        Microseconds.toInteger(
            parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    return value < 0 || value == 0xFFFF_FFFFL ? RecordType.NONE : value;
  }

  /** A process, thread or stream id: a number, the number that a text ends in, or a text. */
  private long id(JsonParser parser, JsonToken token) throws IOException {
    if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
      parser.skipChildren();
      return RecordType.NONE;
    }
    char[] characters = parser.getTextCharacters();
    int offset = parser.getTextOffset();
    int end = offset + parser.getTextLength();
    long value = Microseconds.toInteger(characters, offset, end - offset);
    if (value != Microseconds.BAD) {
      return value;
    }
    int first = end;
    while (first > offset && Character.isDigit(characters[first - 1])) {
      first--;
    }
    value = Microseconds.toInteger(characters, first, end - first);
    return value != Microseconds.BAD
        ? value
        : TEXT_IDS - names.get(characters, offset, end - offset);
  }

  /** The product of the numbers of an array: blocks of a grid, threads of a block. */
  private static long product(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return RecordType.NONE;
    }
    long product = 1;
    boolean known = true;
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      long value = number(parser, t);
      known &= value >= 0 && value <= Integer.MAX_VALUE && product <= Integer.MAX_VALUE;
      product = known ? product * value : 0;
    }
    return known ? product : RecordType.NONE;
  }
}
