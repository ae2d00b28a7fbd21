package dev.eddyline.recorder.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CuptiPlacesTest {
  @TempDir private Path folder;

  @Test
  void what_the_user_named_comes_first_then_the_environment_then_the_system() {
    Path named = folder.resolve("libcupti.so.13");
    assertThat(
            CuptiPlaces.list(
                List.of(named), Map.of("CUDA_HOME", "/opt/cuda", "LD_LIBRARY_PATH", "/a:/b")))
        .startsWith(named, Path.of("/opt/cuda/extras/CUPTI/lib64/libcupti.so.13"))
        .containsSubsequence(
            Path.of("/opt/cuda/lib64/libcupti.so.12"),
            Path.of("/a/libcupti.so.13"),
            Path.of("/b/libcupti.so.13"),
            Path.of("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13"),
            Path.of("/usr/lib/x86_64-linux-gnu/libcupti.so.13"))
        .doesNotHaveDuplicates();
  }

  @Test
  void a_named_folder_is_looked_into() {
    assertThat(CuptiPlaces.list(List.of(folder), Map.of()))
        .startsWith(folder.resolve("libcupti.so.13"), folder.resolve("libcupti.so.12"));
  }

  @Test
  void wheels_of_a_virtual_environment_are_looked_into() throws IOException {
    Path wheel = folder.resolve("lib/python3.12/site-packages/nvidia/cu13/lib");
    Files.createDirectories(wheel);
    assertThat(CuptiPlaces.list(List.of(), Map.of("VIRTUAL_ENV", folder.toString())))
        .contains(wheel.resolve("libcupti.so.13"));
  }
}
