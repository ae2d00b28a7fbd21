package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the occurrences of a finding lie, in words: those at the same place are one line. */
final class Places {
  private static final int MAX_GROUPS = 5;
  private static final int MAX_LEVELS = 5;

  private static final class Group {
    private int count;
    private long ns;
    private final Set<String> steps = new LinkedHashSet<>();
    private final Set<String> threads = new LinkedHashSet<>();
  }

  private Places() {}

  /** One line per place, the one that cost most first. */
  static List<String> lines(List<Occurrence> occurrences) {
    Map<String, Group> groups = new LinkedHashMap<>();
    for (Occurrence occurrence : occurrences) {
      Group group = groups.computeIfAbsent(path(occurrence.where()), path -> new Group());
      group.count++;
      group.ns += occurrence.durationNs();
      for (Place place : occurrence.where()) {
        if (place.kind() == Place.Kind.STEP) {
          group.steps.add(place.name());
        }
      }
      if (!occurrence.thread().isEmpty()) {
        group.threads.add(occurrence.thread());
      }
    }
    List<Map.Entry<String, Group>> sorted = new ArrayList<>(groups.entrySet());
    sorted.sort(Comparator.comparingLong(entry -> -entry.getValue().ns));
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Group> entry : sorted) {
      if (lines.size() == MAX_GROUPS) {
        lines.add("and " + Words.count(sorted.size() - MAX_GROUPS, "other place"));
        break;
      }
      String line = line(entry.getKey(), entry.getValue());
      if (!line.isEmpty()) {
        lines.add(sorted.size() == 1 ? line : amount(entry.getValue()) + line);
      }
    }
    return lines;
  }

  private static String amount(Group group) {
    return String.format(
        java.util.Locale.ROOT,
        "%s ms, %s: ",
        Millis.of(group.ns),
        Words.count(group.count, "time"));
  }

  private static String line(String path, Group group) {
    List<String> steps = new ArrayList<>(group.steps);
    StringBuilder line = new StringBuilder();
    if (!steps.isEmpty()) {
      line.append(steps.get(0));
    }
    if (!path.isEmpty()) {
      line.append(line.length() > 0 ? " > " : "").append(path);
    }
    if (steps.size() > 1) {
      line.append(" (").append(alike(steps.subList(1, steps.size()))).append(" alike)");
    }
    if (!group.threads.isEmpty()) {
      line.append(line.length() > 0 ? ", " : "");
      line.append(Words.list(group.threads.stream().limit(2).toList()));
    }
    return line.toString();
  }

  private static String alike(List<String> steps) {
    return steps.size() <= 3 ? String.join(", ", steps) : Words.names(steps);
  }

  /** The levels below the step; of many, the outermost and the innermost ones. */
  private static String path(List<Place> where) {
    List<String> names = new ArrayList<>();
    for (Place place : where) {
      if (place.kind() != Place.Kind.STEP) {
        String file = place.file().isEmpty() ? "" : " (" + place.file() + ":" + place.line() + ")";
        names.add(Words.plain(place.name()) + file);
      }
    }
    if (names.size() > MAX_LEVELS) {
      List<String> inner = names.subList(names.size() - MAX_LEVELS + 1, names.size());
      return names.get(0) + " > .. > " + String.join(" > ", inner);
    }
    return String.join(" > ", names);
  }
}
