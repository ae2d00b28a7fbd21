package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.WorkWait;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.List;

/** Says of each {@code Work.wait()} and barrier which stream it held, and whether the host. */
final class WorkWaits {
  private final Facts facts;
  private final Timeline timeline;
  private final StreamGraph graph;

  private WorkWaits(Facts facts) {
    this.facts = facts;
    this.timeline = facts.timeline();
    this.graph = facts.graph();
  }

  static List<WorkWait> find(Facts facts) {
    return new WorkWaits(facts).all();
  }

  private List<WorkWait> all() {
    CollectiveView collective = timeline.collectives();
    List<List<Integer>> waitsOfThread = new ArrayList<>();
    for (int t = 0; t < timeline.threads().size(); t++) {
      waitsOfThread.add(new ArrayList<>());
    }
    CallView call = timeline.calls();
    for (int i = 0; i < graph.bindings().size(); i++) {
      int by = graph.links().callOfWait(i);
      if (by >= 0) {
        waitsOfThread.get(call.at(by).thread()).add(i);
      }
    }
    List<WorkWait> found = new ArrayList<>();
    for (int i = 0; i < collective.size(); i++) {
      String kind = collective.at(i).kind();
      if (kind.equals("wait") || kind.equals("barrier")) {
        found.add(one(collective, waitsOfThread.get(collective.thread())));
      }
    }
    return found;
  }

  private WorkWait one(CollectiveView collective, List<Integer> waits) {
    long begin = collective.start();
    long end = collective.end();
    String stream = "";
    String target = "";
    CallView call = timeline.calls();
    WaitView wait = timeline.waits();
    for (int i = firstFrom(waits, begin, call); i < waits.size(); i++) {
      int row = waits.get(i);
      if (call.at(graph.links().callOfWait(row)).start() >= end) {
        break;
      }
      if (!graph.bindings().isNcclInternal(row)) {
        stream = wait.at(row).stream() < 0 ? stream : timeline.stream(wait.stream()).label();
        target = target(row, target);
      }
    }
    JudgedBlock held = heldIn(collective.thread(), begin, end);
    if (held != null && !held.collectives().isEmpty()) {
      int last = held.collectives().get(held.collectives().size() - 1);
      target = OpWords.collective(last, facts);
    }
    return new WorkWait(
        collective.kind(),
        begin,
        end - begin,
        timeline.process(collective.process()).rank(),
        timeline.thread(collective.thread()).label(),
        collective.communicator(),
        target,
        stream,
        held != null,
        held == null ? "" : through(held),
        held == null ? 0 : held.blockedNs());
  }

  private int firstFrom(List<Integer> waits, long time, CallView call) {
    int low = 0;
    int high = waits.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (call.at(graph.links().callOfWait(waits.get(middle))).start() < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private String target(int wait, String otherwise) {
    int record = graph.bindings().record(wait);
    if (record < 0) {
      return otherwise;
    }
    int stream = graph.bindings().recordStream(record);
    for (int p = graph.recordPosition(record) - 1; stream >= 0 && p >= 0; p--) {
      int row = graph.ops().op(stream, p);
      if (graph.collectives().isCollective(timeline.ops().at(row))) {
        return OpWords.collective(row, facts);
      }
    }
    return otherwise;
  }

  private @org.jspecify.annotations.Nullable JudgedBlock heldIn(int thread, long begin, long end) {
    List<JudgedBlock> blocked = facts.blocked();
    int low = 0;
    int high = blocked.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blocked.get(middle).block().startNs() < begin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (; low < blocked.size() && blocked.get(low).block().startNs() < end; low++) {
      HostBlock block = blocked.get(low).block();
      if (timeline.calls().at(block.call()).thread() == thread) {
        return blocked.get(low);
      }
    }
    return null;
  }

  private static String through(JudgedBlock held) {
    String call = held.occurrence().call();
    return held.block().kind() == HostBlock.Kind.POLL_LOOP ? call + " in a loop" : call;
  }
}
