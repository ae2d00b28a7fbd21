package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Says in words why nothing goes on. */
final class Diagnosis {
  private static final int MOST_NAMED = 4;

  private Diagnosis() {}

  /** What every thread waits for, and which collectives lack which ranks. */
  static String deadlock(World world) {
    StringBuilder text =
        new StringBuilder(", and nothing that could let it go can happen any more");
    Set<CommunicatorCore> cores = new TreeSet<>((a, b) -> Integer.compare(a.number, b.number));
    List<String> stuck = new ArrayList<>();
    for (SimProcess process : world.processes) {
      if (process.isDead()) {
        stuck.add("rank " + process.rank + " was killed at " + ms(process.diedAt()));
      }
      process.communicators.forEach(communicator -> cores.add(communicator.core));
    }
    cores.forEach(core -> core.describeStuck(stuck));
    for (int i = 0; i < Math.min(MOST_NAMED, stuck.size()); i++) {
      text.append("; ").append(stuck.get(i));
    }
    List<String> others = new ArrayList<>();
    for (SimThread thread : world.threads) {
      if (thread.state == SimThread.State.BLOCKED && !thread.daemon) {
        others.add(thread.describe() + " " + thread.waitsFor());
      }
    }
    if (others.size() > 1) {
      text.append(". All that wait: ");
      text.append(String.join("; ", others.subList(0, Math.min(2 * MOST_NAMED, others.size()))));
    }
    return text.append('.').toString();
  }

  /** Milliseconds with three decimals. */
  static String ms(long nanos) {
    return String.format(java.util.Locale.ROOT, "%.3f ms", nanos / 1e6);
  }
}
