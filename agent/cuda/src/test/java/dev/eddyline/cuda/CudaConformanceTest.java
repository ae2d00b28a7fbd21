package dev.eddyline.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Platform;
import dev.eddyline.device.conformance.Answer;
import dev.eddyline.device.conformance.Conformance;
import dev.eddyline.device.conformance.StreamProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asks the GPU what every program of the suite does, and writes its answers down. */
@Tag("gpu")
class CudaConformanceTest {
  private final int times = Integer.getInteger("eddyline.conformance.times", 2);
  private final int devices = Integer.getInteger("eddyline.conformance.devices", 1);
  private final String name = System.getProperty("eddyline.conformance.name", "answers");
  private final List<String> answers = new ArrayList<>();
  private final List<String> ofTwoMinds = new ArrayList<>();

  @Test
  void the_gpu_answers_always_the_same() throws IOException {
    Platform platform = Cuda.open();
    Conformance conformance = new Conformance(platform);
    List<String> failed = new ArrayList<>();
    for (StreamProgram program : Conformance.programs()) {
      if (program.needsTwoDevices() != (devices > 1)) {
        continue;
      }
      answers.add("# " + program);
      try {
        conformance.warmUp(program);
        conformance.ask(program, times).forEach(this::note);
      } catch (RuntimeException e) {
        failed.add(program + " -> " + e);
        answers.add("# failed: " + e);
      }
      write();
    }
    Gpu.say("conformance: " + answers.size() + " lines, " + times + " times each");
    assertThat(failed).isEmpty();
    assertThat(ofTwoMinds).isEmpty();
  }

  private void note(Map<Answer, Integer> seen) {
    Answer most = seen.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    answers.add(most.toString());
    if (seen.size() > 1) {
      ofTwoMinds.add(seen.toString());
      answers.add("# of two minds: " + seen);
    }
  }

  private void write() throws IOException {
    String out = System.getProperty("eddyline.out", "");
    if (!out.isEmpty()) {
      Files.write(Path.of(out, name + ".txt"), answers);
    }
  }
}
