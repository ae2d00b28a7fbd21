package dev.eddyline.recorder.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShimSanitizerTest {
  @ParameterizedTest
  @ValueSource(strings = {"address", "thread"})
  void the_shims_own_tests_pass(String sanitizer) throws IOException, InterruptedException {
    Path folder = Path.of("target/native/bin", sanitizer).toAbsolutePath();
    Path program = folder.resolve("shim-test");
    assumeTrue(Files.isExecutable(program), "not built here");
    Path output = Files.createTempFile("shim-test", ".txt");
    Process process =
        new ProcessBuilder(program.toString(), folder.resolve("libcupti.so.13").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(output, StandardCharsets.UTF_8)).isEqualTo("passed\n");
    assertThat(process.exitValue()).isZero();
  }
}
