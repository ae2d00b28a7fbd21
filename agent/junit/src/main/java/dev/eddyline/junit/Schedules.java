package dev.eddyline.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Says on which schedules something happened. */
final class Schedules {
  private static final int MOST_NAMED = 5;

  private Schedules() {}

  /** Lines about an assertion that some of all schedules break. */
  static String words(List<Recording> all, List<Recording> broken, String pair) {
    if (broken.size() == all.size()) {
      return "  on all " + all.size() + " schedules; this is seed " + broken.get(0).seed() + "\n";
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "differs between schedules: broken on "
            + broken.size()
            + " of "
            + all.size()
            + ", "
            + seeds(broken.stream().map(Recording::seed).toList()));
    if (!pair.isEmpty()) {
      lines.add("the pair: " + pair);
    }
    lines.addAll(race(all, broken));
    lines.add("again with: " + again(broken.get(0).seed()));
    return lines.stream().map(line -> "  " + line + "\n").collect(Collectors.joining());
  }

  /** The two ops whose order goes with the outcome; empty where there are none. */
  static List<String> race(List<Recording> all, List<Recording> differing) {
    Set<Recording> others = Set.copyOf(differing);
    List<Boolean> differs = all.stream().map(others::contains).toList();
    return new RaceFinder(all, differs).lines();
  }

  /** "seed 17", "seeds 3, 17 and 20". */
  static String seeds(List<Long> seeds) {
    List<String> shown = seeds.stream().limit(MOST_NAMED).map(String::valueOf).toList();
    if (seeds.size() > MOST_NAMED) {
      return "seeds " + String.join(", ", shown) + ", ..";
    }
    return (seeds.size() == 1 ? "seed " : "seeds ") + Words.list(shown);
  }

  /** How to run one schedule alone. */
  static String again(long seed) {
    return "@StreamTest(seed = " + seed + ")";
  }
}
