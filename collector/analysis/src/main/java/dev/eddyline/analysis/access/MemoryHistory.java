package dev.eddyline.analysis.access;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.AccessView;
import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Access;
import dev.eddyline.trace.RecordType.Allocation;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Goes through all accesses and allocations of a trace in the order of time, and keeps the pairs
 * that nothing orders. Pairs that one missing edge would mend are one fault.
 */
public final class MemoryHistory {
  /** A block this large that pointers lead into is what a caching allocator cuts others from. */
  private static final long LARGE = 1 << 20;

  private static final int MOST_FAULTS = 10_000;

  private final StreamGraph graph;
  private final Timeline timeline;
  private final Reachability order;
  private final CallView call;
  private final AccessView access;
  private final AllocationView allocation;
  private final Causes causes;
  private final Map<Integer, Lives> lives = new HashMap<>();
  private final Map<Integer, Shadow> shadows = new HashMap<>();
  private final Map<Integer, MissingEdges> missing = new HashMap<>();
  private final Set<Long> hostMended = new HashSet<>();
  private final Set<Integer> toldFrees = new HashSet<>();
  private final List<Fault> faults = new ArrayList<>();
  private final RetainedMemory retained;
  private final Set<Long> cutBlocks;
  private int unevaluated;

  private MemoryHistory(StreamGraph graph, Reachability order) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.order = order;
    call = timeline.calls();
    access = timeline.accesses();
    allocation = timeline.allocations();
    causes = new Causes(graph);
    retained = new RetainedMemory(graph, order);
    cutBlocks = cutBlocks();
    run();
  }

  /** Looks through a trace; cheap where it holds no accesses. */
  public static MemoryHistory of(StreamGraph graph, Reachability order) {
    return new MemoryHistory(graph, order);
  }

  /** What is wrong, in order of the later use. */
  public List<Fault> faults() {
    return faults;
  }

  /** Memory that an allocator kept back without need. */
  public RetainedMemory retained() {
    return retained;
  }

  /** Accesses of which only a block is known that holds many things. */
  public int unevaluated() {
    return unevaluated;
  }

  // ---- the sweep ----

  private void run() {
    int next = 0;
    for (int i = 0; i < access.size(); i++) {
      long time = access.at(i).start();
      while (next < allocation.size() && allocation.at(next).start() < time) {
        addAllocation(next++);
      }
      addAccess(i);
    }
    while (next < allocation.size()) {
      addAllocation(next++);
    }
  }

  private Lives livesOf(int process) {
    return lives.computeIfAbsent(process, key -> new Lives());
  }

  private Shadow shadowOf(int process) {
    return shadows.computeIfAbsent(process, key -> new Shadow());
  }

  private MissingEdges missingOf(int process) {
    return missing.computeIfAbsent(process, key -> new MissingEdges(graph, order));
  }

  /** Addresses of large blocks of which a first look shows that pointers lead into them. */
  private Set<Long> cutBlocks() {
    Set<Long> cut = new HashSet<>();
    Map<Integer, Lives> early = new HashMap<>();
    int next = 0;
    for (int i = 0; i < access.size(); i++) {
      access.at(i);
      if (access.bytes() >= 0 || access.buffer() >= 0) {
        continue;
      }
      while (next < allocation.size() && allocation.at(next).start() < access.start()) {
        Lives of = early.computeIfAbsent(allocation.process(), key -> new Lives());
        if (allocation.kind() == Allocation.KIND_ALLOCATE && allocation.buffer() < 0) {
          of.allocate(allocation);
        }
        next++;
      }
      Lives of = early.get(access.process());
      Life life = of == null ? null : of.at(access.begin());
      if (life != null
          && life.allocator != Allocation.ALLOCATOR_CACHING
          && life.end - life.begin >= LARGE
          && access.begin() > life.begin) {
        cut.add((long) life.allocated);
      }
    }
    return cut;
  }

  private void addAccess(int row) {
    access.at(row);
    int process = access.process();
    int opRow = -1;
    int callRow;
    if (access.isByHost()) {
      callRow = firstCallAfter(access.start());
    } else {
      callRow = timeline.callOf(process, access.correlation());
      opRow = callRow < 0 ? -1 : graph.links().opOf(callRow);
      if (opRow < 0) {
        return;
      }
    }
    long begin = access.begin();
    long end = begin + access.bytes();
    Life life = access.buffer() >= 0 ? null : livesOf(process).at(begin);
    if (access.bytes() < 0) {
      if (life != null && cutBlocks.contains((long) life.allocated)) {
        unevaluated++;
        return;
      }
      begin = life == null ? begin : life.begin;
      end = life == null ? begin + 1 : life.end;
    }
    if (end <= begin) {
      return;
    }
    Touch touch = new Touch(access, opRow, callRow, begin, end, life);
    retained.use(touch);
    if (life != null && life.freed() >= 0) {
      useAfterFree(touch, life);
    }
    // Buffers without addresses have spaces of their own.
    int space = access.buffer() < 0 ? process : ~(int) (access.buffer() * 31 + process);
    shadowOf(space).add(touch, (before, after) -> compare(process, before, after));
  }

  private int firstCallAfter(long time) {
    int low = 0;
    int high = call.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (call.at(middle).start() <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // ---- pairs ----

  /** Whether the two are ordered; a pair that is not is kept, if it is a conflict. */
  private boolean compare(int process, Touch before, Touch after) {
    boolean conflict = before.writes() || after.writes();
    if (before.isByHost()) {
      return true;
    }
    if (after.isByHost()) {
      boolean known = isDone(before, after.thread, after.call);
      if (!known && conflict) {
        hostRace(before, after);
      }
      return known;
    }
    if (before.op == after.op || before.stream == after.stream) {
      return true;
    }
    if (order.mayReach(before.op, after.op) || order.mayReach(after.op, before.op)) {
      return true;
    }
    if (!conflict) {
      return false;
    }
    if (faults.size() < MOST_FAULTS) {
      unordered(process, before, after);
    }
    // What comes after the second would come after the first too, were the missing edge there.
    return true;
  }

  private boolean isDone(Touch touch, int thread, int callRow) {
    int index = graph.ops().indexOf(touch.op);
    return thread < 0 || order.knownToHost(touch.stream, thread, callRow, true) > index;
  }

  private void unordered(int process, Touch before, Touch after) {
    MissingEdges edges = missingOf(process);
    if (edges.wouldOrder(before.op, after.op)) {
      return;
    }
    boolean handedOutAgain = before.life != after.life && before.life != null && after.life != null;
    int free = handedOutAgain ? java.util.Objects.requireNonNull(before.life).freed() : -1;
    if (handedOutAgain && toldFrees.contains(free)) {
      return;
    }
    int same = sameEdge(before, after);
    edges.add(before.op, after.op, same < 0 ? -1 : faults.get(same).first().op);
    Fault.Hazard hazard = Fault.Hazard.of(before, after);
    Confidence confidence = confidence(before, after);
    Causes.Cause cause = causes.of(before, after);
    Fault.Kind kind = cause.kind();
    if (handedOutAgain && kind != Fault.Kind.EMPTY_WAIT && kind != Fault.Kind.OVERWRITTEN) {
      kind = Fault.Kind.REUSE;
    }
    Fault fault = new Fault(kind, hazard, before, after, free, cause.row(), confidence, false);
    if (same >= 0) {
      faults.set(same, fault);
    } else {
      faults.add(fault);
    }
  }

  /** The fault that the same edge, recorded a little later, would mend; -1 for none. */
  private int sameEdge(Touch before, Touch after) {
    for (int i = faults.size() - 1; i >= 0; i--) {
      Fault fault = faults.get(i);
      Touch second = fault.second();
      if (second == null || second.op != after.op) {
        return -1;
      }
      if (fault.first().stream == before.stream && fault.first().op >= 0) {
        return i;
      }
    }
    return -1;
  }

  private static Confidence confidence(Touch before, Touch after) {
    if (before.certainty == Access.CERTAINTY_GUESSED
        || after.certainty == Access.CERTAINTY_GUESSED) {
      return Confidence.POSSIBLE;
    }
    boolean exact =
        before.certainty == Access.CERTAINTY_EXACT
            && after.certainty == Access.CERTAINTY_EXACT
            && before.isKindKnown()
            && after.isKindKnown();
    return exact ? Confidence.CERTAIN : Confidence.LIKELY;
  }

  private void hostRace(Touch before, Touch after) {
    long key = (long) before.stream << 32 | after.thread;
    if (!hostMended.add(key * 31 + graph.ops().indexOf(before.op))) {
      return;
    }
    boolean note = isStaged(before);
    boolean unsure = !after.isKindKnown() && !before.writes();
    Confidence confidence = note || unsure ? Confidence.POSSIBLE : confidence(before, after);
    if (unsure && !note) {
      return;
    }
    faults.add(
        new Fault(
            Fault.Kind.HOST_RACE,
            Fault.Hazard.of(before, after),
            before,
            after,
            -1,
            -1,
            confidence == Confidence.LIKELY && before.isKindKnown()
                ? Confidence.CERTAIN
                : confidence,
            note));
  }

  /**
   * Older versions of CUDA read a pageable source before the call returns; newer promise nothing.
   */
  private static boolean isStaged(Touch touch) {
    return touch.memory == Op.MEMORY_PAGEABLE
        && touch.source == Access.SOURCE_COPY
        && touch.kind == Access.KIND_READ;
  }

  // ---- lives ----

  private void addAllocation(int row) {
    allocation.at(row);
    if (allocation.buffer() >= 0) {
      return;
    }
    Lives of = livesOf(allocation.process());
    switch (allocation.kind()) {
      case Allocation.KIND_ALLOCATE -> of.allocate(allocation);
      case Allocation.KIND_FREE -> {
        Life life = of.free(allocation);
        if (life != null) {
          int free = allocation.row();
          checkFree(life, free);
          retained.freed(life, free, firstCallAfter(allocation.at(free).start()));
        }
      }
      case Allocation.KIND_OTHER_STREAM -> {
        Life life = of.cutAt(allocation.begin());
        if (life != null) {
          retained.otherStream(life, allocation.stream());
        }
      }
      default -> {
        Life life = of.cutAt(allocation.begin());
        if (life != null) {
          retained.released(life, allocation.start());
        }
      }
    }
  }

  private void checkFree(Life life, int free) {
    boolean pool = life.allocator == Allocation.ALLOCATOR_POOL;
    boolean host =
        life.allocator == Allocation.ALLOCATOR_HOST
            || life.allocator == Allocation.ALLOCATOR_CACHING && life.memory != Op.MEMORY_DEVICE;
    if (!pool && !host) {
      return;
    }
    allocation.at(free);
    int process = allocation.process();
    int on = allocation.stream();
    int thread = allocation.thread();
    int callRow = timeline.callOf(process, allocation.correlation());
    int later = callRow >= 0 ? callRow : firstCallAfter(allocation.start());
    Map<Integer, Touch> last = new TreeMap<>();
    for (Touch touch : shadowOf(process).of(life.begin, life.end)) {
      if (touch.life == life && !touch.isByHost()) {
        boolean safe =
            pool && on >= 0
                ? order.positionAtCall(touch.stream, on, later, true)
                    > graph.ops().indexOf(touch.op)
                : isDone(touch, thread, later) || retained.keeps(life, touch.stream);
        if (!safe) {
          last.merge(touch.stream, touch, this::later);
        }
      }
    }
    if (faults.size() < MOST_FAULTS) {
      for (Touch touch : last.values()) {
        toldFrees.add(free);
        faults.add(afterFree(touch, null, free));
      }
    }
  }

  private Touch later(Touch one, Touch two) {
    return graph.ops().indexOf(one.op) > graph.ops().indexOf(two.op) ? one : two;
  }

  private static Fault afterFree(Touch first, @Nullable Touch second, int free) {
    boolean note = isStaged(first) && second == null;
    return new Fault(
        Fault.Kind.USE_AFTER_FREE,
        Fault.Hazard.WRITE_AFTER_READ,
        first,
        second,
        free,
        -1,
        note ? Confidence.POSSIBLE : confidence(first, first),
        note);
  }

  /** A use that was enqueued, or done, after the free. */
  private void useAfterFree(Touch touch, Life life) {
    int free = life.freed();
    boolean keptBack = life.allocator == Allocation.ALLOCATOR_CACHING && touch.isByHost();
    if (!toldFrees.contains(free) && !keptBack && faults.size() < MOST_FAULTS) {
      toldFrees.add(free);
      faults.add(afterFree(touch, touch, free));
    }
  }
}
