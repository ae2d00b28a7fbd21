package dev.eddyline.viewer.model;

import dev.eddyline.analysis.finding.Segment;
import java.util.List;
import java.util.Set;

/**
 * All that lights up with a selection.
 *
 * @param links the arrows of the selection and of what it waited for
 * @param ops rows of the ops in the chain
 * @param beside rows of ops that filled the device meanwhile: framed, never to blame
 * @param calls rows of the calls in the chain
 * @param ranges rows of the ranges in the chain
 * @param tails time for which ops were ready and did not start
 * @param segments what the time of a blocked call went to; empty for other selections
 * @param evidence from the first to the last of it; null where nothing is selected
 */
public record Chain(
    List<Link> links,
    Set<Integer> ops,
    Set<Integer> beside,
    Set<Integer> calls,
    Set<Integer> ranges,
    List<Tail> tails,
    List<Segment> segments,
    @org.jspecify.annotations.Nullable Span evidence) {

  /** Nothing. */
  public static final Chain NONE =
      new Chain(List.of(), Set.of(), Set.of(), Set.of(), Set.of(), List.of(), List.of(), null);

  /**
   * The dotted tail before an op.
   *
   * @param track row of its stream
   * @param fromNs when it was ready
   * @param toNs when it began
   * @param label why it did not begin: "device busy: stream 7"
   */
  public record Tail(int track, long fromNs, long toNs, String label) {}
}
