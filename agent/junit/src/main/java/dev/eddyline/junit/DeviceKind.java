package dev.eddyline.junit;

import java.util.Locale;

/** On what a {@link StreamTest} runs. */
public enum DeviceKind {
  /** The simulated device: everywhere, without a GPU. */
  SIM,
  /** A real one; where there is none the test is skipped. */
  CUDA;

  /** The word in names of tests and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
