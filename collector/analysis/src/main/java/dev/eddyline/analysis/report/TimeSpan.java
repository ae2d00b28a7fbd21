package dev.eddyline.analysis.report;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;

/**
 * From the first to the last thing of a process.
 *
 * @param startNs nanoseconds since the Unix epoch
 * @param endNs end
 */
public record TimeSpan(long startNs, long endNs) {
  /** How long it is. */
  public long durationNs() {
    return endNs - startNs;
  }

  /** The time in which a process was seen: what the source says, else where its rows lie. */
  public static TimeSpan ofProcess(Timeline timeline, int process) {
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    CallView call = timeline.calls();
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).process() == process) {
        start = Math.min(start, call.start());
        end = Math.max(end, call.end());
      }
    }
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      if (op.at(i).process() == process) {
        start = Math.min(start, op.start());
        end = Math.max(end, op.end());
      }
    }
    RangeView range = timeline.ranges();
    for (int i = 0; i < range.size(); i++) {
      if (timeline.thread(range.at(i).thread()).process() == process) {
        start = Math.min(start, range.start());
        end = Math.max(end, range.end());
      }
    }
    return start > end ? new TimeSpan(0, 0) : new TimeSpan(start, end);
  }
}
