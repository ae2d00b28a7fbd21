package dev.eddyline.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Writes a completion script. */
@CommandLine.Command(
    name = "generate-completion",
    description = "Write a completion script for bash and zsh.",
    footer = {"", "source <(eddyline generate-completion)"})
public final class CompletionCommand implements Command {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public int run(Console console) throws IOException {
    CommandLine root = java.util.Objects.requireNonNull(spec).root().commandLine();
    console.out().write(AutoComplete.bash("eddyline", root));
    return ExitCode.OK;
  }
}
