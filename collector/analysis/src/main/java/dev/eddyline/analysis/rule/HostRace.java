package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A host thread uses memory that an op in flight uses too. */
public final class HostRace extends FaultRule {
  static final String ID = "host-race";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A host thread reads or writes host memory that an op still writes or reads: no sync or"
        + " successful query before it covers the op.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    return Set.of(Fault.Kind.HOST_RACE);
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    String does = second.writes() ? "writes" : "reads";
    String did = first.writes() ? "still writes" : "may still read";
    return new Text(
        "the host " + does + " memory that " + words.kind(first) + " " + did,
        sentence(words.who(second))
            + " "
            + does
            + " "
            + words.shared(first, second)
            + " before any sync that covers "
            + words.who(first)
            + " on "
            + words.stream(first)
            + ", which "
            + did
            + " it ("
            + fault.hazard().word()
            + "). Last host wait since that op: "
            + lastWait(first, second, facts)
            + ".",
        "A copy that is enqueued returns at once; the memory belongs to it until a sync, or a query"
            + " that succeeded, tells that it is done.",
        "Record an event right after "
            + words.who(first)
            + " and sync on it before the host "
            + does
            + (second.writes() ? "; or use two buffers in turn." : "."));
  }

  private static String lastWait(Touch first, Touch second, Facts facts) {
    CallView call = facts.timeline().calls();
    for (int row = Math.min(second.call, call.size()) - 1; row > first.call; row--) {
      ApiKind kind = call.at(row).kind();
      if (call.thread() == second.thread
          && (kind.isHostSync() || kind.isPoll() && call.result() == 0)) {
        return call.name() + ", which does not cover it";
      }
    }
    return "none";
  }
}
