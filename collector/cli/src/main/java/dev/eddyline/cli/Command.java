package dev.eddyline.cli;

import java.io.IOException;

/**
 * A subcommand. Modules that bring one name its class in {@code
 * META-INF/services/dev.eddyline.cli.Command}; the class has a public constructor without
 * parameters and picocli's {@link picocli.CommandLine.Command} annotation, whose name is the word
 * that users type. Only the command that a user asks for is created.
 */
public interface Command {
  /**
   * Does the work.
   *
   * @return the exit code, one of {@link ExitCode}
   * @throws UsageException if the options contradict each other or name what is not there
   * @throws IOException if an input cannot be read or an output cannot be written
   */
  int run(Console console) throws IOException;
}
