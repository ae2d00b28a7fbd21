package dev.eddyline.cli;

import java.io.IOException;

/** Answers {@code eddyline info PID}; found by ServiceLoader where the agent's commands are. */
public interface ProcessInfo {
  /**
   * Says what is being recorded in a process.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  int info(String pid, Console console) throws IOException;
}
