package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.AccessView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Access;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which memory each op reads and writes, and when host threads do. */
final class OpAccesses {
  /**
   * A range of memory.
   *
   * @param space the buffer that the range counts from, -1 for addresses
   * @param begin first byte
   * @param end behind the last byte
   * @param writes whether it is written, or may be
   */
  record Use(long space, long begin, long end, boolean writes) {
    boolean conflicts(Use other) {
      return (writes || other.writes)
          && space == other.space
          && begin < other.end
          && other.begin < end;
    }
  }

  private record HostUse(int process, long timeNs, Use use) {}

  private final Map<Integer, List<Use>> ofOp = new HashMap<>();
  private final List<HostUse> ofHost = new ArrayList<>();
  private boolean complete = true;
  private boolean any;

  OpAccesses(StreamGraph graph) {
    Timeline timeline = graph.timeline();
    AccessView access = timeline.accesses();
    for (int i = 0; i < access.size(); i++) {
      access.at(i);
      any = true;
      // Bounds are enough; a pointer of unknown length among the arguments gives none.
      complete &= access.certainty() != Access.CERTAINTY_GUESSED && access.bytes() >= 0;
      Use use =
          new Use(
              access.buffer(),
              access.begin(),
              access.begin() + Math.max(0, access.bytes()),
              access.writes());
      if (access.isByHost()) {
        ofHost.add(new HostUse(access.process(), access.start(), use));
        continue;
      }
      int call = timeline.callOf(access.process(), access.correlation());
      int op = call < 0 ? -1 : graph.links().opOf(call);
      if (op >= 0) {
        ofOp.computeIfAbsent(op, k -> new ArrayList<>(3)).add(use);
      }
    }
  }

  /** Whether the trace bounds the memory that every op uses. */
  boolean areExact() {
    return any && complete;
  }

  /** What an op uses. */
  List<Use> of(int op) {
    return ofOp.getOrDefault(op, List.of());
  }

  /** What host threads of a process use from a time on. */
  List<Use> ofHost(int process, long fromNs) {
    return ofHost.stream()
        .filter(host -> host.process() == process && host.timeNs() >= fromNs)
        .map(HostUse::use)
        .toList();
  }
}
