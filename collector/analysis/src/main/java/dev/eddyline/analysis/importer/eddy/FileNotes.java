package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.eddyline.trace.ClockTriple;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the header, the marks and the end mark of a file say of it. */
final class FileNotes {
  /** Losses that a mark tells first. */
  record Loss(long time, String kind, long count) {}

  /** Version that a file wants, if it says none that can be read. */
  static final String UNKNOWN_RELEASE = "";

  private static final int MAX_LOSS_KINDS = 1000;
  private static final int MAX_LOSSES = 100_000;
  private final Map<String, String> properties = new LinkedHashMap<>();
  private final Map<String, Long> droppedSoFar = new LinkedHashMap<>();
  private final List<Loss> losses = new ArrayList<>();
  private final List<Long> clockOffsets = new ArrayList<>();
  private String needs = UNKNOWN_RELEASE;

  /** Takes a header frame. */
  void header(JsonParser parser) throws IOException, DamagedFrameException {
    Cbor.next(parser, JsonToken.START_OBJECT);
    Map<String, String> recorded = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      if (key.equals("needs") && value == JsonToken.VALUE_STRING) {
        needs = parser.getText();
      } else if (key.equals("compression") && value == JsonToken.VALUE_STRING) {
        if (parser.getText().equals("raw")) {
          recorded.put("compression", "none: zstd-jni could not be loaded");
        }
      } else if (key.equals("clock") && value == JsonToken.START_ARRAY) {
        clock(parser);
      } else if (key.equals("properties") && value == JsonToken.START_OBJECT) {
        properties.putAll(Cbor.texts(parser));
      } else if (key.equals("recorded") && value == JsonToken.START_OBJECT) {
        recorded(parser, recorded);
      } else {
        parser.skipChildren();
      }
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_OBJECT);
    properties.putAll(recorded);
  }

  private static void recorded(JsonParser parser, Map<String, String> target)
      throws IOException, DamagedFrameException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      Cbor.next(parser, JsonToken.START_ARRAY);
      List<String> values = Cbor.list(parser);
      if (!values.isEmpty()) {
        target.put(key, String.join(", ", values));
      }
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_OBJECT);
  }

  /**
   * Takes a frame of marks, or the end mark.
   *
   * @param lastTime latest time in the file before it
   */
  void marks(JsonParser parser, long lastTime) throws IOException, DamagedFrameException {
    Cbor.next(parser, JsonToken.START_OBJECT);
    long time = lastTime;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      if (key.equals("clock") && value == JsonToken.START_ARRAY) {
        time = clock(parser).monotonic();
      } else if (key.equals("dropped") && value == JsonToken.START_OBJECT) {
        dropped(parser, time);
      } else {
        parser.skipChildren();
      }
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_OBJECT);
  }

  private ClockTriple clock(JsonParser parser) throws IOException, DamagedFrameException {
    ClockTriple clock =
        new ClockTriple(Cbor.number(parser), Cbor.number(parser), Cbor.number(parser));
    Cbor.skipRest(parser);
    clockOffsets.add(clock.realtime() - clock.monotonic());
    return clock;
  }

  private void dropped(JsonParser parser, long time) throws IOException, DamagedFrameException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String kind = parser.currentName();
      long soFar = Cbor.number(parser);
      long before = droppedSoFar.getOrDefault(kind, 0L);
      if (droppedSoFar.size() >= MAX_LOSS_KINDS && !droppedSoFar.containsKey(kind)) {
        throw new DamagedFrameException("at most " + MAX_LOSS_KINDS + " kinds of losses");
      }
      if (losses.size() >= MAX_LOSSES) {
        throw new DamagedFrameException("at most " + MAX_LOSSES + " losses");
      }
      if (soFar > before) {
        droppedSoFar.put(kind, soFar);
        losses.add(new Loss(time, kind, soFar - before));
      }
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_OBJECT);
  }

  /** What the header says, to be shown. */
  Map<String, String> properties() {
    return properties;
  }

  /** The first release that reads the file, {@link #UNKNOWN_RELEASE} if it does not say. */
  String needs() {
    return needs;
  }

  List<Loss> losses() {
    return losses;
  }

  /**
   * What is to be added to a time of the file's axis to get nanoseconds since the Unix epoch: the
   * median over all clock triples, so that one step of the real-time clock moves nothing; 0 where
   * there is none.
   */
  long epochOffset() {
    if (clockOffsets.isEmpty()) {
      return 0;
    }
    List<Long> sorted = clockOffsets.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
