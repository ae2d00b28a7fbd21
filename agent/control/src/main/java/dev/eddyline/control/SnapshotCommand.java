package dev.eddyline.control;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.OutputTarget;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes what a ring holds. */
@picocli.CommandLine.Command(
    name = "snapshot",
    description = "Write the last seconds of a program that is recorded with --ring.")
public final class SnapshotCommand extends ProcessCommand {
  @Parameters(paramLabel = "PID", description = "The process, as jps shows it.")
  private String pid = "";

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "The file to write. Default: named after the recording, with a number.")
  private @Nullable Path out;

  @Override
  int carryOut(Console console) throws IOException, Refusal {
    TargetProcess process = TargetProcess.of(pid);
    String request = "snapshot";
    if (out != null) {
      OutputTarget.check(out, false);
      request += " " + out.toAbsolutePath();
    }
    return done(console, AgentClient.ask(process, request));
  }
}
