package dev.eddyline.cli;

import java.io.IOException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains a command. */
@CommandLine.Command(name = "help", description = "Explain a command.")
public final class HelpCommand implements Command {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command.")
  private @Nullable String command;

  @Override
  public int run(Console console) throws IOException {
    CommandLine root = java.util.Objects.requireNonNull(spec).root().commandLine();
    CommandLine explained = root;
    if (command != null) {
      explained = root.getSubcommands().get(command);
      if (explained == null) {
        Commands.choice("COMMAND", command, new ArrayList<>(root.getSubcommands().keySet()));
        throw new IllegalStateException(command);
      }
    }
    console.out().write(explained.getUsageMessage(CommandLine.Help.Ansi.OFF));
    return ExitCode.OK;
  }
}
