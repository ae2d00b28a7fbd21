package dev.eddyline.cli;

import dev.eddyline.analysis.importer.TraceReadException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/** The command line. */
public final class Main {
  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    Console console =
        new Console(
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            isTerminal(2));
    System.exit(run(args, console));
  }

  /** Runs a command; gives its exit code. All that can go wrong becomes one line and a code. */
  public static int run(String[] args, Console console) {
    try {
      int code = dispatch(args, console);
      console.out().flush();
      return code;
    } catch (UsageException e) {
      return fail(console, ExitCode.USAGE, e.getMessage());
    } catch (TraceReadException e) {
      flushQuietly(console);
      return fail(console, ExitCode.INPUT, e.getMessage());
    } catch (OutputException e) {
      return e.readerGone() ? ExitCode.OK : fail(console, ExitCode.FAULT, e.getMessage());
    } catch (OutOfMemoryError e) {
      return fail(
          console,
          ExitCode.FAULT,
          "not enough memory in "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MiB: set EDDYLINE_JAVA_OPTS=-Xmx4g or more");
    } catch (IOException | RuntimeException | StackOverflowError e) {
      if (System.getenv("EDDYLINE_DEBUG") != null) {
        e.printStackTrace(console.err());
      }
      StackTraceElement[] stack = e.getStackTrace();
      return fail(
          console,
          ExitCode.FAULT,
          "internal error: "
              + e
              + (stack.length > 0 ? " at " + stack[0] : "")
              + " (docs/troubleshooting.md says how to report it)");
    }
  }

  private static int dispatch(String[] args, Console console) throws IOException {
    CommandLine root = Commands.commandLine(args);
    CommandLine.ParseResult parsed;
    try {
      parsed = root.parseArgs(args);
    } catch (CommandLine.ParameterException e) {
      throw new UsageException(Commands.explain(e));
    }
    CommandLine.ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandLine command = last.commandSpec().commandLine();
    if (last.isVersionHelpRequested()) {
      console.out().write("eddyline " + Commands.version() + "\n");
      return ExitCode.OK;
    }
    if (last.isUsageHelpRequested() || !(command.getCommand() instanceof Command)) {
      console.out().write(command.getUsageMessage(CommandLine.Help.Ansi.OFF));
      return ExitCode.OK;
    }
    return command.<Command>getCommand().run(console);
  }

  private static int fail(
      Console console, int code, @org.jspecify.annotations.Nullable String why) {
    console.err().println("eddyline: " + String.valueOf(why).replace("\n", " "));
    return code;
  }

  private static void flushQuietly(Console console) {
    try {
      console.out().flush();
    } catch (IOException e) {
      console.err().flush();
    }
  }

  /**
   * Asks the system; Java itself tells only whether standard input and output are terminals, and
   * from version 22 on not even that by a null.
   */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return Runtime.version().feature() < 22 && System.console() != null;
    }
  }
}
