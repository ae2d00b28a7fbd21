package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** An event was recorded again elsewhere before anyone waited for its first record. */
public final class OverwrittenEvent extends FaultRule {
  static final String ID = "overwritten-event";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "An event was recorded again on another stream before anyone waited for the first"
        + " record, and nothing else orders the work behind that.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    return Set.of(Fault.Kind.OVERWRITTEN);
  }

  /** All records that one wait misses are one finding. */
  @Override
  String key(Fault fault, FaultWords words) {
    return words.kind(Objects.requireNonNull(fault.second()));
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch second = Objects.requireNonNull(fault.second());
    List<String> streams = new ArrayList<>();
    List<String> ops = new ArrayList<>();
    for (Fault other : group) {
      if (other.cause() == fault.cause()) {
        streams.add(words.stream(other.first()));
        ops.add(words.who(other.first()));
      }
    }
    String covered = words.stream(facts.graph().bindings().source(fault.cause()), -1);
    String records = streams.size() == 1 ? "The record" : "The records";
    return new Text(
        "an event was recorded again on another stream before anyone waited for the first record",
        records
            + " of an event on "
            + Words.list(streams)
            + (streams.size() == 1 ? " was" : " were")
            + " overwritten before any wait: the wait of "
            + words.stream(second)
            + " covers "
            + covered
            + " only, and "
            + words.who(second)
            + " uses the results of "
            + Words.list(ops)
            + " unordered.",
        "A wait binds to the latest record at the moment of its call; the records before it are"
            + " forgotten. "
            + thisRun(fault, facts),
        "Use an event of its own for each stream, and let "
            + words.stream(second)
            + " wait for all of them before "
            + words.who(second)
            + ".");
  }
}
