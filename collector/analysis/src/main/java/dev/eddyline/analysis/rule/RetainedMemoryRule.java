package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.RetainedMemory.Held;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.CallView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A caching allocator kept memory back for a stream that was known to be done with it. */
public final class RetainedMemoryRule implements Rule {
  static final String ID = "retained-memory";
  private static final Parameter MIN_MIB =
      new Parameter("min-mib", "MiB", 1, "less memory than that at once is left out");
  private static final double MIB = 1 << 20;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "An allocator kept freed memory back for another stream (record_stream), although that"
        + " stream's uses came before the free anyway.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(MIN_MIB);
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    return facts.timeline().allocations().size() == 0 ? "needs what the allocator did" : null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    List<Held> held = new ArrayList<>();
    for (Held one : facts.memory().retained().held()) {
      if (one.bytes() >= MIN_MIB.defaultValue() * MIB) {
        held.add(one);
      }
    }
    if (held.isEmpty()) {
      return List.of();
    }
    FaultWords words = new FaultWords(facts);
    Held first = held.get(0);
    long longest = held.stream().mapToLong(Held::heldNs).max().orElse(0);
    long most = most(held, facts);
    String stream = words.stream(first.stream(), -1);
    AllocationView free = facts.timeline().allocations();
    String owner = words.stream(free.at(first.free()).stream(), -1);
    return List.of(
        new Finding(
            id(),
            Severity.INFO,
            Confidence.CERTAIN,
            "memory was kept back for a stream that was done with it",
            Words.count(held.size(), "freed block was", "freed blocks were")
                + " kept back for "
                + stream
                + " without need: up to "
                + FaultWords.size(most)
                + " at once, a block up to "
                + Words.ms(longest)
                + ".",
            sentence(owner)
                + " already came after the last use on "
                + stream
                + " when the block was freed, so it could have had the memory again at once.",
            "Leave the record_stream out where the owner's stream waits for the other one before"
                + " the free.",
            List.of(),
            List.of(),
            null,
            null,
            false,
            held.stream().map(one -> at(one, facts)).toList(),
            0));
  }

  private static String sentence(String text) {
    return FaultRule.sentence(text);
  }

  /** The most bytes that were kept back at one moment. */
  private static long most(List<Held> held, Facts facts) {
    AllocationView free = facts.timeline().allocations();
    PriorityQueue<Held> now =
        new PriorityQueue<>(
            Comparator.comparingLong((Held one) -> free.at(one.free()).start() + one.heldNs()));
    long sum = 0;
    long most = 0;
    for (Held next : held) {
      long at = free.at(next.free()).start();
      for (Held done = now.peek();
          done != null && free.at(done.free()).start() + done.heldNs() <= at;
          done = now.peek()) {
        sum -= now.remove().bytes();
      }
      now.add(next);
      sum += next.bytes();
      most = Math.max(most, sum);
    }
    return most;
  }

  private static Occurrence at(Held held, Facts facts) {
    AllocationView free = facts.timeline().allocations().at(held.free());
    long start = free.start();
    int thread = free.thread();
    int process = free.process();
    String stream = facts.timeline().stream(held.stream()).label();
    CallView call = facts.timeline().calls();
    int row = facts.timeline().callOf(process, free.correlation());
    String name = row < 0 ? "" : call.at(row).name();
    return new Occurrence(
        start,
        start + held.heldNs(),
        row,
        facts.timeline().process(process).rank(),
        thread < 0 ? "" : facts.timeline().thread(thread).label(),
        name,
        row < 0 ? -1 : call.correlation(),
        stream,
        thread < 0 ? List.of() : facts.places().at(thread, start),
        List.of(),
        List.of());
  }
}
