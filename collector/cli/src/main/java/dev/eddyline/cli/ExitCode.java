package dev.eddyline.cli;

/** The exit codes: a contract, described in docs/cli.md. */
public final class ExitCode {
  /** The command did what it was asked for, also where an analysis has findings. */
  public static final int OK = 0;

  /** A fault of Eddyline, or output that could not be written. */
  public static final int FAULT = 1;

  /** Wrong options or arguments. */
  public static final int USAGE = 3;

  /** An input is absent, or is no trace, or is malformed. */
  public static final int INPUT = 4;

  private ExitCode() {}
}
