package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.List;

/**
 * Which stream waits for which in a trace.
 *
 * @param timeline the trace
 * @param steps its training steps
 * @param rows waits by who waits, for what, and how that is known
 * @param indirect orders that come without a wait
 * @param notes what is known of each stream that ran something
 * @param shared streams that played more than one role
 * @param hostBehindCollective where a sync held the host until a collective was done
 */
public record StreamDependencies(
    Timeline timeline,
    Steps steps,
    List<Dependency> rows,
    List<IndirectDependency> indirect,
    List<StreamNote> notes,
    List<SharedRole> shared,
    List<HostBehindCollective> hostBehindCollective) {

  /**
   * One stream played two roles.
   *
   * @param first what it was first
   * @param second what it was later as well
   * @param steps in how many steps it did the second role's work, -1 where that cannot be told
   */
  public record SharedRole(String first, String second, int steps) {}

  /**
   * Syncs of one stream that held the host until a collective was done.
   *
   * @param synced label of the stream that the host synced, "" if not one stream
   * @param collectives label of the stream of the collectives
   * @param times how often
   * @param steps in how many steps
   * @param blockedNs for how long in all
   */
  public record HostBehindCollective(
      String synced, String collectives, int times, int steps, long blockedNs) {}

  /** How many waits there are, NCCL's own included. */
  public int waits() {
    return rows.stream().mapToInt(row -> row.waits().size()).sum();
  }

  /** How many of them the source names with their record, those for nothing included. */
  public int recorded() {
    return rows.stream()
        .filter(
            row -> row.state() == WaitFact.State.RECORDED || row.state() == WaitFact.State.EMPTY)
        .mapToInt(row -> row.waits().size())
        .sum();
  }

  /** Steps of the trace, of one rank. */
  public int stepCount() {
    if (steps.steps().isEmpty()) {
      return 0;
    }
    int process = steps.steps().get(0).process();
    return (int) steps.steps().stream().filter(step -> step.process() == process).count();
  }

  /** How many processes the trace holds. */
  public int ranks() {
    return Math.max(1, timeline.processes().size());
  }
}
