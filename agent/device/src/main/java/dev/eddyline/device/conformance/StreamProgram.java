package dev.eddyline.device.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A small program over streams: a name and its calls.
 *
 * <p>Streams are named by what they are: {@code n1} is non-blocking, {@code b1} blocking, {@code
 * h1} and {@code l1} non-blocking of high and low priority, {@code L} the legacy default stream,
 * {@code T} the per-thread default stream of the thread that makes the call, {@code o1} one of the
 * second device. Events are {@code e1} and so on, those of the second device {@code f1}; none is
 * recorded at the beginning.
 */
public final class StreamProgram {
  private final String name;
  private final List<Step> steps;

  private StreamProgram(String name, List<Step> steps) {
    this.name = name;
    this.steps = steps;
  }

  /**
   * Reads "name: call; call".
   *
   * @throws IllegalArgumentException if there is no name
   */
  public static StreamProgram parse(String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("a program needs a name and a colon: " + line);
    }
    List<Step> steps = new ArrayList<>();
    for (String text : line.substring(colon + 1).split(";")) {
      steps.add(Step.parse(steps.size() + 1, text));
    }
    return new StreamProgram(line.substring(0, colon).strip(), List.copyOf(steps));
  }

  /** Its name, unique in the suite. */
  public String name() {
    return name;
  }

  List<Step> steps() {
    return steps;
  }

  /** Whether it needs a second device. */
  public boolean needsTwoDevices() {
    return steps.stream()
        .flatMap(step -> step.words().stream())
        .anyMatch(w -> w.matches("[of]\\d"));
  }

  /** Whether it needs a collective library. */
  public boolean needsCollectives() {
    return steps.stream().anyMatch(step -> step.isCollective() || step.call().equals("group"));
  }

  /** Where work can be held up, in the order of the program. */
  List<Gate> gates() {
    List<Gate> gates = new ArrayList<>();
    List<Step> grouped = new ArrayList<>();
    int depth = 0;
    for (Step step : steps) {
      if (step.isWork()) {
        gates.add(new Gate(step, step.number()));
      }
      if (step.call().equals("group")) {
        depth++;
      } else if (step.call().equals("end")) {
        depth--;
        if (depth == 0) {
          grouped.forEach(each -> gates.add(new Gate(each, step.number())));
          grouped.clear();
        }
      } else if (step.isCollective() && depth > 0) {
        grouped.add(step);
      }
    }
    return gates;
  }

  /** After which step the work of a step is all enqueued. */
  int enqueuedBy(Step work) {
    int depth = 0;
    for (Step step : steps) {
      if (step.call().equals("group")) {
        depth++;
      } else if (step.call().equals("end")) {
        depth--;
      }
      boolean reached = step.number() >= work.number();
      if (reached && (depth == 0 || !work.isCollective())) {
        return step.number();
      }
    }
    throw new IllegalArgumentException("program '" + name + "' has a group without an end");
  }

  /**
   * A kernel that does not end until it is let go, in front of a step's work.
   *
   * @param work what it holds up
   * @param before the step before which it is launched: that of the work, or the end of its group
   */
  record Gate(Step work, int before) {
    /** How answers name it: "3", or "3@5" for one that is put there at the end of a group. */
    String label() {
      return before == work.number() ? Integer.toString(before) : work.number() + "@" + before;
    }
  }

  @Override
  public String toString() {
    return name + ": " + steps.stream().map(Step::toString).collect(Collectors.joining("; "));
  }
}
