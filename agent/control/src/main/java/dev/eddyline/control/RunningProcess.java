package dev.eddyline.control;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.ProcessInfo;
import java.io.IOException;

/** What the agent of a process says of its recording, for {@code eddyline info PID}. */
public final class RunningProcess implements ProcessInfo {
  @Override
  public int info(String pid, Console console) throws IOException {
    return new ProcessCommand() {
      @Override
      int carryOut(Console to) throws IOException, Refusal {
        return done(to, AgentClient.ask(TargetProcess.of(pid), "info"));
      }
    }.run(console);
  }
}
