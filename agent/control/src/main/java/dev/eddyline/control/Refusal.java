package dev.eddyline.control;

/** Why something cannot be done with a process: one line, with the remedy, and the exit code. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;
  private final int code;

  /**
   * A refusal.
   *
   * @param code one of {@link dev.eddyline.cli.ExitCode}
   */
  Refusal(int code, String message) {
    super(message);
    this.code = code;
  }

  int code() {
    return code;
  }
}
