package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule: looks at the facts of a trace and says what it finds. Stateless, found by {@link
 * java.util.ServiceLoader}; its id is a contract.
 */
public interface Rule {
  /** The id in reports. */
  String id();

  /** What it looks at, in one sentence, for documentation. */
  String description();

  /**
   * Whether its findings say that results can be wrong. They come before those that say where time
   * went.
   */
  default boolean isAboutCorrectness() {
    return false;
  }

  /** Values that a user may set, with their defaults. */
  default List<Parameter> parameters() {
    return List.of();
  }

  /** Which data lack so that the rule cannot look at all, in words; null if it can. */
  default @Nullable String notEvaluatedBecause(Facts facts) {
    return null;
  }

  /** The findings. */
  List<Finding> evaluate(Facts facts);

  /**
   * A value that a user may set.
   *
   * @param name its name in policies
   * @param unit what it counts: "ms", "calls"
   * @param defaultValue used unless someone sets another
   * @param description what it does
   */
  record Parameter(String name, String unit, double defaultValue, String description) {}
}
