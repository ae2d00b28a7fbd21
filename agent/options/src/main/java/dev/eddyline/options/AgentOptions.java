package dev.eddyline.options;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Options of one recording: {@code out=run-%h-%p.eddy,deep,stacks=record,wait}. A comma separates
 * options; where a value has one itself, a backslash stands before it. Words of a list may also be
 * separated by commas, as long as they are no names of options. Immutable.
 */
public final class AgentOptions {
  private final EnumMap<AgentOption, String> given;

  private AgentOptions(Map<AgentOption, String> given) {
    this.given = new EnumMap<>(AgentOption.class);
    this.given.putAll(given);
  }

  /** No option is given: all have their defaults. */
  public static AgentOptions defaults() {
    return new AgentOptions(Map.of());
  }

  /**
   * Reads options as they stand behind {@code -javaagent:eddyline-agent.jar=}.
   *
   * @throws OptionException if one is unknown, is given twice, or has a value that it cannot have
   */
  public static AgentOptions parse(String text) throws OptionException {
    Map<String, String> values = new java.util.LinkedHashMap<>();
    String last = "";
    for (String part : parts(text)) {
      int equals = part.indexOf('=');
      String key = (equals < 0 ? part : part.substring(0, equals)).strip();
      String value = equals < 0 ? "true" : part.substring(equals + 1);
      if (equals < 0 && goesOn(last, key)) {
        values.merge(last, key, (before, word) -> before + "+" + word);
        continue;
      }
      if (values.put(key, value) != null) {
        throw new OptionException(key + " is given twice");
      }
      if (equals < 0 && isUnfinished(key)) {
        throw new OptionException(key + " needs a value: " + key + "=…");
      }
      last = key;
    }
    return of(values);
  }

  /** Whether a word behind a list of words is meant as the next of them. */
  private static boolean goesOn(String last, String word) {
    List<String> words =
        AgentOption.of(last)
            .filter(option -> option.kind() == OptionKind.WORDS)
            .map(AgentOption::words)
            .orElse(List.of());
    List<String> all = new java.util.ArrayList<>(AgentOption.keys());
    all.addAll(words);
    return words.contains(NearestWord.of(word, all));
  }

  private static boolean isUnfinished(String key) {
    return AgentOption.of(key).filter(o -> o.kind() != OptionKind.FLAG).isPresent();
  }

  /**
   * Takes options by name.
   *
   * @throws OptionException as {@link #parse} does
   */
  public static AgentOptions of(Map<String, String> values) throws OptionException {
    Map<AgentOption, String> given = new HashMap<>();
    for (Map.Entry<String, String> entry : values.entrySet()) {
      String key = entry.getKey();
      Optional<AgentOption> option = AgentOption.of(key);
      if (option.isEmpty()) {
        String nearest = NearestWord.suggestion(key, AgentOption.keys());
        throw new OptionException(
            "unknown option '"
                + key
                + "'"
                + (nearest.isEmpty() ? "; there are: " : nearest + " There are: ")
                + String.join(", ", AgentOption.keys()));
      }
      option.get().kind().check(option.get(), entry.getValue());
      given.put(option.get(), entry.getValue());
    }
    AgentOptions options = new AgentOptions(given);
    options.checkTogether();
    return options;
  }

  private void checkTogether() throws OptionException {
    if (!has(AgentOption.RING)) {
      for (AgentOption part : List.of(AgentOption.RING_SIZE, AgentOption.RING_BLOCK)) {
        if (given.containsKey(part)) {
          throw new OptionException(part.key() + " has no effect without ring=TIME");
        }
      }
    } else if (given.containsKey(AgentOption.WINDOW)) {
      throw new OptionException("ring and window exclude each other");
    }
    if (bytes(AgentOption.BUFFER_SIZE) < 4096 || bytes(AgentOption.BUFFER_SIZE) > 16 << 20) {
      throw new OptionException("buffer-size lies between 4k and 16m");
    }
    if (bytes(AgentOption.BUFFERS) < 8 * bytes(AgentOption.BUFFER_SIZE)) {
      throw new OptionException("buffers must hold at least 8 of buffer-size");
    }
    if (nanos(AgentOption.FLUSH) < 1_000_000 || nanos(AgentOption.FLUSH) > 60_000_000_000L) {
      throw new OptionException("flush lies between 1ms and 1m");
    }
    if (words(AgentOption.STACKS).contains("none") && words(AgentOption.STACKS).size() > 1) {
      throw new OptionException("stacks=none stands alone");
    }
  }

  private static List<String> parts(String text) {
    List<String> parts = new java.util.ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length() && ",\\".indexOf(text.charAt(i + 1)) >= 0) {
        part.append(text.charAt(++i));
      } else if (c == ',') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    parts.removeIf(String::isBlank);
    return parts;
  }

  /** The value as it was given, or the default. */
  public String text(AgentOption option) {
    return given.getOrDefault(option, option.defaultValue());
  }

  /** Whether an option without which something stays off is on: a flag, a time above 0, a file. */
  public boolean has(AgentOption option) {
    return switch (option.kind()) {
      case FLAG -> flag(option);
      case DURATION -> nanos(option) > 0;
      default -> !text(option).isEmpty();
    };
  }

  /** Value of a flag. */
  public boolean flag(AgentOption option) {
    return text(option).equals("true");
  }

  /** Nanoseconds. */
  public long nanos(AgentOption option) {
    return OptionKind.nanos(text(option));
  }

  /** Bytes. */
  public long bytes(AgentOption option) {
    return OptionKind.bytes(text(option));
  }

  /** The words of a list. */
  public Set<String> words(AgentOption option) {
    return Set.copyOf(OptionKind.split(text(option)));
  }

  /** The part of the run to record, if not all of it. */
  public Optional<Window> window() {
    String value = text(AgentOption.WINDOW);
    return value.isEmpty() ? Optional.empty() : Optional.of(Window.parse(value));
  }

  /** These options with another value of one. */
  public AgentOptions with(AgentOption option, String value) throws OptionException {
    Map<String, String> values = new HashMap<>();
    given.forEach((key, text) -> values.put(key.key(), text));
    values.put(option.key(), value);
    return of(values);
  }

  /** Which options were given. */
  public Set<AgentOption> given() {
    EnumSet<AgentOption> set = EnumSet.noneOf(AgentOption.class);
    set.addAll(given.keySet());
    return set;
  }

  /** As {@link #parse} reads it; only what was given, in the order of the table. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    given.forEach(
        (option, value) -> {
          text.append(text.isEmpty() ? "" : ",").append(option.key());
          if (option.kind() != OptionKind.FLAG || !value.equals("true")) {
            text.append('=').append(value.replace("\\", "\\\\").replace(",", "\\,"));
          }
        });
    return text.toString();
  }
}
