package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.WorkWait;
import dev.eddyline.analysis.timeline.ApiKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What is worth one line but is no finding: end syncs, waits, syncs that cost nothing. */
final class AlsoLines {
  private final Report report;

  AlsoLines(Report report) {
    this.report = report;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    addFolded(lines);
    addIdle(lines);
    addLatent(lines);
    addWorkWaits(lines);
    return lines;
  }

  private void addFolded(List<String> lines) {
    for (ReportOptions.Numbered numbered : ReportOptions.folded(report)) {
      Finding finding = numbered.finding();
      List<Occurrence> occurrences = finding.occurrences();
      boolean deviceSyncs =
          !occurrences.isEmpty()
              && occurrences.stream().allMatch(o -> ApiKind.of(o.call()) == ApiKind.DEVICE_SYNC);
      if (finding.expected() && deviceSyncs) {
        lines.add(
            Words.count(occurrences.size(), "device sync")
                + " at the end, "
                + Words.durations(occurrences.stream().map(Occurrence::durationNs).toList())
                + ": expected, not counted");
      } else {
        lines.add(finding.summary() + (finding.expected() ? " Expected, not counted." : ""));
      }
    }
  }

  private void addIdle(List<String> lines) {
    Set<Integer> latent = new HashSet<>();
    report.latentSyncs().forEach(sync -> latent.add(sync.occurrence().callRow()));
    List<Occurrence> idle =
        report.idleSyncs().stream().filter(sync -> !latent.contains(sync.callRow())).toList();
    for (List<Occurrence> group : groups(idle, AlsoLines::callAndStream)) {
      String empty =
          group.get(0).stream().isEmpty() ? "nothing was left to wait for" : "the stream was empty";
      lines.add(callsReturned(group) + ": " + empty);
    }
  }

  private void addLatent(List<String> lines) {
    for (List<LatentSync> group :
        groups(report.latentSyncs(), sync -> callAndStream(sync.occurrence()))) {
      Set<String> could = new LinkedHashSet<>();
      group.forEach(sync -> could.addAll(sync.couldWaitFor()));
      List<String> named = could.stream().limit(3).toList();
      String more = could.size() > named.size() ? ", .." : "";
      lines.add(
          callsReturned(group.stream().map(LatentSync::occurrence).toList())
              + ", but could have waited for "
              + (more.isEmpty() ? Words.list(named) : String.join(", ", named) + more)
              + "; this time that was already done");
    }
  }

  private static String callAndStream(Occurrence occurrence) {
    return occurrence.call() + " " + occurrence.stream();
  }

  private static String callsReturned(List<Occurrence> group) {
    Occurrence first = group.get(0);
    String on = first.stream().isEmpty() ? "" : " on stream " + first.stream();
    return group.size()
        + " "
        + first.call()
        + on
        + " returned in "
        + Words.durations(group.stream().map(Occurrence::durationNs).toList());
  }

  private void addWorkWaits(List<String> lines) {
    for (List<WorkWait> group :
        groups(
            report.workWaits(),
            wait -> wait.kind() + wait.stream() + wait.heldHost() + wait.through())) {
      WorkWait first = group.get(0);
      String call = first.kind().equals("wait") ? "Work.wait()" : first.kind() + "()";
      String calls = group.size() + " " + call;
      if (first.heldHost()) {
        String through = first.through().isEmpty() ? "" : " through " + first.through();
        lines.add(
            calls
                + " held the host"
                + through
                + ": "
                + Words.range(group.stream().map(WorkWait::heldHostNs).toList())
                + " ms each");
      } else {
        String held =
            first.stream().isEmpty()
                ? " did not hold the host: "
                : " held stream " + first.stream() + ", not the host: ";
        lines.add(
            calls
                + held
                + Words.range(group.stream().map(WorkWait::hostNs).toList())
                + " ms"
                + (group.size() > 1 ? " each" : ""));
      }
    }
  }

  private static <T> List<List<T>> groups(List<T> items, Function<T, String> key) {
    Map<String, List<T>> groups = new LinkedHashMap<>();
    for (T item : items) {
      groups.computeIfAbsent(key.apply(item), k -> new ArrayList<>()).add(item);
    }
    return new ArrayList<>(groups.values());
  }
}
