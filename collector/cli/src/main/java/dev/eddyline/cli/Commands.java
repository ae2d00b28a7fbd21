package dev.eddyline.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Finds the commands and says what is wrong with arguments. */
final class Commands {
  private static final String PROGRAM = "eddyline";
  private static final List<String> ORDER =
      List.of(
          "demo",
          "analyze",
          "view",
          "deps",
          "info",
          "export",
          "record",
          "attach",
          "detach",
          "snapshot",
          "doctor",
          "help",
          "generate-completion");

  @CommandLine.Command(
      name = PROGRAM,
      description = "Shows the edges between CUDA streams and what they cost.",
      synopsisSubcommandLabel = "COMMAND",
      footer = {"", "'eddyline help COMMAND' explains a command. Exit codes: docs/cli.md"})
  static final class Root {
    @CommandLine.Option(
        names = {"-h", "--help"},
        usageHelp = true,
        scope = CommandLine.ScopeType.INHERIT,
        description = "Show this help.")
    @SuppressWarnings("unused") // picocli's parser answers it
    private boolean help;

    @CommandLine.Option(
        names = {"-V", "--version"},
        versionHelp = true,
        description = "Show the version.")
    @SuppressWarnings("unused") // picocli's parser answers it
    private boolean version;
  }

  private Commands() {}

  /** The parser for a command line; it knows all commands unless the first word is one of them. */
  static CommandLine commandLine(String[] args) {
    TreeMap<String, ServiceLoader.Provider<Command>> found = find();
    CommandLine root = new CommandLine(new Root());
    ServiceLoader.Provider<Command> only = args.length == 0 ? null : found.get(args[0]);
    if (only != null && !args[0].equals("help") && !args[0].equals("generate-completion")) {
      root.addSubcommand(only.get());
    } else {
      List<String> names = new ArrayList<>(found.keySet());
      names.sort(
          java.util.Comparator.comparingInt((String name) -> place(name))
              .thenComparing(java.util.Comparator.naturalOrder()));
      for (String name : names) {
        ServiceLoader.Provider<Command> provider = found.get(name);
        if (provider != null) {
          root.addSubcommand(provider.get());
        }
      }
    }
    root.setUsageHelpWidth(100);
    // An @ begins arguments of programs that are recorded, as in "java @options".
    root.setExpandAtFiles(false);
    return root;
  }

  private static int place(String name) {
    int place = ORDER.indexOf(name);
    return place < 0 ? ORDER.indexOf("help") : place;
  }

  private static TreeMap<String, ServiceLoader.Provider<Command>> find() {
    TreeMap<String, ServiceLoader.Provider<Command>> found = new TreeMap<>();
    ServiceLoader.load(Command.class).stream()
        .forEach(
            provider -> {
              CommandLine.Command command =
                  provider.type().getAnnotation(CommandLine.Command.class);
              if (command != null) {
                found.put(command.name(), provider);
              }
            });
    return found;
  }

  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "(development)" : version;
  }

  /** What is wrong, the nearest right word, and how to get help: one line. */
  static String explain(CommandLine.ParameterException e) {
    CommandLine.Model.CommandSpec spec = e.getCommandLine().getCommandSpec();
    boolean root = spec.parent() == null;
    String help = root ? "eddyline help" : "eddyline help " + spec.name();
    String what = what(e, root);
    return what + (what.endsWith("?") ? " '" : "; '") + help + "' lists what there is";
  }

  private static String what(CommandLine.ParameterException e, boolean root) {
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      String word = unmatched.getUnmatched().get(0);
      boolean option = word.startsWith("-");
      String kind = option ? "unknown option" : root ? "unknown command" : "unexpected argument";
      List<String> words = new ArrayList<>();
      CommandLine.Model.CommandSpec spec = e.getCommandLine().getCommandSpec();
      if (option) {
        spec.options().forEach(known -> words.addAll(List.of(known.names())));
      } else {
        words.addAll(spec.subcommands().keySet());
      }
      String name = option && word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
      String nearest = Nearest.of(name, words);
      return kind + " '" + word + "'" + (nearest == null ? "" : ", did you mean " + nearest + "?");
    }
    String message = String.valueOf(e.getMessage()).replace("\n", " ").strip();
    if (message.endsWith(".")) {
      message = message.substring(0, message.length() - 1);
    }
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  /** A choice among words, or a usage error that names the nearest one. */
  static String choice(String option, String value, List<String> words) {
    if (words.contains(value)) {
      return value;
    }
    @Nullable String nearest = Nearest.of(value, words);
    throw new UsageException(
        option
            + " cannot be '"
            + value
            + "'"
            + (nearest == null ? "" : ", did you mean " + nearest + "?")
            + (nearest == null ? "; " : " ")
            + "There are: "
            + String.join(", ", words));
  }
}
