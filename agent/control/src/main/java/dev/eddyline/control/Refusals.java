package dev.eddyline.control;

import dev.eddyline.cli.ExitCode;
import dev.eddyline.options.AgentSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Every reason for which a process cannot be attached to, with what to do about it. */
final class Refusals {
  private static final String FROM_THE_START =
      "record it from its start: eddyline record -o run.eddy -- java …";

  private Refusals() {}

  /** Why an attach to the process would fail, as far as /proc tells. */
  static Optional<Refusal> of(TargetProcess process) {
    try {
      return of(process, AgentSocket.user(Path.of("/proc/self")));
    } catch (IOException e) {
      return Optional.of(other(process, "it cannot be looked at: " + e.getMessage()));
    }
  }

  static Optional<Refusal> of(TargetProcess process, int own) {
    try {
      if (own != 0 && own != process.user()) {
        return Optional.of(anotherUser(process));
      }
      if (!process.sameMounts()) {
        return Optional.of(anotherNamespace(process));
      }
      if (!process.isJvm()) {
        return Optional.of(
            new Refusal(
                ExitCode.INPUT,
                "process " + process.pid() + " (" + process.name() + ") is no Java program"));
      }
      if (process.attachIsOff()) {
        return Optional.of(
            other(
                process,
                "it runs with -XX:+DisableAttachMechanism; without that, or " + FROM_THE_START));
      }
      if (process.loadingIsOff()) {
        return Optional.of(loadingOff(process));
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(other(process, "it cannot be looked at: " + e.getMessage()));
    }
  }

  private static Refusal anotherUser(TargetProcess process) throws IOException {
    String user = process.userName();
    return other(
        process, "it belongs to user " + user + "; run this command as " + user + " or as root");
  }

  private static Refusal anotherNamespace(TargetProcess process) throws IOException {
    return other(
        process,
        "it runs in another mount namespace (a container); there it is process "
            + process.ownPid()
            + ": run 'eddyline attach "
            + process.ownPid()
            + "' inside of it, for example by docker exec");
  }

  static Refusal oldJava(TargetProcess process, String version) {
    return other(process, "it runs on Java " + version + ", and the agent needs Java 17");
  }

  /** The JVM loads no agent. */
  static Refusal loading(TargetProcess process, String why) {
    return why.contains("not enabled")
        ? loadingOff(process)
        : other(process, "its JVM cannot load the agent: " + why);
  }

  private static Refusal loadingOff(TargetProcess process) {
    return other(
        process,
        "it loads no agents later (-XX:-EnableDynamicAgentLoading); without that option, or "
            + FROM_THE_START);
  }

  /** This Java lacks a module. */
  static Refusal noAttachModule() {
    return new Refusal(
        ExitCode.FAULT,
        "this Java ("
            + System.getProperty("java.home")
            + ") has no module jdk.attach: set JAVA_HOME to a full JDK, or "
            + FROM_THE_START);
  }

  static Refusal other(TargetProcess process, String why) {
    return new Refusal(ExitCode.FAULT, "cannot attach to process " + process.pid() + ": " + why);
  }
}
