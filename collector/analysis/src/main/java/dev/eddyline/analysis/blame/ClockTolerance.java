package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;

/**
 * How far host and device clocks of a trace disagree: no op can start before its launch, so the
 * largest such lead is the tolerance for comparisons, within bounds.
 *
 * @param toleranceNs to use in comparisons
 * @param worstLeadNs the largest time by which an op started before the call that launched it
 * @param worstOp that op, -1 if none did
 * @param leads how many ops started before their launch
 */
public record ClockTolerance(long toleranceNs, long worstLeadNs, int worstOp, int leads) {
  private static final long LEAST_NS = 1_000;
  private static final long MOST_NS = 20_000;

  /** Measures a trace. */
  public static ClockTolerance of(StreamGraph graph) {
    OpView op = graph.timeline().ops();
    CallView call = graph.timeline().calls();
    long worst = 0;
    int worstOp = -1;
    int leads = 0;
    for (int i = 0; i < op.size(); i++) {
      int launch = graph.ops().callOf(i);
      if (launch < 0) {
        continue;
      }
      long lead = call.at(launch).start() - op.at(i).start();
      if (lead > LEAST_NS) {
        leads++;
      }
      if (lead > worst) {
        worst = lead;
        worstOp = i;
      }
    }
    long tolerance = Math.min(MOST_NS, Math.max(LEAST_NS, worst));
    return new ClockTolerance(tolerance, worst, worstOp, leads);
  }
}
