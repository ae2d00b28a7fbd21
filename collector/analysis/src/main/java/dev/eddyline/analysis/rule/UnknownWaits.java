package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** The trace does not say what some waits wait for; the coverage table tells it to people. */
public final class UnknownWaits implements Rule {
  @Override
  public String id() {
    return "unknown-waits";
  }

  @Override
  public String description() {
    return "The trace does not say what some stream waits wait for, and no rule could find it.";
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Coverage coverage = facts.coverage();
    if (coverage.waitsUnknown() == 0) {
      return List.of();
    }
    return List.of(
        TraceFinding.of(
            id(),
            Severity.INFO,
            Confidence.CERTAIN,
            "the trace does not say what some waits wait for",
            "The trace does not say what "
                + coverage.waitsUnknown()
                + " of its "
                + coverage.waits()
                + " stream waits wait for.",
            "Such a wait is kept as a wait of unknown source. It is neither a missing wait nor one"
                + " that waits for nothing, and no finding takes it for either.",
            "Record with a source that names the event of a wait; docs/record.md has the lines.",
            true));
  }
}
