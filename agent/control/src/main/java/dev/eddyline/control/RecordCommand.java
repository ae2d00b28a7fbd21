package dev.eddyline.control;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.UsageException;
import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program with the agent in it. */
@picocli.CommandLine.Command(
    name = "record",
    description = "Run a Java program, or a script that starts one, and record it.",
    footer = {
      "",
      "eddyline record -o run.eddy -- java -jar train.jar",
      "",
      "The exit code is the program's; 126 and 127 if it cannot be started."
    })
public final class RecordCommand extends ProcessCommand {
  private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";
  private static final int NOT_PERMITTED = 126;
  private static final int NOT_FOUND = 127;

  private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..*",
      description = "The program and its arguments, behind --.")
  private List<String> program = new ArrayList<>();

  @Spec
  void setSpec(CommandSpec command) {
    AgentOptionArguments.addTo(command);
    // What follows the program's name is the program's.
    command.parser().stopAtPositional(true);
    spec = command;
  }

  @Override
  int carryOut(Console console) throws IOException, Refusal {
    AgentOptions options = AgentOptionArguments.read(Objects.requireNonNull(spec));
    if (program.isEmpty()) {
      throw new UsageException("which program? eddyline record -o run.eddy -- java …");
    }
    options = OutputPlace.absolute(options);
    ProcessBuilder builder = builder(program, options, AgentJar.find());
    boolean quiet = options.text(AgentOption.LOG).equals("quiet");
    if (!quiet) {
      console.err().println("eddyline: " + how(program.get(0)));
    }
    // Times of files are those of the last clock tick.
    FileTime before = FileTime.from(Instant.now().minusMillis(50));
    int code = runToItsEnd(builder);
    if (!quiet && !OutputPlace.writtenSince(options, before)) {
      console
          .err()
          .println(
              "eddyline: there is no "
                  + options.text(AgentOption.OUT)
                  + ": no Java program in it used CUDA, or it still runs"
                  + " (--log debug tells more)");
    }
    return code;
  }

  private static boolean isJava(String program) {
    String name = String.valueOf(Path.of(program).getFileName());
    return name.equals("java") || name.equals("java.exe");
  }

  private static String how(String program) {
    return isJava(program)
        ? "recording; the agent is in the command line of java"
        : "recording; the agent is in "
            + TOOL_OPTIONS
            + ", so each Java program that "
            + program
            + " starts says 'Picked up', and records if it uses CUDA";
  }

  /** The program with the agent in its command line, or in the environment of all it starts. */
  static ProcessBuilder builder(List<String> program, AgentOptions options, Path jar) {
    String agent = "-javaagent:" + jar + "=" + options;
    ProcessBuilder builder = new ProcessBuilder().inheritIO();
    List<String> command = new ArrayList<>(program);
    if (isJava(program.get(0))) {
      command.add(1, agent);
    } else {
      String before = builder.environment().getOrDefault(TOOL_OPTIONS, "");
      builder.environment().put(TOOL_OPTIONS, (before + " " + quoted(agent)).strip());
    }
    return builder.command(command);
  }

  /** As the JVM splits the variable into words: quotes hold spaces, and nothing escapes a quote. */
  private static String quoted(String word) {
    if (word.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'')) {
      return word;
    }
    return word.indexOf('"') < 0 ? '"' + word + '"' : "'" + word + "'";
  }

  private static int runToItsEnd(ProcessBuilder builder) throws Refusal {
    Process started;
    try {
      started = builder.start();
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      boolean absent = message.contains("error=2,");
      throw new Refusal(
          absent ? NOT_FOUND : NOT_PERMITTED,
          "cannot run "
              + builder.command().get(0)
              + ": "
              + (absent ? "there is no such program" : message.replaceFirst(".*error=\\d+, ", "")));
    }
    Signals.passTo(started);
    while (true) {
      try {
        return started.waitFor();
      } catch (InterruptedException e) {
        started.destroy();
      }
    }
  }
}
