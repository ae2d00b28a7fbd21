package dev.eddyline.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One judged fact with its evidence.
 *
 * @param rule id of the rule, a contract
 * @param severity how bad
 * @param confidence how sure
 * @param title one short line for the list at the top, in words, without numbers
 * @param summary one sentence with its numbers
 * @param explanation what happened and why, whole sentences
 * @param remedy what to do, first step first
 * @param sure what is certain; empty where everything is
 * @param guessed what is guessed; empty where nothing is
 * @param blockedNs time that the host stood still, null where the finding is not about that
 * @param idleNs time in which the GPU, or a stream of it, stood still or only communicated; null
 *     where the finding is not about that
 * @param gainNs how much shorter the run gets without it, null until known
 * @param expected whether it is normal, such as a device sync at the end: folded away
 * @param occurrences each time that it happened, in order of time
 * @param steps in how many of the trace's steps it happened
 */
public record Finding(
    String rule,
    Severity severity,
    Confidence confidence,
    String title,
    String summary,
    String explanation,
    String remedy,
    List<String> sure,
    List<String> guessed,
    @Nullable Long blockedNs,
    @Nullable Long idleNs,
    @Nullable Long gainNs,
    boolean expected,
    List<Occurrence> occurrences,
    int steps) {

  /** A finding that is not about time of the GPU. */
  public Finding(
      String rule,
      Severity severity,
      Confidence confidence,
      String title,
      String summary,
      String explanation,
      String remedy,
      List<String> sure,
      List<String> guessed,
      @Nullable Long blockedNs,
      @Nullable Long gainNs,
      boolean expected,
      List<Occurrence> occurrences,
      int steps) {
    this(
        rule,
        severity,
        confidence,
        title,
        summary,
        explanation,
        remedy,
        sure,
        guessed,
        blockedNs,
        null,
        gainNs,
        expected,
        occurrences,
        steps);
  }

  /** The time that it is about, of the host or the GPU; 0 if it is about none. */
  public long lostNs() {
    return Math.max(blockedNs == null ? 0 : blockedNs, idleNs == null ? 0 : idleNs);
  }
}
