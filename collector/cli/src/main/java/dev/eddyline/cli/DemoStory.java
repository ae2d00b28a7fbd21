package dev.eddyline.cli;

import dev.eddyline.analysis.report.Millis;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The story of the demo, in words for someone who has never heard of stream events. */
final class DemoStory {
  private static final double NS_PER_MS = 1e6;

  private DemoStory() {}

  static List<String> tell(DemoRun before, DemoRun after) {
    List<Long> quick = after.syncNs();
    long shorter = before.gpuNs() - after.gpuNs();
    return List.of(
        "A training loop with two fragments, recorded on two H200s, before and after a fix.",
        "before  The host called synchronize() on fragment 1's stream once per step and stood"
            + " still",
        "        " + list(before.syncNs()) + " ms.",
        "        Nobody meant it to: a callback had put a division there. While the device was"
            + " full, the division,",
        "        and so the host, had to wait.",
        "        Worse, nothing told the division to wait for the all-reduce. It ran "
            + oneDecimal(before.divisionToReduceNs().get(0))
            + " ms before it.",
        "after   Gradients are copied, the fragment's own stream waits, and the callback runs"
            + " there.",
        "        The same calls take "
            + Millis.of(Collections.min(quick))
            + " .. "
            + Millis.of(Collections.max(quick))
            + " ms, and "
            + order(after)
            + ".",
        "        Price: one "
            + (after.copyBytes() >> 20)
            + " MiB copy per step ("
            + Millis.of(average(after.copyNs()))
            + " ms).",
        "Not from the fix: the second run is "
            + Math.round(shorter / NS_PER_MS)
            + " ms shorter because rank 1, "
            + oneDecimal(before.otherLateNs())
            + " ms late in the first, was not late in it.",
        "");
  }

  private static String order(DemoRun run) {
    boolean all = run.divisionToReduceNs().stream().allMatch(gap -> gap < 0);
    return all
        ? "each division runs after its all-reduce"
        : "not every division runs after its all-reduce";
  }

  private static long average(List<Long> values) {
    return Math.round(values.stream().mapToLong(Long::longValue).average().orElse(0));
  }

  private static String list(List<Long> ns) {
    List<String> texts = ns.stream().map(DemoStory::oneDecimal).toList();
    int last = texts.size() - 1;
    return String.join(", ", texts.subList(0, last)) + " and " + texts.get(last);
  }

  private static String oneDecimal(long ns) {
    return String.format(Locale.ROOT, "%.1f", ns / NS_PER_MS);
  }
}
