package dev.eddyline.control;

import dev.eddyline.cli.Console;
import dev.eddyline.options.AgentOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts a recording in a JVM that runs already. */
@picocli.CommandLine.Command(
    name = "attach",
    description = "Record a Java program that runs already.",
    footer = {"", "It ends with the program or with 'eddyline detach PID'."})
public final class AttachCommand extends ProcessCommand {
  private static final int MOMENTS = 20;
  private static final int MOMENT_MILLIS = 50;

  private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "PID", description = "The process, as jps shows it.")
  private String pid = "";

  @Spec
  void setSpec(CommandSpec command) {
    AgentOptionArguments.addTo(command);
    spec = command;
  }

  @Override
  int carryOut(Console console) throws IOException, Refusal {
    AgentOptions options = AgentOptionArguments.read(Objects.requireNonNull(spec));
    TargetProcess process = TargetProcess.of(pid);
    options = OutputPlace.absolute(options);
    if (AgentClient.socketOf(process).isPresent()) {
      AgentClient.ask(process, "attach " + options);
      return done(console, whenItRecords(process));
    }
    Optional<Refusal> refusal = Refusals.of(process);
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    Path jar = AgentJar.find();
    try {
      JdkAttach.load(process, jar, options.toString());
    } catch (NoClassDefFoundError noModule) {
      throw Refusals.noAttachModule();
    }
    return done(console, whenItRecords(process));
  }

  /** What the agent says of itself; where CUDA is in use it is given a moment to begin. */
  private static String whenItRecords(TargetProcess process) throws IOException, Refusal {
    String info = AgentClient.ask(process, "info");
    boolean usesCuda = process.maps("/libcuda.so");
    for (int i = 0; usesCuda && i < MOMENTS && info.startsWith("waiting"); i++) {
      try {
        Thread.sleep(MOMENT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      info = AgentClient.ask(process, "info");
    }
    return info;
  }
}
