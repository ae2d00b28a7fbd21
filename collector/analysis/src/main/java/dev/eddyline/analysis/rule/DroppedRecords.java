package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Loss;
import java.util.ArrayList;
import java.util.List;

/** The source itself says that it lost records. */
public final class DroppedRecords implements Rule {
  @Override
  public String id() {
    return "dropped-records";
  }

  @Override
  public String description() {
    return "The trace says that the profiler lost records, so what is not in it may have been.";
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Table losses = facts.timeline().table(RecordType.LOSS);
    long lost = 0;
    List<String> kinds = new ArrayList<>();
    for (int i = 0; i < losses.size(); i++) {
      long count = losses.get(i, Loss.COUNT);
      if (count > 0) {
        lost += count;
        kinds.add(count + " " + facts.timeline().strings().get(losses.get(i, Loss.KIND)));
      }
    }
    if (lost == 0) {
      return List.of();
    }
    return List.of(
        TraceFinding.of(
            id(),
            Severity.WARNING,
            Confidence.CERTAIN,
            "the profiler lost records",
            lost + " records were lost while recording (" + Words.list(kinds) + ").",
            "Edges and ops may be missing. What is reported here was seen; what is not reported may"
                + " still have happened.",
            "Record a shorter window, or fewer kinds, or give the recorder larger buffers.",
            false));
  }
}
