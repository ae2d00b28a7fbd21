package dev.eddyline.analysis.importer.kineto;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes a JSON value that a parser passes as text again, spaced as Kineto spaces it, into one
 * array of characters that is used again: {@code [[3072, 1], []]}.
 */
final class JsonText {
  private final int maxLength;
  private char[] characters = new char[256];
  private int length;
  private boolean tooLong;

  JsonText(int maxLength) {
    this.maxLength = maxLength;
  }

  char[] characters() {
    return characters;
  }

  int length() {
    return length;
  }

  int maxLength() {
    return maxLength;
  }

  /** Whether the value was longer than allowed; its text is not complete then. */
  boolean isTooLong() {
    return tooLong;
  }

  /** Reads the value whose first token is given, up to its last token. */
  void read(JsonParser parser, JsonToken first) throws IOException {
    length = 0;
    tooLong = false;
    int depth = 0;
    boolean afterValue = false;
    JsonToken token = first;
    while (true) {
      switch (token) {
        case START_ARRAY, START_OBJECT -> {
          separate(afterValue);
          append(token == JsonToken.START_ARRAY ? '[' : '{');
          depth++;
          afterValue = false;
        }
        case END_ARRAY, END_OBJECT -> {
          append(token == JsonToken.END_ARRAY ? ']' : '}');
          depth--;
          afterValue = true;
        }
        case FIELD_NAME -> {
          separate(afterValue);
          appendQuoted(parser);
          append(':');
          append(' ');
          afterValue = false;
        }
        case VALUE_STRING -> {
          separate(afterValue);
          appendQuoted(parser);
          afterValue = true;
        }
        default -> {
          separate(afterValue);
          appendText(parser);
          afterValue = true;
        }
      }
      if (depth == 0) {
        return;
      }
      token = parser.nextToken();
    }
  }

  private void separate(boolean afterValue) {
    if (afterValue) {
      append(',');
      append(' ');
    }
  }

  private void appendQuoted(JsonParser parser) throws IOException {
    append('"');
    char[] text = parser.getTextCharacters();
    int end = parser.getTextOffset() + parser.getTextLength();
    for (int i = parser.getTextOffset(); i < end; i++) {
      if (text[i] == '"' || text[i] == '\\') {
        append('\\');
      }
      append(text[i]);
    }
    append('"');
  }

  private void appendText(JsonParser parser) throws IOException {
    char[] text = parser.getTextCharacters();
    int end = parser.getTextOffset() + parser.getTextLength();
    for (int i = parser.getTextOffset(); i < end; i++) {
      append(text[i]);
    }
  }

  private void append(char c) {
    if (length == characters.length) {
      if (length >= maxLength) {
        tooLong = true;
        return;
      }
      characters = Arrays.copyOf(characters, (int) Math.min(maxLength, length * 2L));
    }
    characters[length++] = c;
  }
}
