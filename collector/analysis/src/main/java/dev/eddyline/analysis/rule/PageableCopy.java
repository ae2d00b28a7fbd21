package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A copy of host memory that is not pinned held the host although its name says Async. */
public final class PageableCopy extends BlockRule {
  static final String ID = "pageable-copy";
  private static final int MOST_PLACES = 5;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A copy from or to host memory that is not pinned held the host until it was done.";
  }

  /** One finding for each direction: the places stand in the explanation. */
  @Override
  String groupKey(JudgedBlock judged, Facts facts) {
    return judged.occurrence().call() + (isToHost(judged, facts) ? "\u0001to" : "\u0001from");
  }

  private static boolean isToHost(JudgedBlock judged, Facts facts) {
    OpView op = facts.timeline().ops().at(judged.block().releaseOp());
    return op.dstMemory() == Op.MEMORY_PAGEABLE;
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    boolean toHost = isToHost(group.get(0), facts);
    String copies =
        Words.count(group.size(), "copy", "copies")
            + " of "
            + sizes(group, facts)
            + (toHost ? " to" : " from")
            + " host memory that is not pinned";
    String summary =
        copies + " held the host " + Words.ms(total(group)) + share(group, facts) + ".";
    StringBuilder explanation = new StringBuilder(places(group));
    explanation
        .append(group.size() == 1 ? "It" : "Each")
        .append(" waited for ")
        .append(onStreams(group).replace("on ", ""))
        .append('.');
    long unknown = unknownWaits(group, facts);
    if (unknown > 0) {
      explanation
          .append(" What ")
          .append(onStreams(group).replace("on ", ""))
          .append(" waited for cannot be told: ")
          .append(unknown)
          .append(" waits without source.");
    }
    return new Text(
        Severity.WARNING,
        (toHost ? "copies to" : "copies from") + " memory that is not pinned held the host",
        summary,
        explanation.toString(),
        "Use pinned host memory and an asynchronous copy (in PyTorch pin_memory=True and"
            + " non_blocking=True)"
            + (toHost
                ? "; before the host reads the result, sync on an event recorded right after the"
                    + " copy."
                : "."),
        List.of(),
        guesses(group),
        false);
  }

  private static String sizes(List<JudgedBlock> group, Facts facts) {
    OpView op = facts.timeline().ops();
    long least = Long.MAX_VALUE;
    long most = 0;
    for (JudgedBlock judged : group) {
      long bytes = op.at(judged.block().releaseOp()).bytes();
      least = Math.min(least, bytes);
      most = Math.max(most, bytes);
    }
    return least == most ? most + " bytes" : least + " .. " + most + " bytes";
  }

  private static String share(List<JudgedBlock> group, Facts facts) {
    long length = facts.lengthNs();
    long percent = length <= 0 ? 0 : Math.round(100.0 * total(group) / length);
    return percent < 1 ? "" : ", " + percent + " % of the trace";
  }

  private static String places(List<JudgedBlock> group) {
    Map<String, List<JudgedBlock>> byPlace = new LinkedHashMap<>();
    for (JudgedBlock judged : group) {
      String place = Places.shortPath(judged.occurrence().where());
      byPlace.computeIfAbsent(place, key -> new ArrayList<>()).add(judged);
    }
    List<String> lines = new ArrayList<>();
    byPlace.entrySet().stream()
        .sorted((a, b) -> Long.compare(total(b.getValue()), total(a.getValue())))
        .limit(MOST_PLACES)
        .forEach(
            entry ->
                lines.add(
                    Words.ms(total(entry.getValue()))
                        + " in "
                        + Words.count(entry.getValue().size(), "copy", "copies")
                        + (entry.getKey().isEmpty() ? "" : " in " + entry.getKey())));
    if (lines.size() < 2 && byPlace.containsKey("")) {
      return "";
    }
    int more = byPlace.size() - lines.size();
    return String.join("; ", lines) + (more > 0 ? "; and " + more + " more places. " : ". ");
  }

  private static long unknownWaits(List<JudgedBlock> group, Facts facts) {
    var bindings = facts.graph().bindings();
    Set<Integer> streams = new LinkedHashSet<>();
    group.forEach(judged -> streams.add(judged.block().stream()));
    long unknown = 0;
    for (int i = 0; i < bindings.size(); i++) {
      int waiter = facts.timeline().waits().at(i).stream();
      if (bindings.isUnknown(i) && (waiter < 0 || streams.contains(waiter))) {
        unknown++;
      }
    }
    return unknown;
  }
}
