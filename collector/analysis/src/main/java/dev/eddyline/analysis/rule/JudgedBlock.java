package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Segment;
import java.util.List;

/**
 * A blocked call with its blame.
 *
 * @param block the call
 * @param occurrence the call as a finding shows it, its segments included
 * @param collectives rows of the collective ops in the blocked time, through a path
 * @param inferred whether some edge of the path, or the release itself, is inferred
 * @param step index of its step, -1 if it lies in none
 */
public record JudgedBlock(
    HostBlock block, Occurrence occurrence, List<Integer> collectives, boolean inferred, int step) {
  /** The time that the host stood still. */
  public long blockedNs() {
    return block.durationNs();
  }

  List<Segment> blame() {
    return occurrence.blame();
  }
}
