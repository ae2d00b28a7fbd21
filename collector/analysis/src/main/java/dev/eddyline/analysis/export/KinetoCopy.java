package dev.eddyline.analysis.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.eddyline.analysis.export.ChromeAdditions.Anchor;
import dev.eddyline.analysis.export.ChromeAdditions.Arrow;
import dev.eddyline.analysis.export.ChromeAdditions.Mark;
import dev.eddyline.analysis.export.ChromeEvents.Lane;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceInput;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies a Kineto file event by event, numbers as they are written there, and puts the additions
 * behind its last event. The lanes and the origin of time are learnt from the events on the way.
 */
final class KinetoCopy {
  private final ChromeAdditions additions;
  private final JsonGenerator json;
  private final OpView op;
  private final CallView call;
  private final Map<Long, Integer> wantedOps = new HashMap<>();
  private final Map<Long, Integer> wantedCalls = new HashMap<>();
  private final Map<Integer, Lane> opLanes = new HashMap<>();
  private final Map<Integer, Lane> callLanes = new HashMap<>();
  private @Nullable Long baseNs;
  private boolean added;

  // The event that is being copied.
  private String category = "";
  private @Nullable Object pid;
  private @Nullable Object tid;
  private @Nullable String ts;
  private long correlation;

  private KinetoCopy(Timeline timeline, ChromeAdditions additions, JsonGenerator json) {
    this.additions = additions;
    this.json = json;
    this.op = timeline.ops();
    this.call = timeline.calls();
    for (Arrow arrow : additions.arrows()) {
      want(arrow.from());
      want(arrow.to());
    }
    for (Mark mark : additions.marks()) {
      want(mark.at());
    }
    if (call.size() > 0) {
      want(new Anchor(false, 0, 0));
    }
  }

  private void want(@Nullable Anchor anchor) {
    if (anchor != null && anchor.isOp()) {
      wantedOps.put(op.at(anchor.row()).correlation(), anchor.row());
    } else if (anchor != null) {
      wantedCalls.put(call.at(anchor.row()).correlation(), anchor.row());
    }
  }

  static void write(
      Path file,
      Timeline timeline,
      ChromeAdditions additions,
      JsonGenerator json,
      ReadOptions options)
      throws IOException {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(options.limits().streamReadConstraints())
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();
    try (TraceInput input = TraceInput.open(file, options.progress());
        JsonParser parser = factory.createParser(input)) {
      new KinetoCopy(timeline, additions, json).copy(parser);
    }
  }

  private void copy(JsonParser parser) throws IOException {
    if (parser.nextToken() == JsonToken.START_ARRAY) {
      copyEvents(parser);
      return;
    }
    json.writeStartObject();
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      json.writeFieldName(field);
      if (parser.nextToken() == JsonToken.START_ARRAY && field.equals("traceEvents")) {
        copyEvents(parser);
      } else {
        copyValue(parser);
      }
    }
    json.writeEndObject();
  }

  private void copyEvents(JsonParser parser) throws IOException {
    json.writeStartArray();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      if (t == JsonToken.START_OBJECT) {
        copyEvent(parser);
      } else {
        copyValue(parser);
      }
    }
    if (!added) {
      added = true;
      writeAdditions();
    }
    json.writeEndArray();
  }

  private void copyEvent(JsonParser parser) throws IOException {
    category = "";
    pid = null;
    tid = null;
    ts = null;
    correlation = -1;
    json.writeStartObject();
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      json.writeFieldName(field);
      JsonToken token = parser.nextToken();
      if (field.equals("args") && token == JsonToken.START_OBJECT) {
        copyArguments(parser);
        continue;
      }
      switch (field) {
        case "cat" -> category = parser.getText().toLowerCase(Locale.ROOT);
        case "pid" -> pid = scalar(parser);
        case "tid" -> tid = scalar(parser);
        case "ts" -> ts = parser.getText();
        default -> {}
      }
      copyValue(parser);
    }
    json.writeEndObject();
    learn();
  }

  private void copyArguments(JsonParser parser) throws IOException {
    json.writeStartObject();
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      json.writeFieldName(field);
      JsonToken token = parser.nextToken();
      if (token == JsonToken.VALUE_NUMBER_INT && field.equals("correlation")) {
        correlation = parser.getLongValue();
      }
      copyValue(parser);
    }
    json.writeEndObject();
  }

  private static Object scalar(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        ? (Object) parser.getLongValue()
        : parser.getText();
  }

  /** Takes the lane, and once the origin of time, of an event that an addition stands on. */
  private void learn() {
    Object process = pid;
    Object thread = tid;
    if (correlation < 0 || process == null || thread == null) {
      return;
    }
    if (category.contains("runtime") || category.contains("driver")) {
      Integer row = wantedCalls.get(correlation);
      if (row != null) {
        callLanes.put(row, new Lane(process, thread));
        learnBase(row);
      }
    } else if (category.contains("kernel") || category.contains("mem")) {
      Integer row = wantedOps.get(correlation);
      if (row != null) {
        opLanes.put(row, new Lane(process, thread));
      }
    }
  }

  private void learnBase(int callRow) {
    String written = ts;
    if (baseNs == null && written != null) {
      long ns = new BigDecimal(written).movePointRight(3).longValue();
      baseNs = call.at(callRow).start() - ns;
    }
  }

  /** Copies the value at which the parser stands, numbers digit by digit. */
  private void copyValue(JsonParser parser) throws IOException {
    int depth = 0;
    JsonToken token = parser.currentToken();
    while (true) {
      switch (token) {
        case START_OBJECT -> {
          json.writeStartObject();
          depth++;
        }
        case START_ARRAY -> {
          json.writeStartArray();
          depth++;
        }
        case END_OBJECT -> {
          json.writeEndObject();
          depth--;
        }
        case END_ARRAY -> {
          json.writeEndArray();
          depth--;
        }
        case FIELD_NAME -> json.writeFieldName(parser.currentName());
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> copyNumber(parser);
        case VALUE_TRUE -> json.writeBoolean(true);
        case VALUE_FALSE -> json.writeBoolean(false);
        case VALUE_NULL -> json.writeNull();
        default -> json.writeString(parser.getText());
      }
      if (depth == 0) {
        return;
      }
      token = parser.nextToken();
    }
  }

  /** Kineto writes NaN and Infinity, which no strict reader takes. */
  private void copyNumber(JsonParser parser) throws IOException {
    String text = parser.getText();
    char last = text.charAt(text.length() - 1);
    if (Character.isDigit(last)) {
      json.writeNumber(text);
    } else {
      json.writeString(text);
    }
  }

  private void writeAdditions() throws IOException {
    long base = baseNs == null ? 0 : baseNs;
    ChromeEvents events = new ChromeEvents(json, additions.nodes());
    for (Arrow arrow : additions.arrows()) {
      Lane from = lane(arrow.from());
      Lane to = lane(arrow.to());
      if (from != null && to != null) {
        events.arrow(arrow, from, to, base);
      }
    }
    for (Mark mark : additions.marks()) {
      Anchor at = mark.at();
      events.mark(mark, at == null ? null : lane(at), base);
    }
  }

  private @Nullable Lane lane(Anchor anchor) {
    return anchor.isOp() ? opLanes.get(anchor.row()) : callLanes.get(anchor.row());
  }
}
