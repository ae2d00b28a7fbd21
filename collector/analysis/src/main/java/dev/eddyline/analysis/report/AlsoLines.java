package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.WorkWait;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
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
  /** What this rule says stands in the table of what the trace can answer. */
  private static final String IN_COVERAGE = "unknown-waits";

  private static final int MANY_POLLS = 1000;
  private static final long SHORT_NS = 50_000;
  private final Timeline timeline;
  private final Report report;
  private final List<Occurrence> endSyncs = new ArrayList<>();

  AlsoLines(Timeline timeline, Report report) {
    this.timeline = timeline;
    this.report = report;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    addFolded(lines);
    addIdle(lines);
    addLatent(lines);
    addWorkWaits(lines);
    addPolls(lines);
    return lines;
  }

  private void addFolded(List<String> lines) {
    for (ReportOptions.Numbered numbered : ReportOptions.folded(report)) {
      Finding finding = numbered.finding();
      if (finding.expected() && areDeviceSyncs(finding.occurrences())) {
        endSyncs.addAll(finding.occurrences());
      } else if (!finding.rule().equals(IN_COVERAGE)) {
        lines.add(finding.summary());
      }
    }
    if (!endSyncs.isEmpty()) {
      long first = endSyncs.get(0).startNs();
      // A second one right behind the first finds nothing left, and is as expected.
      report.idleSyncs().stream()
          .filter(idle -> isDeviceSync(idle) && idle.startNs() > first)
          .forEach(endSyncs::add);
      lines.add(
          Words.count(endSyncs.size(), "device sync")
              + " at the end, "
              + Words.durations(endSyncs.stream().map(Occurrence::durationNs).toList())
              + ": expected, not counted");
    }
  }

  private static boolean areDeviceSyncs(List<Occurrence> occurrences) {
    return !occurrences.isEmpty() && occurrences.stream().allMatch(AlsoLines::isDeviceSync);
  }

  private static boolean isDeviceSync(Occurrence occurrence) {
    return ApiKind.of(occurrence.call()) == ApiKind.DEVICE_SYNC;
  }

  private void addIdle(List<String> lines) {
    Set<Integer> told = new HashSet<>();
    report.latentSyncs().forEach(sync -> told.add(sync.occurrence().callRow()));
    endSyncs.forEach(sync -> told.add(sync.callRow()));
    List<Occurrence> idle =
        report.idleSyncs().stream().filter(sync -> !told.contains(sync.callRow())).toList();
    for (List<Occurrence> group : groups(idle, AlsoLines::callAndStream)) {
      boolean quick = group.stream().allMatch(sync -> sync.durationNs() < SHORT_NS);
      String why = "no GPU work released " + (group.size() > 1 ? "them" : "it");
      if (quick) {
        why = group.get(0).stream().isEmpty() ? "nothing to wait for" : "the stream was empty";
      }
      lines.add(callsReturned(group) + ": " + why);
    }
  }

  private void addPolls(List<String> lines) {
    boolean loops = report.findings().stream().anyMatch(f -> f.rule().equals("poll-loop"));
    if (report.coverage().polls() < MANY_POLLS || loops) {
      return;
    }
    Set<String> names = new LinkedHashSet<>();
    int polls = 0;
    long ns = 0;
    CallView call = timeline.calls();
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).kind().isPoll()) {
        names.add(call.name());
        polls++;
        ns += call.duration();
      }
    }
    String named = String.join(", ", names);
    lines.add(polls + " polls (" + named + "): " + Millis.of(ns) + " ms, never a wait");
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
              + ", done already this time");
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
