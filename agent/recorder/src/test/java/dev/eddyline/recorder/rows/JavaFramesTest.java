package dev.eddyline.recorder.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JavaFramesTest {
  @Test
  void frames_of_the_program_are_short_and_those_of_libraries_have_their_package() {
    assertThat(JavaFrames.words("Lcom/acme/Trainer;", "step", "Trainer.java", 12))
        .isEqualTo("Trainer.step(Trainer.java:12)");
    assertThat(JavaFrames.words("Ljava/lang/Thread;", "run", "Thread.java", 5))
        .isEqualTo("java.lang.Thread.run(Thread.java:5)");
    assertThat(JavaFrames.words("Lcom/acme/Trainer$Loop;", "run", "", -1))
        .isEqualTo("Trainer$Loop.run(Unknown Source)");
  }
}
