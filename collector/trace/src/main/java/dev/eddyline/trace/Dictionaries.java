package dev.eddyline.trace;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All that a writer has defined, and which of it stands in no frame yet. Items of a dictionary
 * frame are {@code [dictionary, first id, [definition, …]]}.
 */
final class Dictionaries {
  /** A frame is closed when it is this long; one more string may still come to it. */
  private static final int FRAME_BYTES = 1 << 20;

  /** Stands for every string that came when the dictionary was full. */
  static final String OVERFLOW = "(too many strings)";

  /** Where the definitions of one frame end. */
  interface FrameEnd {
    void frame(int definitions);
  }

  private final List<String> strings = new ArrayList<>();
  private final Map<String, Integer> stringIds = new HashMap<>();
  private final Map<Definition.Kind, List<Definition>> entries =
      new EnumMap<>(Definition.Kind.class);
  private final Map<Definition.Kind, BitSet> unwritten = new EnumMap<>(Definition.Kind.class);
  private final int maxStrings;
  private final long maxCharacters;
  private int overflowId = -1;
  private int stringsWritten = 1;
  private long characters;

  Dictionaries(int maxStrings, long maxCharacters) {
    this.maxStrings = maxStrings;
    this.maxCharacters = maxCharacters;
    strings.add("");
    stringIds.put("", 0);
    for (Definition.Kind kind : Definition.Kind.values()) {
      entries.put(kind, new ArrayList<>());
      unwritten.put(kind, new BitSet());
    }
  }

  /** The id of a string; that of {@value #OVERFLOW} where there is no room for a new one. */
  int string(String value) {
    Integer known = stringIds.get(value);
    if (known != null) {
      return known;
    }
    if (strings.size() < maxStrings && characters + value.length() <= maxCharacters) {
      return put(value);
    }
    if (overflowId < 0) {
      overflowId = put(OVERFLOW);
    }
    return overflowId;
  }

  private int put(String value) {
    int id = strings.size();
    strings.add(value);
    stringIds.put(value, id);
    characters += value.length();
    return id;
  }

  int add(Definition definition) {
    List<Definition> known = list(definition.kind());
    known.add(definition);
    bits(definition.kind()).set(known.size() - 1);
    return known.size() - 1;
  }

  void set(int id, Definition definition) {
    List<Definition> known = list(definition.kind());
    if (!known.get(id).equals(definition)) {
      known.set(id, definition);
      bits(definition.kind()).set(id);
    }
  }

  /** Makes all definitions count as unwritten, for a repetition. */
  void rewind() {
    stringsWritten = 1;
    for (Definition.Kind kind : Definition.Kind.values()) {
      bits(kind).set(0, list(kind).size());
    }
  }

  boolean isWritten() {
    return stringsWritten == strings.size()
        && unwritten.values().stream().allMatch(BitSet::isEmpty);
  }

  /** Writes what is unwritten, in frames of about {@value #FRAME_BYTES} bytes. */
  void encode(CborOutput out, FrameEnd end) {
    int definitions = 0;
    Fields fields = new Fields(out);
    for (Definition.Kind kind : Definition.Kind.values()) {
      BitSet ids = bits(kind);
      for (int id = ids.nextSetBit(0); id >= 0; id = ids.nextSetBit(id)) {
        int until = ids.nextClearBit(id);
        item(out, kind, id, until - id);
        for (Definition definition : list(kind).subList(id, until)) {
          definition.encode(fields);
        }
        definitions += until - id;
        id = until;
      }
      ids.clear();
    }
    while (stringsWritten < strings.size()) {
      int until = stringsWritten;
      for (int length = out.size(); until < strings.size() && length < FRAME_BYTES; until++) {
        length += strings.get(until).length();
      }
      if (until == stringsWritten) {
        end.frame(definitions);
        definitions = 0;
        continue;
      }
      item(out, Definition.Kind.STRING, stringsWritten, until - stringsWritten);
      strings.subList(stringsWritten, until).forEach(out::text);
      definitions += until - stringsWritten;
      stringsWritten = until;
    }
    if (definitions > 0) {
      end.frame(definitions);
    }
  }

  private static void item(CborOutput out, Definition.Kind kind, int firstId, int count) {
    out.array(3);
    out.integer(kind.code());
    out.integer(firstId);
    out.array(count);
  }

  private List<Definition> list(Definition.Kind kind) {
    return Objects.requireNonNull(entries.get(kind));
  }

  private BitSet bits(Definition.Kind kind) {
    return Objects.requireNonNull(unwritten.get(kind));
  }

  private record Fields(CborOutput out) implements Definition.Fields {
    @Override
    public void begin(int fields) {
      out.array(fields);
    }

    @Override
    public void number(long value) {
      out.integer(value);
    }

    @Override
    public void text(String value) {
      out.text(value);
    }

    @Override
    public void texts(Map<String, String> values) {
      out.map(values.size());
      values.forEach(
          (key, value) -> {
            out.text(key);
            out.text(value);
          });
    }
  }
}
