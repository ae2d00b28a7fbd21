package dev.eddyline.device.sim;

import java.util.List;

/** One kernel of a communicator on one rank: one collective, or all of a group. */
final class Launch {
  final Item item;
  final List<CollectiveCall> calls;
  private int left;
  private boolean started;
  private boolean ended;
  private boolean aborted;

  Launch(Item item, List<CollectiveCall> calls) {
    this.item = item;
    this.calls = calls;
    this.left = calls.size();
    calls.forEach(call -> call.launch = this);
  }

  /** The kernel runs: this rank has arrived. */
  void started(long now) {
    started = true;
    if (aborted) {
      end(now);
      return;
    }
    for (CollectiveCall call : calls) {
      call.communicator.core.arrive(call, now);
    }
  }

  /** One of its collectives is done. */
  void partDone(long now) {
    if (--left == 0) {
      end(now);
    }
  }

  /** Its kernel gives up, now or as soon as it starts. */
  void abort(long now) {
    aborted = true;
    if (started) {
      end(now);
    }
  }

  boolean isAborted() {
    return aborted;
  }

  private void end(long now) {
    if (!ended) {
      ended = true;
      item.stream.device.processors.end(item, now);
    }
  }
}
