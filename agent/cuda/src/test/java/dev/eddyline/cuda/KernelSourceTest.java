package dev.eddyline.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Kernel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelSourceTest {
  private static Kernel kernel(String source) {
    return Kernel.named("add").source(source).build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "extern \"C\" __global__ void add(float *x) {}",
        "extern \"C\"\n__global__ void __launch_bounds__(256) add (float *x) {}\n",
        "__device__ int f() { return 1; }\nextern \"C\" { __global__ void add(int n) {} }",
      })
  void sources_with_the_function_are_taken(String source) {
    assertThat(KernelSource.of(kernel(source))).startsWith(source).endsWith("\n");
  }

  @Test
  void a_kernel_without_source_says_how_to_give_one() {
    assertThatThrownBy(() -> KernelSource.of(kernel("")))
        .hasMessageContaining("kernel 'add' has no CUDA source")
        .hasMessageContaining("Kernel.named(\"add\").source(…)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "__global__ void add(float *x) {}",
        "extern \"C\" __global__ void adder(float *x) {}",
        "extern \"C\" void add(float *x) {}"
      })
  void a_source_without_the_function_says_what_to_write(String source) {
    assertThatThrownBy(() -> KernelSource.of(kernel(source)))
        .hasMessageContaining("write extern \"C\" __global__ void add(…)");
  }

  @Test
  void options_name_the_architecture_and_the_include_paths() {
    assertThat(KernelSource.options("sm_90", List.of("/include")))
        .containsExactly(
            "--gpu-architecture=sm_90",
            "--std=c++17",
            "--generate-line-info",
            "--include-path=/include");
  }

  @Test
  void a_failed_compilation_carries_the_log() {
    assertThat(KernelSource.file(kernel("x"))).isEqualTo("add.cu");
    assertThat(KernelSource.failed(kernel("x"), "NVRTC_ERROR_COMPILATION", "add.cu(1): error\n"))
        .isEqualTo(
            "nvrtcCompileProgram of kernel 'add' failed: NVRTC_ERROR_COMPILATION\n"
                + "add.cu(1): error");
  }
}
