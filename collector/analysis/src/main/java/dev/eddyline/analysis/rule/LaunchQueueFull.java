package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** A launch had to wait for room in the launch queue. */
public final class LaunchQueueFull extends BlockRule {
  static final String ID = "launch-queue-full";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A launch call waited because about a thousand launches of its stream were still"
        + " pending.";
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    return new Text(
        Severity.INFO,
        "the launch queue was full",
        Words.count(group.size(), "launch", "launches")
            + " waited for room in the launch queue, "
            + Words.ms(total(group))
            + " in all.",
        "The host was so far ahead that the queue "
            + onStreams(group)
            + " held all the launches that fit (about 1000). The GPU was the slow side: the host"
            + " lost nothing that the run needed.",
        "Nothing to do for throughput. Fuse small kernels or use CUDA graphs to launch less.",
        List.of(),
        guesses(group),
        false);
  }
}
