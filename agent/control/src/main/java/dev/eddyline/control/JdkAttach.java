package dev.eddyline.control;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Path;

/** The JDK's attach mechanism; apart, since a Java may lack the module jdk.attach. */
final class JdkAttach {
  private static final int OLDEST_JAVA = 17;

  private JdkAttach() {}

  /**
   * Loads the agent into a process.
   *
   * @throws Refusal if its JVM refuses
   * @throws NoClassDefFoundError if this Java has no jdk.attach
   */
  static void load(TargetProcess process, Path jar, String options) throws Refusal {
    VirtualMachine machine = connect(process);
    try {
      String version = machine.getSystemProperties().getProperty("java.specification.version", "0");
      if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST_JAVA) {
        throw Refusals.oldJava(process, version);
      }
      machine.loadAgent(jar.toString(), options);
    } catch (AgentLoadException e) {
      throw Refusals.loading(process, String.valueOf(e.getMessage()));
    } catch (AgentInitializationException e) {
      throw Refusals.other(process, "the agent's start failed: " + e.getMessage());
    } catch (IOException e) {
      throw Refusals.other(process, "its JVM does not answer: " + e.getMessage());
    } finally {
      detach(machine);
    }
  }

  private static VirtualMachine connect(TargetProcess process) throws Refusal {
    try {
      return VirtualMachine.attach(Long.toString(process.pid()));
    } catch (AttachNotSupportedException e) {
      throw Refusals.other(process, "its JVM does not take the attach: " + e.getMessage());
    } catch (IOException e) {
      throw Refusals.other(process, String.valueOf(e.getMessage()));
    }
  }

  private static void detach(VirtualMachine machine) {
    try {
      machine.detach();
    } catch (IOException closed) {
      // The connection is gone, and that is what was wanted.
      return;
    }
  }
}
