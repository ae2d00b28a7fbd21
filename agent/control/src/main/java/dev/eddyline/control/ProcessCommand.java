package dev.eddyline.control;

import dev.eddyline.cli.Command;
import dev.eddyline.cli.Console;
import dev.eddyline.cli.ExitCode;
import java.io.IOException;

/** A command whose refusals become one line and an exit code. */
abstract class ProcessCommand implements Command {
  @Override
  public final int run(Console console) throws IOException {
    try {
      return carryOut(console);
    } catch (Refusal e) {
      console.out().flush();
      console.err().println("eddyline: " + e.getMessage());
      return e.code();
    }
  }

  abstract int carryOut(Console console) throws IOException, Refusal;

  /** Writes lines for people; done. */
  static int done(Console console, String text) throws IOException {
    console.out().write(text.endsWith("\n") || text.isEmpty() ? text : text + "\n");
    return ExitCode.OK;
  }
}
