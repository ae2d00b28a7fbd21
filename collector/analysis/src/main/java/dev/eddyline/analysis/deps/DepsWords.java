package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.WaitFact.State;
import dev.eddyline.analysis.report.Columns;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.report.TextReport;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Which stream waits for which, as sentences; of two runs side by side. */
public final class DepsWords {
  private static final int WIDTH = 180;

  /** What is said about one subject: who waits for what, how often, by which call. */
  private record Line(String head, String often, String by) {
    String whole() {
      return (head + "   " + often + "   " + by).stripTrailing();
    }

    String[] cells() {
      return new String[] {head, often, by};
    }
  }

  private DepsWords() {}

  /** Writes sentences about one trace, or two side by side; leaves the writer open. */
  public static void write(List<StreamDependencies> traces, Writer target) throws IOException {
    List<String> lines =
        traces.size() == 1 ? one(traces.get(0)) : two(traces.get(0), traces.get(1));
    for (String line : lines) {
      target.write(TextReport.printable(line.stripTrailing()));
      target.write('\n');
    }
  }

  private static List<String> one(StreamDependencies deps) {
    List<String[]> rows = new ArrayList<>();
    lines(deps).values().forEach(line -> rows.add(line.cells()));
    List<String> lines = Columns.align(rows, "");
    lines.addAll(shared(deps));
    lines.addAll(conclusions(deps));
    return lines;
  }

  private static List<String> two(StreamDependencies before, StreamDependencies after) {
    Map<String, Line> old = lines(before);
    Map<String, Line> now = lines(after);
    Set<String> keys = new LinkedHashSet<>(old.keySet());
    keys.addAll(now.keySet());
    List<String[]> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    for (String key : keys) {
      Line then = old.get(key);
      Line later = now.get(key);
      left.add(then == null ? new String[] {"-", "", ""} : then.cells());
      right.add(
          later == null
              ? gone(key, before, after)
              : then == null
                  ? "new: " + later.whole()
                  : later.equals(then) ? "the same" : later.whole());
    }
    List<String> aligned = Columns.align(left, "");
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"before", "after"});
    for (int i = 0; i < aligned.size(); i++) {
      rows.add(new String[] {"  " + aligned.get(i), right.get(i)});
    }
    List<String> oldShared = shared(before);
    List<String> newShared = shared(after);
    for (String line : oldShared) {
      rows.add(new String[] {"  " + line, newShared.contains(line) ? "the same" : "never"});
    }
    for (String line : newShared) {
      if (!oldShared.contains(line)) {
        rows.add(new String[] {"  -", "new: " + line});
      }
    }
    List<String> then = conclusions(before);
    List<String> later = conclusions(after);
    for (int i = 0; i < Math.max(then.size(), later.size()); i++) {
      rows.add(
          new String[] {
            i < then.size() ? "  " + then.get(i) : "", i < later.size() ? later.get(i) : ""
          });
    }
    return Columns.align(rows, "", WIDTH);
  }

  /** Why a sentence of before does not hold after. */
  private static String gone(String key, StreamDependencies before, StreamDependencies after) {
    String waiter = key.substring(0, key.indexOf('\u0000'));
    boolean stream = before.notes().stream().anyMatch(n -> n.party().label().equals(waiter));
    boolean there = after.notes().stream().anyMatch(n -> n.party().label().equals(waiter));
    return stream && !there ? "gone: no stream is called " + waiter : "gone";
  }

  /** Sentences by what they are about: what stays the same has the same key. */
  private static Map<String, Line> lines(StreamDependencies deps) {
    Map<String, Line> lines = new LinkedHashMap<>();
    Map<String, Map<String, Integer>> calls = Comparison.callsOf(deps);
    Map<String, Integer> counts = new LinkedHashMap<>();
    Map<String, Boolean> sure = new LinkedHashMap<>();
    for (Dependency row : deps.rows()) {
      if (!row.ncclInternal()) {
        String key = row.waiter().label() + '\u0000' + row.target().label();
        counts.merge(key, row.waits().size(), Integer::sum);
        sure.merge(key, row.state() != State.LIKELY, Boolean::logicalAnd);
      }
    }
    counts.forEach(
        (key, n) -> {
          String[] names = key.split("\u0000", 2);
          String by = mostOften(calls.getOrDefault(key, Map.of()));
          String often = Comparison.often(n, deps);
          lines.put(
              key,
              new Line(
                  names[0] + " waits for " + target(names[0], names[1]),
                  sure.getOrDefault(key, true) ? often : often + ", likely",
                  by.startsWith("cu") || by.startsWith("hip") ? "" : by));
        });
    addNothing(deps, lines);
    addHost(deps, lines);
    addIndirect(deps, lines);
    return lines;
  }

  private static String target(String waiter, String target) {
    if (target.equals(Party.UNKNOWN.label())) {
      return "something that is not known";
    }
    return target.equals(waiter) ? "itself" : target;
  }

  private static void addNothing(StreamDependencies deps, Map<String, Line> lines) {
    for (StreamNote note : deps.notes()) {
      if (note.waits() == 0) {
        String label = note.party().label();
        String sure = note.sureOfItsWaits() ? "" : "that the trace shows";
        lines.put(label + '\u0000', new Line(label + " waits for nothing", sure, ""));
      }
    }
  }

  private static void addHost(StreamDependencies deps, Map<String, Line> lines) {
    for (StreamNote note : deps.notes()) {
      int syncs = note.hostBlocks() + note.idleSyncs();
      if (syncs > 0) {
        String label = note.party().label();
        lines.put(
            "the host\u0000" + label,
            new Line("the host waits for " + label, Comparison.often(syncs, deps), "synchronize"));
      }
    }
  }

  private static void addIndirect(StreamDependencies deps, Map<String, Line> lines) {
    for (IndirectDependency indirect : deps.indirect()) {
      String through =
          indirect.cause() == IndirectDependency.Cause.COMMUNICATOR
              ? "communicator " + indirect.through()
              : "legacy default stream";
      String later = indirect.later().label();
      String earlier = indirect.earlier().label();
      lines.put(
          later + '\u0000' + earlier + through,
          new Line(
              later + " comes after " + earlier,
              Comparison.often(indirect.times(), deps),
              through));
    }
  }

  private static String mostOften(Map<String, Integer> calls) {
    return calls.entrySet().stream()
        .max(Comparator.comparingInt(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  private static List<String> shared(StreamDependencies deps) {
    List<String> lines = new ArrayList<>();
    for (StreamDependencies.SharedRole shared : deps.shared()) {
      lines.add(Sentences.shared(shared, deps.stepCount()));
    }
    return lines;
  }

  private static List<String> conclusions(StreamDependencies deps) {
    List<String> lines = new ArrayList<>();
    for (StreamDependencies.HostBehindCollective held : deps.hostBehindCollective()) {
      int steps = deps.stepCount();
      String where =
          steps == 0 || held.steps() == 0
              ? held.times() + " times"
              : "in " + held.steps() + " of " + steps + " steps";
      lines.add(
          "=> "
              + where
              + " the host waits for "
              + held.collectives()
              + (held.synced().isEmpty() ? "" : " by a sync of " + held.synced())
              + String.format(
                  Locale.ROOT, " (%s ms each)", Millis.of(held.blockedNs() / held.times())));
    }
    if (lines.isEmpty() && deps.rows().stream().noneMatch(r -> r.state() == State.UNKNOWN)) {
      lines.add("=> the host never waits for a collective");
    }
    return lines;
  }
}
