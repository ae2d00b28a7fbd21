package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.timeline.SyncView;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A stream, or the host, waited for a stream on which the data were not made. */
public final class WrongStreamWait extends FaultRule {
  static final String ID = "wrong-stream-wait";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "Between two ops that use the same memory stands a wait, or a host sync, for a stream"
        + " other than that of the first.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    return Set.of(Fault.Kind.WRONG_STREAM, Fault.Kind.WRONG_SYNC);
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    boolean sync = fault.kind() == Fault.Kind.WRONG_SYNC;
    String waited;
    if (sync) {
      int row = facts.graph().syncTargets().syncOf(fault.cause());
      SyncView view = facts.timeline().syncs().at(row);
      waited = words.stream(view.stream(), -1);
    } else {
      waited = words.stream(facts.graph().bindings().source(fault.cause()), -1);
    }
    String who = sync ? "the host" : words.stream(second);
    String wait =
        sync
            ? sentence(who) + " waited for " + waited + " before " + words.who(second)
            : sentence(who) + " waits for " + waited + " before " + words.who(second);
    return new Text(
        (sync ? "the host" : words.stream(second)) + " waited for the wrong stream",
        wait
            + ", but "
            + words.shared(first, second)
            + ", which that op "
            + FaultWords.does(second)
            + ", was last used on "
            + words.stream(first)
            + ", by "
            + words.who(first)
            + ": "
            + (sync ? "the sync" : "the wait")
            + " does not cover "
            + words.stream(first)
            + " ("
            + fault.hazard().word()
            + ").",
        (sync
                ? "A sync of one stream says nothing of another. "
                : "What it covers on " + waited + " is used by none of the next ops. ")
            + lastCommon(fault, words, facts)
            + " "
            + thisRun(fault, facts),
        edge(fault, words));
  }
}
