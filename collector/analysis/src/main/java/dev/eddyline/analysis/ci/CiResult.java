package dev.eddyline.analysis.ci;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of a CI server's page: something that was judged, or could not be.
 *
 * @param rule id of the rule or of the policy's entry
 * @param outcome what came out
 * @param level how bad; counts only for what failed
 * @param title one short line
 * @param message what happened, one or two sentences
 * @param details all that is known, in lines
 * @param stack where in the program it happened, innermost first; empty where that is not known
 * @param fingerprint the same for the same result of another run, "" for what did not fail
 * @param suppressed why someone accepted it, null if nobody did
 * @param isNew whether a baseline did not have it; null without a baseline
 */
public record CiResult(
    String rule,
    Outcome outcome,
    Level level,
    String title,
    String message,
    List<String> details,
    List<SourceLine> stack,
    String fingerprint,
    @Nullable String suppressed,
    @Nullable Boolean isNew) {

  /** What came out. */
  public enum Outcome {
    PASS,
    FAIL,
    /** Not good and not bad: worth knowing. */
    INFO,
    /** Neither pass nor fail: the trace does not say. */
    CANNOT_ANSWER
  }

  /** How bad it is. */
  public enum Level {
    ERROR,
    WARNING,
    NOTE
  }
}
