package dev.eddyline.control;

import dev.eddyline.cli.ExitCode;
import dev.eddyline.cli.UsageException;
import dev.eddyline.options.AgentSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What /proc says of a process. */
final class TargetProcess {
  private static final String ATTACH_OFF = "-XX:+DisableAttachMechanism";
  private static final String LOADING_OFF = "-XX:-EnableDynamicAgentLoading";
  private static final String LOADING_ON = "-XX:+EnableDynamicAgentLoading";

  private final long pid;
  private final Path folder;

  private TargetProcess(long pid, Path folder) {
    this.pid = pid;
    this.folder = folder;
  }

  /**
   * A process that is there.
   *
   * @throws UsageException if that is no number of a process
   * @throws Refusal if there is none
   */
  static TargetProcess of(String pid) throws Refusal {
    return of(pid, Path.of("/proc"));
  }

  static TargetProcess of(String pid, Path proc) throws Refusal {
    if (!pid.matches("[1-9]\\d{0,9}")) {
      throw new UsageException("PID cannot be '" + pid + "': it is the number of a process");
    }
    if (!Files.isDirectory(proc)) {
      throw new Refusal(ExitCode.FAULT, "there is no /proc here: the agent works on Linux only");
    }
    Path folder = proc.resolve(pid);
    if (!Files.isDirectory(folder)) {
      throw new Refusal(ExitCode.INPUT, "there is no process " + pid);
    }
    return new TargetProcess(Long.parseLong(pid), folder);
  }

  long pid() {
    return pid;
  }

  /** The user that it runs as. */
  int user() throws IOException {
    return AgentSocket.user(folder);
  }

  /** The name of that user, or its number. */
  String userName() throws IOException {
    return Files.getOwner(folder).getName();
  }

  /** Its number as it sees that itself, in a container another one. */
  long ownPid() throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve("status"))) {
      return lines
          .filter(line -> line.startsWith("NSpid:"))
          .map(line -> line.replaceAll(".*\\s", ""))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(pid);
    }
  }

  /** Where it sees its file system. */
  Path root() {
    return sameMounts() ? Path.of("/") : folder.resolve("root");
  }

  /** Whether it sees the same file systems as this process; also if that cannot be seen. */
  boolean sameMounts() {
    try {
      Path other = Files.readSymbolicLink(folder.resolve("ns/mnt"));
      return other.equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
    } catch (IOException | UnsupportedOperationException hidden) {
      return true;
    }
  }

  /** Its program's name. */
  String name() {
    try {
      return Files.readString(folder.resolve("comm")).strip();
    } catch (IOException gone) {
      return "?";
    }
  }

  /** Whether a JVM is mapped into it. */
  boolean isJvm() throws IOException {
    return maps("/libjvm.so");
  }

  /** Whether a file whose path holds these characters is mapped into it. */
  boolean maps(String part) throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains(part));
    }
  }

  /** The paths that are mapped into it and hold these characters, each once. */
  List<String> mapped(String part) throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains(part) && line.indexOf('/') >= 0)
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .toList();
    }
  }

  /** Whether the JVM was told to take no attach at all. */
  boolean attachIsOff() throws IOException {
    return words().contains(ATTACH_OFF);
  }

  /** Whether the JVM was told to load no agents later. */
  boolean loadingIsOff() throws IOException {
    List<String> words = words();
    return words.lastIndexOf(LOADING_OFF) > words.lastIndexOf(LOADING_ON);
  }

  /** Its environment as it was at its start. */
  Map<String, String> environment() throws IOException {
    Map<String, String> environment = new TreeMap<>();
    for (String entry : nulSeparated("environ")) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        environment.put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    return environment;
  }

  private List<String> words() throws IOException {
    List<String> words = new ArrayList<>();
    Map<String, String> environment = environment();
    for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      words.addAll(List.of(environment.getOrDefault(variable, "").split("\\s+")));
    }
    words.addAll(nulSeparated("cmdline"));
    return words;
  }

  private List<String> nulSeparated(String file) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(file));
    return List.of(new String(bytes, StandardCharsets.UTF_8).split("\0"));
  }
}
