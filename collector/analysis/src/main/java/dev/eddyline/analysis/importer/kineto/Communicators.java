package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.timeline.Strings;
import dev.eddyline.trace.RecordType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Names the process groups of a file. What to call a group is known only when all groups are: rows
 * hold its number until the end of the file.
 *
 * <p>A group is called by its description ("default_pg") where that is given, no other group of the
 * file has it, and the group holds all ranks; a smaller group may have a sibling of the same
 * description on other ranks, so it is called by both ("mesh_tp 3").
 */
final class Communicators {
  private static final class Group {
    private final int description;
    private final int name;
    private long size;

    private Group(int description, int name) {
      this.description = description;
      this.name = name;
    }
  }

  private final List<Group> groups = new ArrayList<>();
  private final IdTable numbers = new IdTable();

  /** The number of a group, by the ids of its texts; the largest size that is named is its size. */
  int number(int description, int name, long size) {
    int number = numbers.get(description, name);
    if (number == IdTable.ABSENT) {
      number = groups.size();
      groups.add(new Group(description, name));
      numbers.put(description, name, number);
    }
    Group group = groups.get(number);
    group.size = Math.max(group.size, size);
    return number;
  }

  /** Turns the numbers of groups into the ids of their names. */
  LongUnaryOperator naming(Strings strings, long worldSize) {
    Map<Integer, Set<Integer>> namesOf = new HashMap<>();
    for (Group group : groups) {
      namesOf.computeIfAbsent(group.description, d -> new HashSet<>()).add(group.name);
    }
    int[] ids = new int[groups.size()];
    for (int i = 0; i < ids.length; i++) {
      Group group = groups.get(i);
      boolean alone = namesOf.getOrDefault(group.description, Set.of()).size() == 1;
      boolean whole = worldSize <= 0 || group.size >= worldSize;
      ids[i] =
          strings.intern(
              label(strings.get(group.description), strings.get(group.name), alone && whole));
    }
    return number -> number < 0 || number >= ids.length ? RecordType.NONE : ids[(int) number];
  }

  private static String label(String description, String name, boolean descriptionIsEnough) {
    if (description.isEmpty() || description.equals("undefined")) {
      return name;
    }
    return descriptionIsEnough || name.isEmpty() ? description : description + " " + name;
  }
}
