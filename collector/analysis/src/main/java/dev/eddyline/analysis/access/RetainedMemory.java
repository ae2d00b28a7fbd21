package dev.eddyline.analysis.access;

import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Blocks that a caching allocator kept back after their free for another stream, although that
 * stream's uses already came before the free: their own stream could have had them at once.
 */
public final class RetainedMemory {
  /**
   * One block.
   *
   * @param free row of its free
   * @param bytes its size
   * @param stream the stream for which it was kept back
   * @param heldNs how long, until it was released or the other stream was done
   */
  public record Held(int free, long bytes, int stream, long heldNs) {}

  private final StreamGraph graph;
  private final Reachability order;
  private final OpView op;
  private final AllocationView allocation;
  private final Map<Life, Set<Integer>> otherStreams = new HashMap<>();
  private final Map<Life, Map<Integer, Integer>> lastUse = new HashMap<>();
  private final Map<Life, Held> open = new HashMap<>();
  private final List<Held> held = new ArrayList<>();

  RetainedMemory(StreamGraph graph, Reachability order) {
    this.graph = graph;
    this.order = order;
    this.op = graph.timeline().ops();
    this.allocation = graph.timeline().allocations();
  }

  /** The blocks, in order of their frees. */
  public List<Held> held() {
    return held;
  }

  void otherStream(Life life, int stream) {
    if (stream >= 0) {
      otherStreams.computeIfAbsent(life, key -> new LinkedHashSet<>()).add(stream);
    }
  }

  /** Whether the block is kept back for a stream. */
  boolean keeps(Life life, int stream) {
    return otherStreams.getOrDefault(life, Set.of()).contains(stream);
  }

  void use(Touch touch) {
    if (touch.life != null && !touch.isByHost()) {
      lastUse
          .computeIfAbsent(touch.life, key -> new HashMap<>())
          .merge(touch.stream, touch.op, Math::max);
    }
  }

  void freed(Life life, int free, int nextCall) {
    Map<Integer, Integer> uses = lastUse.remove(life);
    Set<Integer> streams = otherStreams.getOrDefault(life, Set.of());
    if (streams.isEmpty() || uses == null || life.owner < 0) {
      return;
    }
    long time = allocation.at(free).start();
    long until = time;
    int longest = -1;
    for (int stream : streams) {
      Integer last = uses.get(stream);
      if (last != null
          && order.positionAtCall(stream, life.owner, nextCall, false)
              <= graph.ops().indexOf(last)) {
        return;
      }
      // The allocator waits for all that the stream had when the block was freed.
      int position = graph.ops().positionAt(stream, time + 1);
      long end = position == 0 ? time : op.at(graph.ops().op(stream, position - 1)).end();
      if (longest < 0 || end > until) {
        until = Math.max(until, end);
        longest = stream;
      }
    }
    if (until > time) {
      Held found = new Held(free, life.end - life.begin, longest, until - time);
      open.put(life, found);
      held.add(found);
    }
  }

  /** The allocator says that it can be handed out again. */
  void released(Life life, long time) {
    Held found = open.remove(life);
    if (found != null) {
      long since = allocation.at(found.free()).start();
      held.set(
          held.indexOf(found),
          new Held(found.free(), found.bytes(), found.stream(), Math.max(0, time - since)));
    }
  }
}
