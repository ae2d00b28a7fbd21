package dev.eddyline.control;

import dev.eddyline.recorder.shim.Probe;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records a program that launches an empty kernel for a second, and looks what came of it. */
final class TrialRun {
  private static final String MILLIS = "1000";
  private static final int PATIENCE_SECONDS = 60;

  private TrialRun() {}

  static Check run(String agentOptions) throws Refusal {
    try {
      Path folder = Files.createTempDirectory("eddyline-trial");
      try {
        return look(folder, agentOptions);
      } finally {
        for (String file : List.of("trial.eddy", "out", "err")) {
          Files.deleteIfExists(folder.resolve(file));
        }
        Files.deleteIfExists(folder);
      }
    } catch (IOException | URISyntaxException e) {
      return Check.bad("a trial recording cannot be made: " + e.getMessage(), "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Check.note("the trial recording was interrupted", "");
    }
  }

  private static Check look(Path folder, String agentOptions)
      throws IOException, URISyntaxException, InterruptedException, Refusal {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-javaagent:" + AgentJar.find() + "=out=trial.eddy" + agentOptions);
    command.add("-cp");
    command.add(
        Path.of(Probe.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString());
    command.addAll(List.of(Probe.class.getName(), MILLIS));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process trial =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!trial.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      trial.destroyForcibly().waitFor();
      return Check.bad(
          "a trial recording did not end within " + PATIENCE_SECONDS + " s",
          "look at nvidia-smi whether the GPU answers");
    }
    String said = Files.readString(err).strip().replace("eddyline: ", "").replace('\n', ';');
    String made = Files.readString(out).strip();
    if (!made.startsWith("launched ")) {
      return Check.bad("the GPU runs no empty kernel: " + made, "look at nvidia-smi; " + said);
    }
    return said.contains("losses: none")
        ? Check.ok("a trial recording of one second: " + made + "; " + last(said))
        : Check.bad("a trial recording of one second failed: " + made, said);
  }

  private static String last(String said) {
    return said.substring(said.lastIndexOf("trial.eddy") + "trial.eddy: ".length());
  }
}
