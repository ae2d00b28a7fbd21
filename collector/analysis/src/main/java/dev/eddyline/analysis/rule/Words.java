package dev.eddyline.analysis.rule;

import java.util.List;
import java.util.Locale;

/** How numbers and lists are put into sentences. */
final class Words {
  private static final double NS_PER_MS = 1e6;

  private Words() {}

  /** "4.573 ms". */
  static String ms(long ns) {
    return number(ns) + " ms";
  }

  /** "4.573": milliseconds with three decimals. */
  static String number(long ns) {
    return String.format(Locale.ROOT, "%.3f", ns / NS_PER_MS);
  }

  /** "once", "twice", "3 times". */
  static String times(int n) {
    return switch (n) {
      case 1 -> "once";
      case 2 -> "twice";
      default -> n + " times";
    };
  }

  /** "1 copy", "3 copies". */
  static String count(int n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }

  /** " of world", " of group 3", "" where the name is not known. */
  static String ofGroup(String communicator) {
    if (communicator.isEmpty()) {
      return "";
    }
    boolean number = communicator.chars().allMatch(Character::isDigit);
    return " of " + (number ? "group " : "") + communicator;
  }

  /** "copies", "matches", "all-reduces". */
  static String plural(String noun) {
    if (noun.endsWith("y") && !noun.endsWith("ay")) {
      return noun.substring(0, noun.length() - 1) + "ies";
    }
    return noun.endsWith("s") || noun.endsWith("ch") ? noun + "es" : noun + "s";
  }

  /** "a", "a and b", "a, b and c". */
  static String list(List<String> items) {
    int n = items.size();
    if (n < 2) {
      return String.join("", items);
    }
    return String.join(", ", items.subList(0, n - 1)) + " and " + items.get(n - 1);
  }
}
