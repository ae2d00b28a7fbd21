package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Small pieces of English that several reports share. */
final class Words {
  private static final int MAX_OP = 44;

  private Words() {}

  /** "1 finding", "3 findings". */
  static String count(int n, String noun) {
    return n + " " + (n == 1 ? noun : plural(noun));
  }

  private static String plural(String noun) {
    if (noun.endsWith("ss")) {
      return noun + "es";
    }
    return noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
  }

  /** "a", "a and b", "a, b and c". */
  static String list(List<String> items) {
    if (items.size() < 2) {
      return String.join("", items);
    }
    int last = items.size() - 1;
    return String.join(", ", items.subList(0, last)) + " and " + items.get(last);
  }

  /** Durations one by one while they are few, else their range: "0.012, 0.007 and 0.006 ms". */
  static String durations(List<Long> ns) {
    if (ns.size() <= 3) {
      return list(ns.stream().map(Millis::of).toList()) + " ms";
    }
    return range(ns) + " ms";
  }

  /** "0.005 .. 0.007", or one value where all are the same. */
  static String range(List<Long> ns) {
    String least = Millis.of(ns.stream().mapToLong(Long::longValue).min().orElse(0));
    String most = Millis.of(ns.stream().mapToLong(Long::longValue).max().orElse(0));
    return least.equals(most) ? least : least + " .. " + most;
  }

  /** Names of steps or the like: "step0", "step0 and step1", "step0 .. step4". */
  static String names(List<String> names) {
    if (names.size() <= 2) {
      return list(names);
    }
    String first = names.get(0);
    String last = names.get(names.size() - 1);
    int number = last.indexOf('#');
    boolean numbered = number > 0 && first.startsWith(last.substring(0, number + 1));
    return first + " .. " + (numbered ? last.substring(number) : last);
  }

  /** A name without the signs that some libraries put around it: "## forward ##". */
  static String plain(String name) {
    return name.startsWith("## ") && name.endsWith(" ##")
        ? name.substring(3, name.length() - 3)
        : name;
  }

  /** An op's name for a line of text: a long list of template arguments becomes its essence. */
  static String op(String name) {
    int open = name.indexOf('<');
    if (name.length() <= MAX_OP) {
      return name;
    }
    if (open < 0) {
      return name.substring(0, MAX_OP - 2) + "..";
    }
    String functor = "";
    for (String word : name.substring(open + 1).split("[<>, ]+")) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.contains("functor") || lower.contains("_kernel") || lower.contains("gemm")) {
        functor = word;
      }
    }
    String base = name.substring(0, open);
    return functor.isEmpty() ? base + "<..>" : base + "<.. " + functor + " ..>";
  }

  /**
   * What a state means, in words; design section 4.
   *
   * @param streams the streams of all segments that the words stand for
   */
  static String state(Segment segment, List<String> streams) {
    String op = op(segment.op());
    String onStream = (streams.size() > 1 ? ", streams " : ", stream ") + list(streams);
    if (segment.stream().isEmpty()) {
      onStream = "";
    }
    return switch (segment.state()) {
      case RUNNING -> op + onStream;
      case REMOTE -> op + onStream + ", waiting for the last rank";
      case DEVICE_BUSY -> op + " was free to start; " + beside(segment);
      case OTHER_CONTEXT -> "another process or context had the device";
      case NOT_STARTED ->
          "gaps before ops that were free to start; nothing was found that held them";
      case LATE_LAUNCH -> op + " had not been launched yet" + onStream;
      case RETURN -> "";
      case UNATTRIBUTED ->
          segment.stream().isEmpty()
              ? "the trace does not say what was waited for"
              : "stream " + segment.stream() + " waited; the trace does not say for what";
    };
  }

  private static String beside(Segment segment) {
    List<String> ops = new ArrayList<>();
    for (Segment.Beside beside : segment.beside()) {
      String words = op(beside.op()) + " on stream " + beside.stream();
      if (!ops.contains(words)) {
        ops.add(words);
      }
    }
    if (ops.isEmpty()) {
      return "other streams filled the device";
    }
    String named = list(ops.subList(0, Math.min(2, ops.size())));
    return named + (ops.size() > 2 ? " and others" : "") + " filled the device";
  }

  /** A state as the label of a table row. */
  static String label(Segment.State state) {
    return state.word().replace('-', ' ');
  }

  /** Text in lines of at most {@code width} characters; line breaks in the text are kept. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : text.split("\n", -1)) {
      StringBuilder line = new StringBuilder();
      for (String word : paragraph.split(" ", -1)) {
        if (line.length() > 0 && line.length() + 1 + word.length() > width) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(line.length() > 0 ? " " : "").append(word);
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
