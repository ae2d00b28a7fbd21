package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.Definition.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** All definitions of a file, by dictionary and id; the last definition of an id holds. */
final class FileDictionary {
  /** What a string costs beside its characters, roughly. */
  private static final int STRING_OVERHEAD = 56;

  private final String file;
  private final TraceReadLimits limits;
  private final long maxCharacters;
  private final List<@Nullable String> strings = new ArrayList<>();
  private final Map<Kind, List<@Nullable Definition>> entries = new EnumMap<>(Kind.class);
  private long characters;

  /**
   * @param file its name, for messages
   * @param maxCharacters characters of all names and strings together
   */
  FileDictionary(String file, TraceReadLimits limits, long maxCharacters) {
    this.file = file;
    this.limits = limits;
    this.maxCharacters = maxCharacters;
    strings.add("");
    for (Kind kind : Kind.values()) {
      entries.put(kind, new ArrayList<>());
    }
  }

  /** The strings by id, null where one is not defined. */
  List<@Nullable String> strings() {
    return strings;
  }

  /** The definitions of a kind by id, null where one is not defined. */
  List<@Nullable Definition> entries(Kind kind) {
    return Objects.requireNonNull(entries.get(kind));
  }

  /**
   * Takes a dictionary frame.
   *
   * @throws TraceReadException if there are more definitions than the limits allow
   */
  void read(JsonParser parser) throws IOException, DamagedFrameException {
    JsonToken token = parser.nextToken();
    for (; token != null; token = parser.nextToken()) {
      Cbor.at(parser, token, JsonToken.START_ARRAY);
      Kind kind = kind(Cbor.number(parser));
      int id = Cbor.smallNumber(parser);
      if (id < 0) {
        throw new DamagedFrameException("an id that is not negative");
      }
      Cbor.next(parser, JsonToken.START_ARRAY);
      if (kind == null) {
        Cbor.skipRest(parser);
      } else if (kind == Kind.STRING) {
        readStrings(parser, id);
      } else {
        readEntries(parser, kind, id);
      }
      Cbor.skipRest(parser);
    }
  }

  private static @Nullable Kind kind(long code) {
    for (Kind kind : Kind.values()) {
      if (kind.code() == code) {
        return kind;
      }
    }
    return null;
  }

  private void readStrings(JsonParser parser, int firstId)
      throws IOException, DamagedFrameException {
    int id = firstId;
    while (parser.nextToken() == JsonToken.VALUE_STRING) {
      limit(id, limits.maxStrings(), "strings");
      String value = parser.getText();
      if (id >= strings.size() || !value.equals(strings.get(id))) {
        count(value.length());
        put(strings, id, value);
      }
      id++;
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_ARRAY);
  }

  private void readEntries(JsonParser parser, Kind kind, int firstId)
      throws IOException, DamagedFrameException {
    int id = firstId;
    while (parser.nextToken() == JsonToken.START_ARRAY) {
      limit(id, maxEntries(kind), kind == Kind.STREAM ? "streams" : "definitions");
      Definition definition = entry(parser, kind);
      Cbor.skipRest(parser);
      List<@Nullable Definition> known = entries(kind);
      if (id >= known.size() || !definition.equals(known.get(id))) {
        count(definition.toString().length());
        put(known, id, definition);
      }
      id++;
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_ARRAY);
  }

  private int maxEntries(Kind kind) {
    return kind == Kind.STREAM ? limits.maxStreams() : limits.maxThreads();
  }

  private static Definition entry(JsonParser parser, Kind kind)
      throws IOException, DamagedFrameException {
    return switch (kind) {
      case SOURCE -> {
        String file = Cbor.text(parser);
        String format = Cbor.text(parser);
        Cbor.next(parser, JsonToken.START_OBJECT);
        yield new Definition.SourceEntry(file, format, Cbor.texts(parser));
      }
      case PROCESS ->
          new Definition.ProcessEntry(
              Cbor.smallNumber(parser),
              Cbor.number(parser),
              Cbor.smallNumber(parser),
              Cbor.smallNumber(parser),
              Cbor.text(parser));
      case THREAD ->
          new Definition.ThreadEntry(
              Cbor.smallNumber(parser), Cbor.number(parser), Cbor.text(parser));
      case DEVICE ->
          new Definition.DeviceEntry(
              Cbor.smallNumber(parser),
              Cbor.smallNumber(parser),
              Cbor.text(parser),
              Cbor.smallNumber(parser));
      case STREAM ->
          new Definition.StreamEntry(
              Cbor.smallNumber(parser),
              Cbor.smallNumber(parser),
              Cbor.number(parser),
              Cbor.number(parser),
              Cbor.smallNumber(parser),
              Cbor.smallNumber(parser),
              Cbor.text(parser));
      case SKIPPED ->
          new Definition.SkippedEntry(
              Cbor.smallNumber(parser),
              Cbor.number(parser),
              Cbor.number(parser),
              Cbor.text(parser));
      case STRING -> throw new DamagedFrameException("a definition");
    };
  }

  private void count(int length) throws TraceReadException {
    characters += length + STRING_OVERHEAD;
    if (characters > maxCharacters) {
      throw new TraceReadException(
          file
              + ": its strings need more than "
              + (maxCharacters >> 20)
              + " MiB of memory; give more with EDDYLINE_JAVA_OPTS=-Xmx…");
    }
  }

  private void limit(int id, int max, String what) throws TraceReadException {
    if (id >= max) {
      throw new TraceReadException(file + ": more than " + max + " " + what);
    }
  }

  private static <T> void put(List<@Nullable T> list, int id, T value) {
    while (list.size() <= id) {
      list.add(null);
    }
    list.set(id, value);
  }
}
