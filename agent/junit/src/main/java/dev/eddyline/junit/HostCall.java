package dev.eddyline.junit;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Segment.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that could hold the host, as a message shows it.
 *
 * @param block the call
 * @param occurrence it with its segments, null where it held nothing
 * @param remedy what the report advises, "" if nothing
 * @param latent what it could have waited for, null if nothing
 */
record HostCall(
    HostBlock block, @Nullable Occurrence occurrence, String remedy, @Nullable LatentSync latent) {

  /** All of a trace but those at its end, in the order of time. */
  static List<HostCall> of(TraceView view) {
    Map<Integer, Occurrence> occurrences = new HashMap<>();
    Map<Integer, String> remedies = new HashMap<>();
    var report = view.analysis().report();
    for (Finding finding : report.findings()) {
      for (Occurrence occurrence : finding.occurrences()) {
        if (occurrence.callRow() >= 0 && !occurrence.blame().isEmpty()) {
          occurrences.putIfAbsent(occurrence.callRow(), occurrence);
          remedies.putIfAbsent(occurrence.callRow(), finding.remedy());
        }
      }
    }
    Map<Integer, LatentSync> latent = new HashMap<>();
    report.latentSyncs().forEach(sync -> latent.put(sync.occurrence().callRow(), sync));
    List<HostCall> calls = new ArrayList<>();
    for (HostBlock block : view.analysis().hostBlocks()) {
      if (!block.endOfTrace()) {
        int row = block.call();
        calls.add(
            new HostCall(
                block,
                block.isBlocked() ? occurrences.get(row) : null,
                remedies.getOrDefault(row, ""),
                latent.get(row)));
      }
    }
    return calls;
  }

  List<Segment> segments() {
    return occurrence == null ? List.of() : occurrence.blame();
  }

  /** Rows of the collectives in the time that it held the host. */
  List<Integer> collectives(TraceView view) {
    List<Integer> found = new ArrayList<>();
    for (Segment segment : segments()) {
      boolean active = segment.state() == State.RUNNING || segment.state() == State.REMOTE;
      int row = segment.opRow();
      if (active
          && row >= 0
          && !found.contains(row)
          && view.graph().collectives().isCollective(view.timeline().ops().at(row))) {
        found.add(row);
      }
    }
    return found;
  }

  /** "cudaStreamSynchronize on stream 25". */
  String words(TraceView view) {
    String call = view.timeline().calls().at(block.call()).name();
    String polls = block.polls() > 0 ? " in a loop" : "";
    return call + polls + (block.stream() < 0 ? "" : " on stream " + view.label(block.stream()));
  }

  /** The call with its place and time, and the segments that add up to the time. */
  List<String> lines(TraceView view) {
    List<String> lines = new ArrayList<>();
    lines.add(words(view) + "      at " + view.placeOfCall(block.call()));
    List<Integer> collectives = collectives(view);
    String held = "held the host " + Words.ms(block.durationNs());
    if (!collectives.isEmpty()) {
      long ns =
          segments().stream()
              .filter(segment -> collectives.contains(segment.opRow()))
              .mapToLong(Segment::ns)
              .sum();
      String words = view.opOnStream(collectives.get(collectives.size() - 1));
      held += ", " + Words.ms(ns) + " of them for " + words.substring(0, words.lastIndexOf(','));
    }
    lines.add(held + ":");
    lines.addAll(SegmentLines.of(view, segments()));
    return lines;
  }
}
