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
      return done(console, AgentClient.ask(process, "attach " + options));
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
    return done(console, AgentClient.ask(process, "info"));
  }
}
