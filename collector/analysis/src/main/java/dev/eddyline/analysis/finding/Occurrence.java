package dev.eddyline.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param missing the order that should be there and is not, null where it is not about one
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
    List<String> javaStack,
    @Nullable MissingOrder missing) {

  /**
   * An order between two ops that nothing keeps.
   *
   * @param first row of the op that should have ended first
   * @param second row of the op that should have begun after it
   */
  public record MissingOrder(int first, int second) {}

  /** An occurrence that is not about a missing order. */
  public Occurrence(
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
    this(
        startNs, endNs, callRow, rank, thread, call, correlation, stream, where, blame, javaStack,
        null);
  }

  /** The same with the order that is missing. */
  public Occurrence missing(int first, int second) {
    return new Occurrence(
        startNs,
        endNs,
        callRow,
        rank,
        thread,
        call,
        correlation,
        stream,
        where,
        blame,
        javaStack,
        new MissingOrder(first, second));
  }

  /** How long it lasted. */
  public long durationNs() {
    return endNs - startNs;
  }
}
