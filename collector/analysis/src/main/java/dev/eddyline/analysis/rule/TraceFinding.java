package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** Makes findings about the trace itself: no occurrence, no blocked time. */
final class TraceFinding {
  private TraceFinding() {}

  static Finding of(
      String rule,
      Severity severity,
      Confidence confidence,
      String title,
      String summary,
      String explanation,
      String remedy,
      boolean expected) {
    return new Finding(
        rule,
        severity,
        confidence,
        title,
        summary,
        explanation,
        remedy,
        List.of(),
        List.of(),
        null,
        null,
        expected,
        List.of(),
        0);
  }
}
