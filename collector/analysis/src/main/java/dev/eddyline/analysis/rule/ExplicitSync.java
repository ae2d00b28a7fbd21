package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Severity;
import java.util.ArrayList;
import java.util.List;

/** A sync call in the program, or in a library, held the host until GPU work was done. */
public final class ExplicitSync extends BlockRule {
  static final String ID = "explicit-sync";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A stream, event or device sync held the host, and no collective lay in the blocked"
        + " time.";
  }

  @Override
  String groupKey(JudgedBlock judged, Facts facts) {
    return judged.block().endOfTrace() ? "end" : super.groupKey(judged, facts);
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    if (group.get(0).block().endOfTrace()) {
      return atEnd(group);
    }
    String call = group.get(0).occurrence().call();
    String until = OpWords.ofReleases(group, facts);
    boolean valueRead = group.stream().allMatch(judged -> BlockKind.isValueRead(judged, facts));
    String summary =
        "A sync "
            + onStreams(group)
            + " held the host "
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all, until "
            + until
            + " was done.";
    List<String> explanation = new ArrayList<>();
    explanation.add(
        call
            + " "
            + onStreams(group)
            + " held "
            + group.get(0).occurrence().thread()
            + " until "
            + until
            + " was done.");
    String not = NotTheCollective.say(group, facts);
    if (!not.isEmpty()) {
      explanation.add(not);
    }
    if (valueRead) {
      explanation.add("The host asked for this value: the sync is intended.");
    }
    String title = "a sync " + onStreams(group) + " held the host";
    return new Text(
        valueRead ? Severity.INFO : Severity.WARNING,
        title,
        summary,
        String.join(" ", explanation),
        remedy(group, facts, valueRead),
        List.of(),
        guesses(group),
        false);
  }

  private static String remedy(List<JudgedBlock> group, Facts facts, boolean valueRead) {
    if (valueRead) {
      return "It guards a value that the host reads: postpone it, do not remove it. Read the value"
          + " a step later, or copy it to pinned memory and sync on an event recorded right"
          + " after the copy.";
    }
    if (group.stream().allMatch(judged -> BlockKind.followsPageableCopy(judged, facts))) {
      return "The sync stands behind a copy of memory that is not pinned. Pin the memory and copy"
          + " without blocking (in PyTorch pin_memory=True and non_blocking=True); if the"
          + " host reads the result, sync on an event recorded right after the copy.";
    }
    if (group.stream().allMatch(j -> j.block().kind() == HostBlock.Kind.DEVICE_SYNC)) {
      return "If it is there to order streams, record an event on the stream that produces and let"
          + " the one that consumes wait for it: the same order, and the host goes on. Add that"
          + " before the sync goes, since work after it relies on it. If the host needs a result,"
          + " sync on an event recorded right after the op.";
    }
    return "If the host needs one op's result, record an event right after that op and sync on the"
        + " event, not on the stream.";
  }

  private static Text atEnd(List<JudgedBlock> group) {
    return new Text(
        Severity.INFO,
        "a device sync at the end",
        Words.count(group.size(), "device sync", "device syncs")
            + " at the end of the trace held the host "
            + Words.ms(total(group))
            + ": expected, not counted.",
        "No work was launched afterwards: this is how a program or a profiler waits for the rest.",
        "Nothing to do.",
        List.of(),
        List.of(),
        true);
  }
}
