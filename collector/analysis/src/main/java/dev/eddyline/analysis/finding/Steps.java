package dev.eddyline.analysis.finding;

import java.util.List;

/**
 * The training steps of a trace; empty where none were found.
 *
 * @param steps one per step and process, sorted by start; those of one process do not overlap
 */
public record Steps(List<Step> steps) {
  /**
   * One step.
   *
   * @param name its name in the trace
   * @param process index of its process
   * @param thread index of its thread
   * @param startNs begin on the host
   * @param endNs end on the host
   */
  public record Step(String name, int process, int thread, long startNs, long endNs) {}

  /** Index of the step of a process in which a time lies, or -1. */
  public int indexAt(int process, long timeNs) {
    int low = 0;
    int high = steps.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps.get(middle).startNs() <= timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int i = low - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (step.process() == process) {
        return timeNs < step.endNs() ? i : -1;
      }
    }
    return -1;
  }
}
