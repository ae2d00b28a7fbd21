package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** An allocation or free held the host until all GPU work before it was done. */
public final class AllocationSync extends BlockRule {
  static final String ID = "allocation-sync";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "An allocation or free returned when the GPU work before it had ended. Where no op's end"
        + " lets it go, the time is the driver's and nothing is reported.";
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    String call = group.get(0).occurrence().call();
    return new Text(
        Severity.WARNING,
        call + " held the host",
        call
            + " held the host "
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all: it returned when the device had run dry.",
        call
            + " returned within "
            + Words.ms(25_000)
            + " of the end of "
            + OpWords.ofReleases(group, facts)
            + ", the last of all work that had been launched before.",
        "Allocate before the loop, keep memory in a pool, or use the stream-ordered forms"
            + " (cudaMallocAsync, cudaFreeAsync).",
        List.of(),
        guesses(group),
        false);
  }
}
