package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** A call that is no sync by name held the host for GPU work: a synchronous copy, a module load. */
public final class ImplicitSync extends BlockRule {
  static final String ID = "implicit-sync";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A call that is no sync by its name held the host until GPU work was done.";
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    String call = group.get(0).occurrence().call();
    String until = OpWords.ofReleases(group, facts);
    return new Text(
        Severity.WARNING,
        call + " held the host",
        call
            + " held the host "
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all, until "
            + until
            + " was done.",
        call + " returns only when the GPU work before it is done; here that was " + until + ".",
        "Use the asynchronous form with a stream and pinned memory, and wait by an event where the"
            + " result is needed; load modules and allocate before the loop.",
        List.of(),
        guesses(group),
        false);
  }
}
