package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Fault;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.timeline.AllocationView;
import java.util.List;
import java.util.Set;

/** Memory is used after its free, or its free is not ordered after a use. */
public final class UseAfterFree extends FaultRule {
  static final String ID = "use-after-free";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A block is freed while an op may still use it, or used after it was freed.";
  }

  @Override
  Set<Fault.Kind> kinds() {
    return Set.of(Fault.Kind.USE_AFTER_FREE);
  }

  @Override
  Text describe(Fault fault, List<Fault> group, FaultWords words, Facts facts) {
    Touch first = fault.first();
    AllocationView free = facts.timeline().allocations().at(fault.free());
    int on = free.stream();
    int thread = free.thread();
    String memory = words.memory(first);
    if (fault.second() != null) {
      return new Text(
          "memory is used after it was freed",
          sentence(words.who(first)) + " uses " + memory + " after it was freed.",
          "The block may be another owner's by then.",
          "Free it after its last use was enqueued, in the order of that use.");
    }
    String where = first.isByHost() ? "" : " on " + words.stream(first);
    if (on >= 0) {
      String stream = words.stream(on, thread);
      return new Text(
          "a free is not ordered after the last use of its memory",
          "The free of "
              + memory
              + " on "
              + stream
              + " is not ordered after "
              + words.who(first)
              + where
              + ", which uses it.",
          "The next owner of the block comes after the free, not after that op.",
          "Record an event on "
              + words.stream(first)
              + " after "
              + words.who(first)
              + " and let "
              + stream
              + " wait for it before the free; or free on "
              + words.stream(first)
              + ".");
    }
    return new Text(
        "host memory is freed while " + words.kind(first) + " may still use it",
        sentence(memory)
            + " is freed, or given back for others, before "
            + words.who(first)
            + where
            + " is known to be done.",
        "This free waits for nothing, unlike cudaFree. An error shows later, in another call: look"
            + " at this op first.",
        "Sync on an event recorded right after "
            + words.who(first)
            + " before the memory is freed.");
  }
}
