package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Steps of reading CBOR that say what they expect. */
final class Cbor {
  private Cbor() {}

  /** Moves to the next token, which must be this one. */
  static void next(JsonParser parser, JsonToken expected)
      throws IOException, DamagedFrameException {
    at(parser, parser.nextToken(), expected);
  }

  /** Demands that the token, null at the end, is this one. */
  static void at(JsonParser parser, @Nullable JsonToken token, JsonToken expected)
      throws DamagedFrameException {
    if (token != expected) {
      throw new DamagedFrameException(
          words(expected)
              + " at byte "
              + parser.currentTokenLocation().getByteOffset()
              + " of a frame");
    }
  }

  private static String words(JsonToken token) {
    return switch (token) {
      case START_ARRAY -> "an array";
      case END_ARRAY -> "the end of an array";
      case START_OBJECT -> "a map";
      case END_OBJECT -> "the end of a map";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_STRING -> "text";
      case VALUE_EMBEDDED_OBJECT -> "a typed array";
      default -> token.name();
    };
  }

  static long number(JsonParser parser) throws IOException, DamagedFrameException {
    next(parser, JsonToken.VALUE_NUMBER_INT);
    return parser.getLongValue();
  }

  static int smallNumber(JsonParser parser) throws IOException, DamagedFrameException {
    next(parser, JsonToken.VALUE_NUMBER_INT);
    return parser.getIntValue();
  }

  static String text(JsonParser parser) throws IOException, DamagedFrameException {
    next(parser, JsonToken.VALUE_STRING);
    return parser.getText();
  }

  /** The map at which the parser stands, with text for text. */
  static Map<String, String> texts(JsonParser parser) throws IOException, DamagedFrameException {
    Map<String, String> texts = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      texts.put(key, text(parser));
    }
    at(parser, parser.currentToken(), JsonToken.END_OBJECT);
    return texts;
  }

  /** The array of texts at which the parser stands. */
  static List<String> list(JsonParser parser) throws IOException, DamagedFrameException {
    List<String> texts = new ArrayList<>();
    while (parser.nextToken() == JsonToken.VALUE_STRING) {
      texts.add(parser.getText());
    }
    at(parser, parser.currentToken(), JsonToken.END_ARRAY);
    return texts;
  }

  /** Passes over the rest of the array in which the parser stands, which a newer release wrote. */
  static void skipRest(JsonParser parser) throws IOException, DamagedFrameException {
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      if (token == null) {
        throw new DamagedFrameException("the end of an array");
      }
      parser.skipChildren();
      token = parser.nextToken();
    }
  }
}
