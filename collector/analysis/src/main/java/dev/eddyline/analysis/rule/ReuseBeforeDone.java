package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Life;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A freed block was handed out again while its old user may still use it. */
public final class ReuseBeforeDone extends FaultRule {
  static final String ID = "reuse-before-done";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "An allocator handed a freed block out again, and the new use is not ordered after an"
        + " old one.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    return Set.of(Fault.Kind.REUSE);
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch first = fault.first();
    Touch second = Objects.requireNonNull(fault.second());
    Life life = Objects.requireNonNull(first.life);
    Timeline timeline = facts.timeline();
    AllocationView free = timeline.allocations();
    String freedBy = "";
    if (fault.free() >= 0) {
      int on = free.at(fault.free()).stream();
      freedBy = on < 0 ? "" : ", freed on " + words.stream(on, free.thread());
    }
    String remedy =
        life.owner >= 0 && life.owner != first.stream
            ? "Tell the allocator that "
                + words.stream(first)
                + " uses the block (record_stream), or let "
                + words.stream(life.owner, -1)
                + " wait for "
                + words.who(first)
                + " before the block is freed."
            : edge(fault, words);
    return new Text(
        "a freed block is used again while its old user may still use it",
        sentence(words.memory(first))
            + freedBy
            + ", was handed out again, and "
            + words.who(second)
            + " on "
            + words.stream(second)
            + " "
            + FaultWords.does(second)
            + " it while "
            + words.who(first)
            + " on "
            + words.stream(first)
            + " may still use it ("
            + fault.hazard().word()
            + ").",
        "Events between the ops order the data, not the allocator: handing a block out on another"
            + " stream is fine, using it out of order is not. "
            + lookAlike(first, second, timeline)
            + thisRun(fault, facts),
        remedy);
  }

  private static String lookAlike(Touch first, Touch second, Timeline timeline) {
    StreamInfo one = timeline.stream(first.stream);
    StreamInfo two = timeline.stream(second.stream);
    boolean perThread =
        one.kind() == StreamInfo.Kind.PER_THREAD_DEFAULT
            && two.kind() == StreamInfo.Kind.PER_THREAD_DEFAULT;
    return perThread
        ? "Both streams are per-thread default streams: one handle stands for a stream of each"
            + " thread. "
        : "";
  }
}
