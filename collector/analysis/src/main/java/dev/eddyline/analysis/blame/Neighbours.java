package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What else ran on a device while an op was ready and had not started. An op fills the device if it
 * is of the same sort (kernel beside kernel, copy beside copy), is no collective, and its grid has
 * at least a block per multiprocessor where both are known.
 */
final class Neighbours {
  /** A part of a gap in which the device was full, or was not. */
  record Part(long fromNs, long toNs, boolean full, boolean otherContext, List<Integer> ops) {}

  private static final long JOIN_GAP_NS = 10_000;
  private static final int MOST_BESIDE = 8;

  private record Busy(long from, long to, int op, boolean otherContext) {}

  private final Timeline timeline;
  private final StreamGraph graph;
  private final Collectives collectives;
  private final OpView op;

  Neighbours(StreamGraph graph) {
    this.graph = graph;
    this.timeline = graph.timeline();
    this.collectives = graph.collectives();
    this.op = timeline.ops();
  }

  /** Cuts a gap before an op into parts, latest first. */
  List<Part> partsBefore(int waiting, long from, long to) {
    List<Busy> busy = busy(waiting, from, to);
    List<Part> parts = new ArrayList<>();
    long cursor = from;
    int i = 0;
    while (i < busy.size()) {
      Busy first = busy.get(i);
      long end = first.to();
      List<Integer> ops = new ArrayList<>();
      boolean other = first.otherContext();
      while (i < busy.size()
          && busy.get(i).from() <= end + JOIN_GAP_NS
          && busy.get(i).otherContext() == other) {
        end = Math.max(end, busy.get(i).to());
        if (ops.size() < MOST_BESIDE) {
          ops.add(busy.get(i).op());
        }
        i++;
      }
      long begin = Math.max(cursor, first.from());
      if (begin - cursor > JOIN_GAP_NS) {
        parts.add(new Part(cursor, begin, false, false, List.of()));
      } else {
        begin = cursor;
      }
      if (to - end <= JOIN_GAP_NS) {
        end = to;
      }
      if (end > begin) {
        parts.add(new Part(begin, end, true, other, ops));
        cursor = end;
      }
    }
    if (cursor < to) {
      parts.add(new Part(cursor, to, false, false, List.of()));
    }
    java.util.Collections.reverse(parts);
    return parts;
  }

  private List<Busy> busy(int waiting, long from, long to) {
    op.at(waiting);
    int kind = op.kind();
    int ownStream = op.stream();
    StreamInfo own = timeline.stream(ownStream);
    int multiprocessors = multiprocessors(own);
    List<Busy> found = new ArrayList<>();
    for (int s = 0; s < timeline.streams().size(); s++) {
      StreamInfo other = timeline.stream(s);
      if (s == ownStream || other.process() != own.process() || other.device() != own.device()) {
        continue;
      }
      for (int i = lastStartedBefore(s, to); i >= 0; i--) {
        op.at(graph.ops().op(s, i));
        if (op.end() <= from) {
          break;
        }
        if (fills(kind, multiprocessors)) {
          found.add(
              new Busy(
                  Math.max(from, op.start()),
                  Math.min(to, op.end()),
                  op.row(),
                  other.context() != own.context()));
        }
      }
    }
    found.sort(Comparator.comparingLong(Busy::from));
    return found;
  }

  private boolean fills(int kind, int multiprocessors) {
    if (kind == Op.KIND_COPY || op.kind() == Op.KIND_COPY) {
      return kind == op.kind();
    }
    if (op.kind() != Op.KIND_KERNEL || collectives.isCollective(op)) {
      return false;
    }
    return op.blocks() < 0 || multiprocessors == 0 || op.blocks() >= multiprocessors;
  }

  private int multiprocessors(StreamInfo stream) {
    for (DeviceInfo device : timeline.devices()) {
      if (device.process() == stream.process() && device.ordinal() == stream.device()) {
        return device.multiprocessors();
      }
    }
    return 0;
  }

  private int lastStartedBefore(int stream, long time) {
    int low = 0;
    int high = graph.ops().count(stream);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (op.at(graph.ops().op(stream, middle)).start() < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * The op of another stream that ended at most {@code gap} before a time and was enqueued before
   * another, the last of them; -1 if there is none.
   */
  int endedRightBefore(int waiting, long time, long gap, long enqueuedBefore) {
    int ownStream = op.at(waiting).stream();
    StreamInfo own = timeline.stream(ownStream);
    int found = -1;
    long latest = time - gap - 1;
    for (int s = 0; s < timeline.streams().size(); s++) {
      StreamInfo other = timeline.stream(s);
      if (s == ownStream || other.process() != own.process() || other.device() != own.device()) {
        continue;
      }
      int last = lastStartedBefore(s, time);
      for (int i = last; i >= 0 && i > last - 2; i--) {
        op.at(graph.ops().op(s, i));
        int launch = graph.ops().callOf(op.row());
        if (op.end() <= time
            && op.end() > latest
            && launch >= 0
            && timeline.calls().at(launch).start() < enqueuedBefore) {
          latest = op.end();
          found = op.row();
        }
      }
    }
    return found;
  }
}
