package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.Parties.TimedRole;
import dev.eddyline.analysis.deps.Party.Kind;
import dev.eddyline.analysis.deps.StreamDependencies.SharedRole;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Streams that played two roles, as streams of a pool may. A wait is of the second role if streams
 * of that role alone wait for the same thing, and this one did not before it took the role.
 */
final class SharedRoles {
  private record Second(Party role, long sinceNs, Set<Party> targets) {}

  private final List<SharedRole> found = new ArrayList<>();
  private final Map<Party, Second> seconds = new LinkedHashMap<>();

  SharedRoles(Timeline timeline, Parties parties, List<WaitFact> facts) {
    for (int s = 0; s < timeline.streams().size(); s++) {
      List<TimedRole> roles = parties.roles(s);
      for (int i = 1; i < roles.size(); i++) {
        add(parties.of(s), roles.get(i), facts);
      }
    }
  }

  private void add(Party stream, TimedRole role, List<WaitFact> facts) {
    Set<Party> targets = new LinkedHashSet<>();
    for (WaitFact fact : facts) {
      if (fact.waiter().label().equals(role.name()) && fact.target().isStream()) {
        targets.add(fact.target());
      }
    }
    Set<Integer> steps = new LinkedHashSet<>();
    boolean before = false;
    for (WaitFact fact : facts) {
      if (fact.waiter().equals(stream) && targets.contains(fact.target())) {
        before |= fact.timeNs() < role.sinceNs();
        steps.add(fact.step());
      }
    }
    boolean told = !before && !targets.isEmpty() && !steps.contains(-1);
    found.add(new SharedRole(stream.label(), role.name(), told ? steps.size() : -1));
    if (told) {
      Party party = new Party(Kind.STREAM, role.name(), role.name());
      seconds.putIfAbsent(stream, new Second(party, role.sinceNs(), targets));
    }
  }

  /** The streams that played two roles. */
  List<SharedRole> found() {
    return found;
  }

  /** The waits, those of a second role said of that role. */
  List<WaitFact> attributed(List<WaitFact> facts) {
    Set<List<Party>> pairs = new LinkedHashSet<>();
    facts.forEach(fact -> pairs.add(List.of(fact.waiter(), fact.target())));
    List<WaitFact> changed = new ArrayList<>();
    for (WaitFact fact : facts) {
      Second waiter = at(fact.waiter(), fact.timeNs());
      Second target = at(fact.target(), fact.timeNs());
      boolean by = waiter != null && waiter.targets().contains(fact.target());
      boolean whose = target != null && pairs.contains(List.of(fact.waiter(), target.role()));
      changed.add(
          by || whose
              ? fact.between(
                  by && waiter != null ? waiter.role() : fact.waiter(),
                  whose && target != null ? target.role() : fact.target())
              : fact);
    }
    return changed;
  }

  private @Nullable Second at(Party party, long timeNs) {
    Second second = seconds.get(party);
    return second == null || timeNs < second.sinceNs() ? null : second;
  }
}
