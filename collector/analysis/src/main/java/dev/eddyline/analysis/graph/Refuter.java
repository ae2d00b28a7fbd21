package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;

/**
 * Rejects inferred joins that device times of one GPU refute: an op that started before its
 * supposed predecessor ended was not ordered after it.
 */
final class Refuter {
  /** Stamps of one GPU are rounded to 32 ns and, in old traces, to whole microseconds. */
  private static final long TOLERANCE_NS = 1_000;

  private Refuter() {}

  /** Unbinds what is refuted; returns how many. */
  static int run(Timeline timeline, StreamOps ops, CallLinks links, WaitBindings bindings) {
    var wait = timeline.waits();
    CallView call = timeline.calls();
    OpView op = timeline.ops();
    int refuted = 0;
    for (int i = 0; i < wait.size(); i++) {
      int record = bindings.record(i);
      if (record < 0 || bindings.rule(i).isRecorded()) {
        continue;
      }
      int source = bindings.recordStream(record);
      int waiter = wait.at(i).stream();
      int from = links.callOfRecord(record);
      int to = links.callOfWait(i);
      if (source < 0 || waiter < 0 || from < 0 || to < 0) {
        continue;
      }
      int covered = ops.positionAt(source, call.at(from).start());
      int held = ops.positionAt(waiter, call.at(to).start());
      if (covered == 0 || held >= ops.count(waiter)) {
        continue;
      }
      long ended = op.at(ops.op(source, covered - 1)).end();
      long started = op.at(ops.op(waiter, held)).start();
      if (started + TOLERANCE_NS < ended) {
        bindings.unbind(i);
        refuted++;
      }
    }
    return refuted;
  }
}
