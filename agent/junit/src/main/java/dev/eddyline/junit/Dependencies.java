package dev.eddyline.junit;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.StreamInfo.Kind;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * On which streams what is enqueued on a stream before a time depends, through waits and the legacy
 * default stream. What passes through the host (a sync, then a launch) is no dependency of streams.
 */
final class Dependencies {
  /**
   * An edge of the walk: a stream was reached from another one.
   *
   * @param from the stream that waits
   * @param byWait row of the wait, -1 for the legacy default stream's rule
   */
  record Step(int from, int to, int byWait) {}

  private final TraceView view;
  private final StreamGraph graph;
  private final Timeline timeline;
  private final CallView call;
  private final Map<Integer, Long> reachedBefore = new HashMap<>();
  private final Map<Integer, Step> firstStep = new HashMap<>();
  private final List<Integer> open = new ArrayList<>();

  private Dependencies(TraceView view) {
    this.view = view;
    this.graph = view.graph();
    this.timeline = graph.timeline();
    this.call = timeline.calls();
  }

  /** Walks back from what a stream is given before a time. */
  static Dependencies of(TraceView view, int stream, long beforeNs) {
    Dependencies walk = new Dependencies(view);
    walk.run(stream, beforeNs);
    return walk;
  }

  private record Reached(int stream, long beforeNs) {}

  private void run(int start, long beforeNs) {
    ArrayDeque<Reached> queue = new ArrayDeque<>();
    queue.add(new Reached(start, beforeNs));
    while (!queue.isEmpty()) {
      Reached next = queue.remove();
      Long known = reachedBefore.get(next.stream());
      if (known != null && known >= next.beforeNs()) {
        continue;
      }
      reachedBefore.put(next.stream(), next.beforeNs());
      followWaits(next, known == null ? Long.MIN_VALUE : known, queue);
      followLegacy(next, queue);
    }
  }

  private void followWaits(Reached at, long doneBefore, ArrayDeque<Reached> queue) {
    for (int i = 0; i < graph.waitCount(at.stream()); i++) {
      int wait = graph.waitOf(at.stream(), i);
      int by = graph.links().callOfWait(wait);
      long made = by < 0 ? Long.MIN_VALUE + 1 : call.at(by).start();
      if (made >= at.beforeNs() || made < doneBefore) {
        continue;
      }
      int source = graph.bindings().source(wait);
      if (view.isOpen(wait)) {
        open.add(wait);
      } else if (source >= 0 && source != at.stream()) {
        reach(at.stream(), source, wait, recordedAt(wait, made), queue);
      }
    }
  }

  private long recordedAt(int wait, long made) {
    int record = graph.bindings().record(wait);
    int by = record < 0 ? -1 : graph.links().callOfRecord(record);
    return by < 0 ? made : call.at(by).start();
  }

  private void reach(int from, int to, int wait, long beforeNs, ArrayDeque<Reached> queue) {
    firstStep.putIfAbsent(to, new Step(from, to, wait));
    queue.add(new Reached(to, beforeNs));
  }

  /** Blocking streams follow the legacy stream, and it follows them. */
  private void followLegacy(Reached at, ArrayDeque<Reached> queue) {
    StreamInfo own = timeline.stream(at.stream());
    boolean legacy = own.kind() == Kind.LEGACY_DEFAULT;
    if (!legacy && own.kind() != Kind.BLOCKING && own.kind() != Kind.PER_THREAD_DEFAULT) {
      return;
    }
    long last = lastLaunchBefore(at.stream(), at.beforeNs());
    for (int s = 0; last > Long.MIN_VALUE && s < timeline.streams().size(); s++) {
      StreamInfo other = timeline.stream(s);
      boolean ordered =
          legacy
              ? other.kind() == Kind.BLOCKING || other.kind() == Kind.PER_THREAD_DEFAULT
              : other.kind() == Kind.LEGACY_DEFAULT;
      boolean sameContext =
          other.process() == own.process()
              && other.device() == own.device()
              && other.context() == own.context();
      if (ordered && sameContext && graph.ops().positionAt(s, last) > 0) {
        reach(at.stream(), s, -1, last, queue);
      }
    }
  }

  private long lastLaunchBefore(int stream, long beforeNs) {
    int position = graph.ops().positionAt(stream, beforeNs);
    return position == 0 ? Long.MIN_VALUE : view.launchedAt(graph.ops().op(stream, position - 1));
  }

  /** The edges from the start to a stream, null if it is not reached. */
  @Nullable List<Step> pathTo(int stream, int start) {
    List<Step> path = new ArrayList<>();
    int at = stream;
    while (at != start) {
      Step step = firstStep.get(at);
      if (step == null || path.size() > timeline.streams().size()) {
        return null;
      }
      path.add(step);
      at = step.from();
    }
    Collections.reverse(path);
    return path;
  }

  /** Rows of the waits on the way of which it is not known for what they wait. */
  List<Integer> open() {
    return open;
  }
}
