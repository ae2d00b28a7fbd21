package dev.eddyline.analysis.finding;

import java.util.List;

/**
 * One time that a finding happened.
 *
 * @param startNs begin, nanoseconds since the Unix epoch
 * @param endNs end
 * @param callRow row of the call, -1 if it is not about a call
 * @param rank rank of the process, -1 if not known
 * @param thread label of the thread, "" if not about one
 * @param call name of the API call, "" if not about one
 * @param correlation its correlation id, -1 if none
 * @param stream label of the stream, "" if not about one or not known
 * @param where steps, annotations, operators, functions, outermost first
 * @param blame what the time went to; empty where that does not apply
 * @param javaStack Java frames, innermost first
 */
public record Occurrence(
    long startNs,
    long endNs,
    int callRow,
    int rank,
    String thread,
    String call,
    long correlation,
    String stream,
    List<Place> where,
    List<Segment> blame,
    List<String> javaStack) {

  /** How long it lasted. */
  public long durationNs() {
    return endNs - startNs;
  }
}
