package dev.eddyline.control;

import dev.eddyline.cli.Console;
import java.io.IOException;
import picocli.CommandLine.Parameters;

/** Ends a recording; the program goes on. */
@picocli.CommandLine.Command(
    name = "detach",
    description = "End the recording of a Java program, which goes on.")
public final class DetachCommand extends ProcessCommand {
  @Parameters(paramLabel = "PID", description = "The process, as jps shows it.")
  private String pid = "";

  @Override
  int carryOut(Console console) throws IOException, Refusal {
    return done(console, AgentClient.ask(TargetProcess.of(pid), "detach"));
  }
}
