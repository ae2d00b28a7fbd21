package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.SkippedRange;
import java.util.ArrayList;
import java.util.List;

/** Parts of a file were cut off, damaged or malformed, and were left out. */
public final class TruncatedTrace implements Rule {
  private static final int MOST_SHOWN = 5;

  @Override
  public String id() {
    return "truncated-trace";
  }

  @Override
  public String description() {
    return "Parts of a file were cut off, damaged or malformed, and were left out.";
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    List<SkippedRange> skipped = facts.timeline().skipped();
    if (skipped.isEmpty()) {
      return List.of();
    }
    List<String> shown = new ArrayList<>();
    for (SkippedRange range : skipped.subList(0, Math.min(MOST_SHOWN, skipped.size()))) {
      String file = facts.timeline().sources().get(range.source()).file();
      String to = range.toByte() < 0 ? "the end" : "byte " + range.toByte();
      shown.add(file + " from byte " + range.fromByte() + " to " + to + " (" + range.what() + ")");
    }
    String more =
        skipped.size() > MOST_SHOWN ? " and " + (skipped.size() - MOST_SHOWN) + " more" : "";
    return List.of(
        TraceFinding.of(
            id(),
            Severity.WARNING,
            Confidence.CERTAIN,
            "a part of the trace could not be read",
            Words.count(skipped.size(), "part", "parts")
                + " of the input could not be read and "
                + (skipped.size() == 1 ? "was" : "were")
                + " left out.",
            "Left out: " + String.join("; ", shown) + more + ". All that could be read was used.",
            "If the recording was killed this is what is left of it; otherwise write the file"
                + " again.",
            false));
  }
}
