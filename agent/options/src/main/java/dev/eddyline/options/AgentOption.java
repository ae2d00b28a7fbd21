package dev.eddyline.options;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every option of the agent. Its parser, the options of {@code eddyline record} and {@code attach},
 * their completion and the table in docs/record.md come from here.
 */
public enum AgentOption {
  /** File to write. */
  OUT(
      "out",
      OptionKind.PATTERN,
      "FILE",
      "run-%h-%p.eddy",
      "The file to write; in its name " + FilePattern.PLACES + "."),
  /** Pointer arguments. */
  DEEP(
      "deep",
      OptionKind.FLAG,
      "",
      "false",
      "Also record the pointers that launches, copies and fills are given."),
  /** Keep only the end. */
  RING(
      "ring",
      OptionKind.DURATION,
      "TIME",
      "0",
      "Keep the last TIME in memory and write it when asked to, after a long block or at a hang."),
  /** Memory of the ring. */
  RING_SIZE("ring-size", OptionKind.SIZE, "SIZE", "256m", "Memory that the ring may take."),
  /** Ring: what block writes it. */
  RING_BLOCK(
      "ring-block",
      OptionKind.DURATION,
      "TIME",
      "0",
      "Write the ring when a call has held the host for TIME; 0 never does."),
  /** Hang dump. */
  HANG(
      "hang",
      OptionKind.DURATION,
      "TIME",
      "0",
      "Take it for a hang when nothing has completed for TIME while work is pending; 0 never"
          + " does."),
  /** Part of the run. */
  WINDOW(
      "window",
      OptionKind.WINDOW,
      "FROM..TO",
      "",
      "Record from FROM to TO only: times since the start, or names of marked steps or ranges."),
  /** Which calls' Java stacks. */
  STACKS(
      "stacks",
      OptionKind.WORDS,
      "CALLS",
      "sync",
      "Whose Java stacks to record: sync (calls that block; always, but for none), record, wait,"
          + " launch, blocked-launch (those that find the queue full), none.",
      "sync",
      "record",
      "wait",
      "launch",
      "blocked-launch",
      "none"),
  /** From which duration on a stack is taken. */
  STACK_OVER(
      "stack-over",
      OptionKind.DURATION,
      "TIME",
      "500us",
      "How long a call must have blocked for its stack to be recorded."),
  /** How often records are fetched. */
  FLUSH(
      "flush",
      OptionKind.DURATION,
      "TIME",
      "200ms",
      "How often finished records are fetched; kill -9 loses at most that much."),
  /** One activity buffer. */
  BUFFER_SIZE("buffer-size", OptionKind.SIZE, "SIZE", "128k", "Size of one buffer of records."),
  /** All activity buffers. */
  BUFFERS(
      "buffers",
      OptionKind.SIZE,
      "SIZE",
      "64m",
      "Memory for all buffers of records; when it is used up records are dropped and counted."),
  /** Device memory. */
  DEVICE_BUFFERS(
      "device-buffers",
      OptionKind.SIZE,
      "SIZE",
      "32m",
      "GPU memory that CUPTI may take in each context."),
  /** JFR threshold. */
  JFR_OVER(
      "jfr-over",
      OptionKind.DURATION,
      "TIME",
      "1ms",
      "How long a call must have held the host to become an event of Java Flight Recorder."),
  /** The library. */
  CUPTI(
      "cupti", OptionKind.FILE, "FILE", "", "The libcupti to use, if it should not be looked for."),
  /** How much the agent says. */
  LOG(
      "log",
      OptionKind.CHOICE,
      "WORD",
      "info",
      "How much the agent says on standard error: quiet, info (a line at start and end), debug.",
      "quiet",
      "info",
      "debug");

  private final String key;
  private final OptionKind kind;
  private final String placeholder;
  private final String defaultValue;
  private final String description;
  private final List<String> words;

  AgentOption(
      String key,
      OptionKind kind,
      String placeholder,
      String defaultValue,
      String description,
      String... words) {
    this.key = key;
    this.kind = kind;
    this.placeholder = placeholder;
    this.defaultValue = defaultValue;
    this.description = description;
    this.words = List.of(words);
  }

  /** The name that users type. */
  public String key() {
    return key;
  }

  /** What its value is. */
  public OptionKind kind() {
    return kind;
  }

  /** What stands for the value in help; "" for a flag. */
  public String placeholder() {
    return placeholder;
  }

  /** Its value where it is not named; "" for none. */
  public String defaultValue() {
    return defaultValue;
  }

  /** One sentence for people. */
  public String description() {
    return description;
  }

  /** The words that its value is made of; empty if it is not made of words. */
  public List<String> words() {
    return words;
  }

  /** The option of that name. */
  public static Optional<AgentOption> of(String key) {
    return Arrays.stream(values()).filter(option -> option.key.equals(key)).findFirst();
  }

  /** All names. */
  public static List<String> keys() {
    return Arrays.stream(values()).map(AgentOption::key).toList();
  }

  /** The table of options in Markdown, for the documentation. */
  public static String markdown() {
    StringBuilder table = new StringBuilder("| option | default | what it does |\n|---|---|---|\n");
    for (AgentOption option : values()) {
      String value = option.kind == OptionKind.FLAG ? "" : "=" + option.placeholder;
      String initial = option.kind == OptionKind.FLAG ? "off" : option.defaultValue;
      table.append("| `").append(option.key).append(value).append("` | ");
      table.append(initial.isEmpty() ? "" : "`" + initial + "`").append(" | ");
      table.append(option.description).append(" |\n");
    }
    return table.toString();
  }
}
