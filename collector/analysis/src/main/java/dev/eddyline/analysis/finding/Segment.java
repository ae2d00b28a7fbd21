package dev.eddyline.analysis.finding;

import java.util.List;
import java.util.Locale;

/**
 * A part of the time in which a call held the host, in one state. The segments of a call add up to
 * its blocked time.
 *
 * @param state why nothing moved on
 * @param op name of the op that the state is about, "" where there is none
 * @param opRow its row, -1 where there is none
 * @param correlation its correlation id, -1 where there is none
 * @param stream label of its stream, "" where there is none
 * @param startNs when the segment begins
 * @param ns how long it lasts
 * @param via the edges that lead from the op to what came after it, in the order of the walk back
 * @param beside ops of other streams that filled the device meanwhile; never to blame
 */
public record Segment(
    State state,
    String op,
    int opRow,
    long correlation,
    String stream,
    long startNs,
    long ns,
    List<Via> via,
    List<Beside> beside) {

  /** Why nothing moved on; design section 4. */
  public enum State {
    RUNNING,
    REMOTE,
    DEVICE_BUSY,
    OTHER_CONTEXT,
    NOT_STARTED,
    LATE_LAUNCH,
    RETURN,
    UNATTRIBUTED;

    /** The word in reports. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * An edge that the walk went back over.
   *
   * @param kind word of the edge's kind: "event", "stream-order", "nccl", "resumed"
   * @param known word of how it is known
   * @param rule the rule that found it, "" for a recorded one
   * @param confidence 0.0 to 1.0
   * @param fromCorrelation correlation id of the record, -1 if there is none
   * @param toCorrelation correlation id of the wait, -1 if there is none
   * @param text the edge in words
   */
  public record Via(
      String kind,
      String known,
      String rule,
      double confidence,
      long fromCorrelation,
      long toCorrelation,
      String text) {}

  /**
   * An op beside.
   *
   * @param op its name
   * @param correlation its correlation id, -1 if not known
   * @param stream label of its stream
   */
  public record Beside(String op, long correlation, String stream) {}
}
