package dev.eddyline.control;

import dev.eddyline.cli.ExitCode;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the agent's jar lies: in the folder {@code agent} beside the jars of the command line. */
final class AgentJar {
  /** Names another place, for tests. */
  static final String PROPERTY = "eddyline.agent.jar";

  private static final String NAME = "eddyline-agent.jar";

  private AgentJar() {}

  /**
   * Finds it.
   *
   * @throws Refusal if it is not there
   */
  static Path find() throws Refusal {
    String set = System.getProperty(PROPERTY, "");
    Path jar = set.isEmpty() ? beside() : Path.of(set);
    if (!Files.isReadable(jar)) {
      throw new Refusal(ExitCode.FAULT, "this installation lacks its agent, " + jar);
    }
    return jar.toAbsolutePath().normalize();
  }

  private static Path beside() {
    try {
      Path own =
          Path.of(AgentJar.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return own.resolveSibling("agent").resolve(NAME);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
