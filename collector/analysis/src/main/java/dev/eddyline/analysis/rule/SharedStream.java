package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Role;
import java.util.ArrayList;
import java.util.List;

/** One stream played two roles, and a sync meant for one waited for the other's work. */
public final class SharedStream extends BlockRule {
  static final String ID = "shared-stream";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "One stream played two roles, and a sync of it waited for the work of the other role.";
  }

  @Override
  public @org.jspecify.annotations.Nullable String notEvaluatedBecause(Facts facts) {
    return facts.timeline().table(RecordType.ROLE).size() == 0
        ? "the trace does not name the roles of streams"
        : null;
  }

  /** Whether the stream had taken another role between its first one and the op waited for. */
  static boolean isOtherRolesWork(JudgedBlock judged, Facts facts) {
    return roles(judged, facts).size() > 1;
  }

  /** The roles that the stream of a call had been given when the call began. */
  static List<String> roles(JudgedBlock judged, Facts facts) {
    Table table = facts.timeline().table(RecordType.ROLE);
    List<String> roles = new ArrayList<>();
    for (int i = 0; i < table.size(); i++) {
      String role = facts.timeline().strings().get(table.get(i, Role.ROLE));
      if (table.get(i, Role.STREAM) == judged.block().stream()
          && table.get(i, Role.START) <= judged.block().startNs()
          && !roles.contains(role)) {
        roles.add(role);
      }
    }
    return roles;
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    String roles = Words.list(roles(group.get(0), facts));
    return new Text(
        Severity.WARNING,
        "a sync waited for work of another role on the same stream",
        "A sync "
            + onStreams(group)
            + " held the host "
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all; that stream played more than one role: "
            + roles
            + ".",
        "The call waited for "
            + OpWords.ofReleases(group, facts)
            + ". A stream from a pool can be one that something else already uses.",
        "Give each role a stream of its own, or sync on an event recorded right after the op that"
            + " the host needs.",
        List.of(),
        guesses(group),
        false);
  }
}
