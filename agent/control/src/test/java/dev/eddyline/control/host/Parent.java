package dev.eddyline.control.host;

import java.nio.file.Path;
import java.util.List;

/** Trains, and starts a second JVM that trains too. */
public final class Parent {
  private Parent() {}

  public static void main(String[] args) throws Exception {
    Training.run(50);
    ProcessBuilder child =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dstandin=" + System.getProperty("standin"),
                "-cp",
                System.getProperty("java.class.path"),
                Training.class.getName(),
                "50"));
    System.out.println("injection " + child.environment().get("CUDA_INJECTION64_PATH"));
    int code = child.inheritIO().start().waitFor();
    System.out.println("child " + code);
    System.exit(Training.EXIT_CODE);
  }
}
