package dev.eddyline.options;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the value of an option is: how it is written, and what is wrong with it. */
public enum OptionKind {
  /** On where it is named; {@code deep}, {@code deep=true}, {@code deep=false}. */
  FLAG("true or false") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      if (!value.equals("true") && !value.equals("false")) {
        throw wrong(option, value);
      }
    }
  },
  /** A length of time with its unit: {@code 500us}, {@code 30s}, {@code 5m}. */
  DURATION("a time with its unit (ns, us, ms, s, m, h), as 500us or 30s") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      if (nanos(value) < 0) {
        throw wrong(option, value);
      }
    }
  },
  /** A number of bytes: {@code 4096}, {@code 128k}, {@code 64m}, {@code 1g}. */
  SIZE("a number of bytes, as 128k, 64m or 1g") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      if (bytes(value) < 0) {
        throw wrong(option, value);
      }
    }
  },
  /** A file. */
  FILE("the name of a file") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      if (value.isBlank() || value.indexOf('\0') >= 0) {
        throw wrong(option, value);
      }
    }
  },
  /** A file whose name has places to fill in, see {@link FilePattern}. */
  PATTERN("the name of a file; in it " + FilePattern.PLACES) {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      FILE.check(option, value);
      FilePattern.check(value);
    }
  },
  /** One word of a list. */
  CHOICE("") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      if (!option.words().contains(value)) {
        throw notOneOf(option, value);
      }
    }
  },
  /** Some words of a list, joined by + or by commas. */
  WORDS("") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      for (String word : split(value)) {
        if (!option.words().contains(word)) {
          throw notOneOf(option, word);
        }
      }
    }
  },
  /** From when until when, see {@link Window}. */
  WINDOW("FROM..TO, each a time since the start or the name of a step or range, as 30s..60s") {
    @Override
    void check(AgentOption option, String value) throws OptionException {
      if (!Window.isOne(value)) {
        throw wrong(option, value);
      }
    }
  };

  private static final Pattern NUMBER = Pattern.compile("(\\d{1,15})([a-z]*)");
  private final String form;

  OptionKind(String form) {
    this.form = form;
  }

  /** Throws if the value is not of this kind. */
  abstract void check(AgentOption option, String value) throws OptionException;

  OptionException wrong(AgentOption option, String value) {
    return new OptionException(option.key() + " cannot be '" + value + "': it is " + form);
  }

  private static OptionException notOneOf(AgentOption option, String value) {
    String nearest = NearestWord.suggestion(value, option.words());
    return new OptionException(
        option.key()
            + " cannot be '"
            + value
            + "'"
            + (nearest.isEmpty() ? "; there are: " : nearest + " There are: ")
            + String.join(", ", option.words()));
  }

  static List<String> split(String value) {
    return List.of(value.split("[+,]", -1));
  }

  /** Nanoseconds of a length of time, -1 if it is none or longer than 100 years. */
  static long nanos(String value) {
    Matcher parsed = NUMBER.matcher(value);
    if (value.equals("0")) {
      return 0;
    }
    if (!parsed.matches()) {
      return -1;
    }
    long unit =
        switch (parsed.group(2)) {
          case "ns" -> 1L;
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m", "min" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          default -> 0L;
        };
    return times(parsed.group(1), unit, 876_600 * 3_600_000_000_000L);
  }

  /** Bytes of a size, -1 if it is none or more than a pebibyte. */
  static long bytes(String value) {
    Matcher parsed = NUMBER.matcher(value.toLowerCase(java.util.Locale.ROOT));
    if (!parsed.matches()) {
      return -1;
    }
    long unit =
        switch (parsed.group(2)) {
          case "", "b" -> 1L;
          case "k", "kb", "kib" -> 1L << 10;
          case "m", "mb", "mib" -> 1L << 20;
          case "g", "gb", "gib" -> 1L << 30;
          default -> 0L;
        };
    return times(parsed.group(1), unit, 1L << 50);
  }

  private static long times(String number, long unit, long most) {
    long count = Long.parseLong(number);
    return unit == 0 || count > most / unit ? -1 : count * unit;
  }
}
