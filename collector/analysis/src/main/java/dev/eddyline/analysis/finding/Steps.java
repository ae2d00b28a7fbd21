package dev.eddyline.analysis.finding;

import java.util.List;

/**
 * The training steps of a trace, in order of time; empty where none were found.
 *
 * @param steps one per step and process
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
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (step.process() == process && step.startNs() <= timeNs && timeNs < step.endNs()) {
        return i;
      }
    }
    return -1;
  }
}
