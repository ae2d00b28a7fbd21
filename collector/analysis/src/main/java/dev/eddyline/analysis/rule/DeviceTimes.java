package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Arrays;

/**
 * When a device ran anything but collectives, and when it ran collectives: two unions of intervals
 * per device of a process, sorted and without overlap.
 */
final class DeviceTimes {
  /** A growing list of intervals that come sorted by start. */
  private static final class Intervals {
    private long[] starts = new long[16];
    private long[] ends = new long[16];
    private int size;

    void add(long start, long end) {
      if (size > 0 && start <= ends[size - 1]) {
        ends[size - 1] = Math.max(ends[size - 1], end);
        return;
      }
      if (size == starts.length) {
        starts = Arrays.copyOf(starts, 2 * size);
        ends = Arrays.copyOf(ends, 2 * size);
      }
      starts[size] = start;
      ends[size++] = end;
    }

    /** How much of [from, to) lies in the intervals. */
    long covered(long from, long to) {
      int at = Arrays.binarySearch(starts, 0, size, from);
      at = at >= 0 ? at : Math.max(0, -at - 2);
      long sum = 0;
      for (; at < size && starts[at] < to; at++) {
        sum += Math.max(0, Math.min(to, ends[at]) - Math.max(from, starts[at]));
      }
      return sum;
    }
  }

  private final Intervals[] others;
  private final Intervals[] collectives;
  private final int[] deviceOfStream;

  DeviceTimes(Timeline timeline, Collectives which) {
    int streams = timeline.streams().size();
    deviceOfStream = new int[streams];
    int devices = 0;
    for (int s = 0; s < streams; s++) {
      deviceOfStream[s] = -1;
      for (int t = 0; t < s && deviceOfStream[s] < 0; t++) {
        if (sameDevice(timeline.stream(s), timeline.stream(t))) {
          deviceOfStream[s] = deviceOfStream[t];
        }
      }
      deviceOfStream[s] = deviceOfStream[s] < 0 ? devices++ : deviceOfStream[s];
    }
    others = new Intervals[devices];
    collectives = new Intervals[devices];
    for (int d = 0; d < devices; d++) {
      others[d] = new Intervals();
      collectives[d] = new Intervals();
    }
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      op.at(i);
      Intervals[] of = which.isCollective(op) ? collectives : others;
      of[deviceOfStream[op.stream()]].add(op.start(), op.end());
    }
  }

  private static boolean sameDevice(StreamInfo a, StreamInfo b) {
    return a.process() == b.process() && a.device() == b.device();
  }

  /** How long of an op's time its device ran nothing but collectives. */
  long alone(OpView op) {
    return op.duration() - others[deviceOfStream[op.stream()]].covered(op.start(), op.end());
  }

  /** How long of an op's time its device ran a collective. */
  long besideCollective(OpView op) {
    return collectives[deviceOfStream[op.stream()]].covered(op.start(), op.end());
  }

  /** Whether two streams are of one device of one process. */
  boolean sameDevice(int a, int b) {
    return deviceOfStream[a] == deviceOfStream[b];
  }
}
