package dev.eddyline.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.control.Check.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir Path root;

  private Libraries libraries(String driver, String... files) throws IOException {
    if (!driver.isEmpty()) {
      Path version = root.resolve("proc/driver/nvidia/version");
      Files.createDirectories(version.getParent());
      Files.writeString(
          version,
          "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
              + driver
              + "  Release Build  (a@b)\nGCC version: 12\n");
    }
    Path places = Files.createDirectories(root.resolve("named"));
    for (String file : files) {
      Files.createFile(places.resolve(file));
    }
    return new Libraries(
        root, List.of(places), Map.of("CUDA_HOME", root.resolve("none").toString()));
  }

  @Test
  void a_sound_host() throws IOException {
    Libraries libraries = libraries("580.95.05", "libcupti.so.13", "libnccl.so.2");

    assertThat(libraries.driver().verdict()).isEqualTo(Verdict.OK);
    assertThat(libraries.driver().what()).contains("driver 580").contains("CUDA 13");
    assertThat(libraries.cupti().what()).contains("named/libcupti.so.13");
    assertThat(libraries.nccl().what()).contains("named/libnccl.so.2");
  }

  @Test
  void no_driver_and_an_old_one() throws IOException {
    assertThat(libraries("").driver().verdict()).isEqualTo(Verdict.BAD);
    assertThat(libraries("").driver().remedy()).contains("--gpus all");
    assertThat(libraries("470.57.02").driver().verdict()).isEqualTo(Verdict.BAD);
    assertThat(libraries("535.104.05").driver().what()).contains("CUDA 12");
  }

  @Test
  void a_cupti_named_by_the_user_comes_first() throws IOException {
    Check found = libraries("535.104.05", "libcupti.so.12").cupti();

    assertThat(found.verdict()).isEqualTo(Verdict.OK);
    assertThat(found.what()).contains("named/libcupti.so.12");
  }

  @Test
  void a_temporary_folder_without_programs() {
    String mounts = "a / ext4 rw 0 0\nb " + root + " tmpfs rw,noexec,nosuid 0 0\n";

    assertThat(Checks.temporaryFolder(mounts, root.resolve("x")).verdict()).isEqualTo(Verdict.BAD);
    assertThat(Checks.temporaryFolder(mounts, root.resolve("x")).remedy())
        .contains("-Djava.io.tmpdir");
    assertThat(Checks.temporaryFolder("a / ext4 rw 0 0\n", root).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void another_profiler() {
    Check other = Checks.otherClients(Map.of("CUDA_INJECTION64_PATH", "/x.so"), Optional.empty());

    assertThat(other.verdict()).isEqualTo(Verdict.BAD);
    assertThat(other.words())
        .isEqualTo(
            """
            bad   CUDA_INJECTION64_PATH=/x.so: another profiler is loaded with CUDA
                  -> CUPTI serves one at a time: unset CUDA_INJECTION64_PATH
            """);
    assertThat(Checks.otherClients(Map.of(), Optional.empty()).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void every_line_that_is_bad_has_its_remedy() {
    Cli doctor = Cli.run("doctor");

    assertThat(doctor.code()).isIn(0, 1);
    assertThat(doctor.out()).contains("clock").contains("a recording takes at most 64 MiB");
    List<String> lines = doctor.out().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("bad")) {
        assertThat(lines.get(i) + lines.get(i + 1)).contains(" -> ");
      }
    }
  }
}
