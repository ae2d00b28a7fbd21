package dev.eddyline.device.sim;

import java.util.List;

/**
 * How a simulation went.
 *
 * @param traces one for each rank, or one for all; without rows if nothing was recorded
 * @param nanos virtual time from the beginning to the last thing that happened
 * @param operations ops, records and waits that were carried out
 */
public record SimResult(List<SimTrace> traces, long nanos, long operations) {
  public SimResult {
    traces = List.copyOf(traces);
  }

  /** The trace of all ranks, or of the first where each has one. */
  public SimTrace trace() {
    return traces.get(0);
  }
}
