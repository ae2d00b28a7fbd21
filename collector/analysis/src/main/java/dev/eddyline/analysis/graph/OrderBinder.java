package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.HashMap;
import java.util.Map;

/**
 * Joins what order alone makes likely: a wait right behind a record, on an event that is used once
 * (what {@code wait_stream} does); the stream of such a record where only one is left that it can
 * be; the stream of a record before a collective where the collective went on within microseconds
 * of that stream's op.
 *
 * <p>A stream of which the trace has no rows could stand between, so nothing is said of streams
 * where such a one made waits.
 */
final class OrderBinder {
  private static final long PAIR_GAP_NS = 20_000;
  private static final long RESUME_GAP_NS = 3_000;

  private record Key(int process, long event) {}

  private final Timeline timeline;
  private final CallView call;
  private final WaitView wait;
  private final StreamOps ops;
  private final CallLinks links;
  private final Collectives collectives;
  private final WaitBindings bindings;
  private final ScopeIndex scopes;
  private final Map<Key, Integer> uses = new HashMap<>();

  OrderBinder(
      Timeline timeline,
      StreamOps ops,
      CallLinks links,
      Collectives collectives,
      WaitBindings bindings,
      ScopeIndex scopes) {
    this.timeline = timeline;
    this.call = timeline.calls();
    this.wait = timeline.waits();
    this.ops = ops;
    this.links = links;
    this.collectives = collectives;
    this.bindings = bindings;
    this.scopes = scopes;
    for (int i = 0; i < wait.size(); i++) {
      if (wait.at(i).event() >= 0) {
        uses.merge(new Key(wait.process(), wait.event()), 1, Integer::sum);
      }
    }
  }

  void run() {
    boolean[] hidden = processesWithHiddenWaiters();
    for (int thread = 0; thread < timeline.threads().size(); thread++) {
      for (int slot = links.firstSlot(thread) + 1; slot < links.endSlot(thread); slot++) {
        if (isRecordThenWait(thread, slot)) {
          int waitRow = links.waitOf(links.callAt(slot));
          int record = links.recordOf(links.callAt(slot - 1));
          bindings.bind(waitRow, record, BindRule.RECORD_THEN_WAIT);
        }
      }
    }
    OpView op = timeline.ops();
    for (int i = 0; i < wait.size(); i++) {
      int record = bindings.record(i);
      if (record < 0 || bindings.recordStream(record) >= 0 || hidden[wait.at(i).process()]) {
        continue;
      }
      int stream = wait.at(i).stream();
      if (bindings.rule(i) == BindRule.RECORD_THEN_WAIT) {
        bindings.inferRecordStream(record, onlyOtherStream(stream, record));
      } else if (bindings.rule(i) == BindRule.C10D_ENQUEUE && stream >= 0) {
        bindings.inferRecordStream(record, resumedAfter(op, stream, i, record));
      }
    }
  }

  /** Processes in which a stream without rows waited: such a stream may stand between others. */
  private boolean[] processesWithHiddenWaiters() {
    boolean[] hidden = new boolean[timeline.processes().size()];
    for (int i = 0; i < wait.size(); i++) {
      if (wait.at(i).stream() < 0 && !bindings.isNcclInternal(i)) {
        hidden[wait.process()] = true;
      }
    }
    return hidden;
  }

  private boolean isRecordThenWait(int thread, int slot) {
    int waitRow = links.waitOf(links.callAt(slot));
    int record = links.recordOf(links.callAt(slot - 1));
    if (waitRow < 0 || record < 0 || !bindings.isUnknown(waitRow)) {
      return false;
    }
    wait.at(waitRow);
    boolean usedOnce = uses.getOrDefault(new Key(wait.process(), wait.event()), 0) == 1;
    boolean behindRecord =
        slot - 2 >= links.firstSlot(thread) && links.recordOf(links.callAt(slot - 2)) >= 0;
    if (wait.stream() < 0 || !usedOnce || behindRecord) {
      return false;
    }
    long recorded = call.at(links.callAt(slot - 1)).end();
    long waited = call.at(links.callAt(slot)).start();
    return waited - recorded <= PAIR_GAP_NS && scopes.innermostAt(thread, waited) < 0;
  }

  /** The one stream besides the waiter and NCCL's that had work before the record, or -1. */
  private int onlyOtherStream(int waiter, int record) {
    long recorded = call.at(links.callOfRecord(record)).start();
    int found = -1;
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (s == waiter || !sameContext(s, waiter) || collectives.ranCollective(s)) {
        continue;
      }
      if (ops.positionAt(s, recorded) > 0) {
        if (found >= 0) {
          return -1;
        }
        found = s;
      }
    }
    return found;
  }

  /** The stream whose last op before the record ended right before the waiter went on, or -1. */
  private int resumedAfter(OpView op, int waiter, int waitRow, int record) {
    int position = ops.positionAt(waiter, call.at(links.callOfWait(waitRow)).start());
    if (position >= ops.count(waiter)) {
      return -1;
    }
    long resumed = op.at(ops.op(waiter, position)).start();
    long recorded = call.at(links.callOfRecord(record)).start();
    int found = -1;
    for (int s = 0; s < timeline.streams().size(); s++) {
      int covered = ops.positionAt(s, recorded);
      if (s == waiter || !sameContext(s, waiter) || covered == 0) {
        continue;
      }
      long gap = resumed - op.at(ops.op(s, covered - 1)).end();
      if (gap >= 0 && gap <= RESUME_GAP_NS) {
        if (found >= 0) {
          return -1;
        }
        found = s;
      }
    }
    return found;
  }

  private boolean sameContext(int a, int b) {
    var one = timeline.stream(a);
    var other = timeline.stream(b);
    return one.process() == other.process() && one.context() == other.context();
  }
}
