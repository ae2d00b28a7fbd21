package dev.eddyline.viewer.chart;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.track.Track;

/** The words on a slice. */
public final class Labels {
  private Labels() {}

  /** Name and duration of what a slice stands for. */
  public static String of(TraceModel model, Track track, int item) {
    return switch (track.kind()) {
      case STREAM -> {
        OpView op = model.timeline().ops().at(item);
        yield model.names().of(op) + "  " + Millis.of(op.duration()) + " ms" + late(model, op);
      }
      case CALLS, POLLS -> call(model, item);
      case RANGES -> model.timeline().ranges().at(item).name();
      default -> "";
    };
  }

  private static String late(TraceModel model, OpView op) {
    int row = op.row();
    if (!model.peers().isLate(row)) {
      return "";
    }
    long waited = model.peers().lastArrival(row) - op.start();
    int rank = model.peers().lastRank(row);
    return ", "
        + Millis.of(waited)
        + " ms of it waiting for "
        + (rank < 0 ? "the last rank" : "rank " + rank);
  }

  private static String call(TraceModel model, int row) {
    CallView call = model.timeline().calls().at(row);
    HostBlock block = model.block(row);
    String time = "  " + Millis.of(call.duration()) + " ms";
    if (block == null) {
      return call.name() + time;
    }
    if (block.endOfTrace()) {
      return "device sync at the end" + time + ", expected";
    }
    return call.name() + (block.isBlocked() ? "  held the host" : "") + time;
  }
}
