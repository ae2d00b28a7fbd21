package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import java.util.List;

/** A thread asked for an event again and again until it was done. */
public final class PollLoop extends BlockRule {
  static final String ID = "poll-loop";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A loop of queries by one thread that ended when the event was done held the host. A"
        + " thread that only asks is a watchdog and is left out.";
  }

  @Override
  public @org.jspecify.annotations.Nullable String notEvaluatedBecause(Facts facts) {
    boolean polls = facts.coverage().polls() > 0;
    boolean named = facts.timeline().syncs().size() > 0;
    return polls && !named ? "the trace does not say which event a query asked for" : null;
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    int polls = group.stream().mapToInt(judged -> judged.block().polls()).sum();
    String call = group.get(0).occurrence().call();
    String until = OpWords.ofReleases(group, facts);
    return new Text(
        Severity.WARNING,
        "the host asked for an event until it was done",
        "A loop of "
            + call
            + " held the host "
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all, until "
            + until
            + " was done.",
        "One query never blocks, but here "
            + polls
            + " queries of one event by one thread, with nothing enqueued in between, ended when "
            + until
            + " "
            + onStreams(group)
            + " was done. (A wait with a timeout does that.)",
        "If only the stream must wait, call wait() without a timeout: it holds the stream, not the"
            + " host. If the host must know, do other work between the queries.",
        List.of(),
        guesses(group),
        false);
  }
}
