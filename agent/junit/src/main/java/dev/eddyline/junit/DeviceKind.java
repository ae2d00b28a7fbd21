package dev.eddyline.junit;

import java.util.Locale;

/** On what a {@link StreamTest} runs. */
public enum DeviceKind {
  /** The simulated device: everywhere, without a GPU. */
  SIM,
  /**
   * A real one, with each rank on a GPU of its own; the program runs once. Where there are not
   * enough the test is skipped, with the reason. Nothing is recorded yet: assertions on the trace
   * cannot be answered.
   */
  CUDA;

  /** The word in names of tests and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
