package dev.eddyline.device.conformance;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What was seen while one piece of work was held up.
 *
 * @param program name of the program
 * @param gate the number of the step whose work was held up, "3@5" if only at the end of its group
 * @param held numbers of the steps whose work was not done before the gate opened
 * @param blocked numbers of the steps whose calls did not return before the gate opened
 */
public record Answer(String program, String gate, Set<Integer> held, Set<Integer> blocked) {
  /** Keeps copies, in order. */
  public Answer {
    held = new TreeSet<>(held);
    blocked = new TreeSet<>(blocked);
  }

  /** Reads what {@link #toString} writes. */
  public static Answer parse(String line) {
    String[] parts = line.split("\\|", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("an answer has four parts: " + line);
    }
    return new Answer(parts[0].strip(), parts[1].strip(), numbers(parts[2]), numbers(parts[3]));
  }

  private static Set<Integer> numbers(String text) {
    Set<Integer> numbers = new TreeSet<>();
    for (String word : text.strip().split(" +")) {
      if (!word.equals("-") && !word.isEmpty()) {
        numbers.add(Integer.parseInt(word));
      }
    }
    return numbers;
  }

  @Override
  public String toString() {
    return program + " | " + gate + " | " + text(held) + " | " + text(blocked);
  }

  private static String text(Set<Integer> numbers) {
    return numbers.isEmpty()
        ? "-"
        : numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
