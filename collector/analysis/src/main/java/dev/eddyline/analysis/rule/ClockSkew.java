package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.ClockTolerance;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.KernelNames;
import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** Host and device times contradict each other. */
public final class ClockSkew implements Rule {
  private static final Parameter MAX_LEAD_US =
      new Parameter(
          "max-lead-us", "us", 20, "an op that starts earlier before its launch is reported");
  private static final long NS_PER_US = 1000;

  @Override
  public String id() {
    return "clock-skew";
  }

  @Override
  public String description() {
    return "An op started before the call that launched it: host and device times do not fit.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MAX_LEAD_US);
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    ClockTolerance tolerance = facts.tolerance();
    if (tolerance.worstLeadNs() <= MAX_LEAD_US.defaultValue() * NS_PER_US) {
      return List.of();
    }
    String op = KernelNames.shorten(facts.timeline().ops().at(tolerance.worstOp()).name());
    return List.of(
        TraceFinding.of(
            id(),
            Severity.WARNING,
            Confidence.CERTAIN,
            "host and device times do not fit together",
            Words.count(tolerance.leads(), "op", "ops")
                + " started before the call that launched it, by up to "
                + Words.ms(tolerance.worstLeadNs())
                + " ("
                + op
                + ").",
            "Times of the host and of the device are compared with a tolerance of "
                + Words.ms(tolerance.toleranceNs())
                + "; beyond it segments of blocked time can be wrong by the difference.",
            "Record again; if it stays, report the driver and profiler versions.",
            false));
  }
}
