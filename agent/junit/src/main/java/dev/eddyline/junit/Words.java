package dev.eddyline.junit;

import dev.eddyline.analysis.report.Millis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How numbers and lists are put into messages. */
final class Words {
  private static final int NS_PER_US = 1000;

  private Words() {}

  /** "4.573 ms". */
  static String ms(long ns) {
    return Millis.of(ns) + " ms";
  }

  /** "1 wait", "3 waits". */
  static String count(long n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }

  /** "a", "a and b", "a, b and c". */
  static String list(List<String> items) {
    int n = items.size();
    return n < 2
        ? String.join("", items)
        : String.join(", ", items.subList(0, n - 1)) + " and " + items.get(n - 1);
  }

  /** "12.5 %". */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /**
   * Parts in milliseconds that add up to their rounded whole: each is rounded down, and those with
   * the largest remainders get what is missing, as in the reports.
   */
  static String[] parts(List<Long> partsNs) {
    int n = partsNs.size();
    long[] rounded = new long[n];
    long sumNs = 0;
    long sumUs = 0;
    for (int i = 0; i < n; i++) {
      rounded[i] = Math.floorDiv(partsNs.get(i), NS_PER_US);
      sumNs += partsNs.get(i);
      sumUs += rounded[i];
    }
    List<Integer> byRemainder = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      byRemainder.add(i);
    }
    byRemainder.sort(Comparator.comparingLong(i -> -Math.floorMod(partsNs.get(i), NS_PER_US)));
    long missing = Math.floorDiv(sumNs + NS_PER_US / 2, NS_PER_US) - sumUs;
    for (int i = 0; i < missing; i++) {
      rounded[byRemainder.get(i)]++;
    }
    String[] words = new String[n];
    for (int i = 0; i < n; i++) {
      words[i] = Millis.of(rounded[i] * NS_PER_US);
    }
    return words;
  }

  /** What is left of a whole when a part of it is told rounded. */
  static String rest(long wholeNs, long partNs) {
    long half = NS_PER_US / 2;
    long us = Math.floorDiv(wholeNs + half, NS_PER_US) - Math.floorDiv(partNs + half, NS_PER_US);
    return Millis.of(us * NS_PER_US);
  }

  /** A sentence as the second part of a line: its first word begins small, names stay. */
  static String lower(String sentence) {
    boolean word = sentence.length() > 1 && Character.isLowerCase(sentence.charAt(1));
    return word ? Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1) : sentence;
  }

  /** Pads on the left. */
  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  /** Pads on the right. */
  static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
