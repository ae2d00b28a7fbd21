package dev.eddyline.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.DeviceException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessagesTest {
  @Test
  void a_failed_call_is_named_with_code_and_advice() {
    var failure = Faults.of(1, "cudaMemcpyAsync", "cudaErrorInvalidValue", "invalid argument");

    assertThat(failure)
        .hasMessage(
            "cudaMemcpyAsync failed: cudaErrorInvalidValue (1), invalid argument; an argument makes"
                + " no sense to CUDA: look at the sizes, kinds and devices of the buffers");
    assertThat(failure.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
  }

  @Test
  void codes_have_reasons() {
    assertThat(Faults.reason(2)).isEqualTo(Reason.OUT_OF_MEMORY);
    assertThat(Faults.reason(700)).isEqualTo(Reason.LAUNCH_FAILED);
    assertThat(Faults.reason(719)).isEqualTo(Reason.LAUNCH_FAILED);
    assertThat(Faults.reason(800)).isEqualTo(Reason.NOT_PERMITTED);
    assertThat(Faults.reason(35)).isEqualTo(Reason.DRIVER);
    assertThat(NcclFaults.reason(6)).isEqualTo(Reason.COMMUNICATOR);
    assertThat(NcclFaults.reason(5)).isEqualTo(Reason.INVALID_ARGUMENT);
  }

  @Test
  void nccl_s_own_last_words_are_in_the_message() {
    assertThat(
            NcclFaults.message(
                6, "ncclAllReduce on rank 1", "remote process exited", "socket closed\n"))
        .isEqualTo(
            "ncclAllReduce on rank 1 failed: remote process exited (6) (socket closed); another"
                + " rank is gone: abort the communicator and join one without that rank");
    assertThat(NcclFaults.message(3, "ncclSend", "internal error", ""))
        .isEqualTo(
            "ncclSend failed: internal error (3); NCCL is at fault, or memory was overwritten:"
                + " NCCL_DEBUG=WARN says more");
  }

  @Test
  void strings_of_c_end_at_their_zero() {
    assertThat(Faults.terminated(new byte[] {'H', '2', 0, 'x'})).isEqualTo("H2");
    assertThat(Faults.terminated(new byte[] {'H'})).isEqualTo("H");
  }

  @Test
  void the_memory_limit_is_told_with_figures_unless_it_was_set() {
    long gib = 1L << 30;

    assertThat(MemoryLimit.advice("0", 0, gib, gib)).isNull();
    assertThat(MemoryLimit.advice(null, 0, gib, gib)).isNull();
    assertThat(MemoryLimit.advice(null, 4 * gib, gib, gib / 2))
        .contains("at 4.0 GiB", "largest heap of 1.0 GiB", "holds 0.5 GiB now")
        .endsWith("Start with -Dorg.bytedeco.javacpp.maxPhysicalBytes=0");
  }

  @Test
  void libraries_are_looked_for_in_toolkits_packages_and_wheels(@TempDir Path root)
      throws Exception {
    Files.createDirectories(root.resolve("usr/local/cuda-13.0/targets/x86_64-linux/lib"));
    Files.createDirectories(root.resolve("usr/lib/python3.12/site-packages/nvidia/nccl/lib"));

    List<Path> places =
        Libraries.places(Map.of("LD_LIBRARY_PATH", "/first::/second", "CUDA_HOME", "/home"), root);

    assertThat(places)
        .startsWith(Path.of("/first"), Path.of("/second"), Path.of("/home/lib64"))
        .contains(
            root.resolve("usr/local/cuda-13.0/lib64"),
            root.resolve("usr/local/cuda-13.0/targets/x86_64-linux/lib"),
            root.resolve("usr/local/cuda/lib64"),
            root.resolve("usr/lib/x86_64-linux-gnu"),
            root.resolve("usr/lib/python3.12/site-packages/nvidia/nccl/lib"))
        .doesNotHaveDuplicates();
  }

  @Test
  void without_libraries_one_line_names_every_place() {
    String line =
        Libraries.missing(
            List.of("libcuda.so.1", "libcudart.so.13"),
            List.of(Path.of("/a"), Path.of("/b")),
            "libcuda.so.1: cannot open\nmore");

    assertThat(line.lines()).hasSize(1);
    assertThat(line)
        .startsWith("no CUDA device: libcuda.so.1 and libcudart.so.13")
        .contains("(libcuda.so.1: cannot open)", "/a, /b", "set LD_LIBRARY_PATH")
        .doesNotContain("more");
  }
}
