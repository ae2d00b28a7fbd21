package dev.eddyline.control;

import dev.eddyline.cli.UsageException;
import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import dev.eddyline.options.OptionException;
import dev.eddyline.options.OptionKind;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives a command an option for each of the agent's; reads them back. */
final class AgentOptionArguments {
  private static final String SHORT_OUT = "-o";

  private AgentOptionArguments() {}

  /** Adds them to a command. */
  static void addTo(CommandSpec command) {
    for (AgentOption option : AgentOption.values()) {
      command.addOption(specOf(option));
    }
  }

  private static OptionSpec specOf(AgentOption option) {
    String name = "--" + option.key();
    boolean flag = option.kind() == OptionKind.FLAG;
    String initial = flag ? "" : option.defaultValue();
    OptionSpec.Builder spec =
        option == AgentOption.OUT ? OptionSpec.builder(SHORT_OUT, name) : OptionSpec.builder(name);
    spec.description(
        (option.description() + (initial.isEmpty() ? "" : " Default: " + initial + "."))
            .replace("%", "%%"));
    if (flag) {
      return spec.type(boolean.class).arity("0").build();
    }
    spec.type(String.class).arity("1").paramLabel(option.placeholder());
    if (!option.words().isEmpty()) {
      spec.completionCandidates(option.words());
    }
    return spec.build();
  }

  /**
   * The options that were given.
   *
   * @throws UsageException if one cannot be
   */
  static AgentOptions read(CommandSpec command) {
    Map<String, String> given = new LinkedHashMap<>();
    for (AgentOption option : AgentOption.values()) {
      OptionSpec spec = command.optionsMap().get("--" + option.key());
      Object value = spec == null ? null : spec.getValue();
      if (value instanceof String text) {
        given.put(option.key(), text);
      } else if (Boolean.TRUE.equals(value)) {
        given.put(option.key(), "true");
      }
    }
    try {
      return AgentOptions.of(given);
    } catch (OptionException e) {
      throw new UsageException("--" + e.getMessage());
    }
  }
}
