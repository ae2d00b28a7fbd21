package dev.eddyline.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RankLauncherTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static RankLauncher.Job job(String... arguments) {
    return new RankLauncher.Job(2, true, EchoRank.class.getName(), List.of(arguments), null, "");
  }

  private int run(RankLauncher.Job job, long graceMillis) throws IOException {
    return RankLauncher.run(
        job,
        graceMillis,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @Test
  void every_rank_knows_its_place_and_believes_to_be_on_a_host_of_its_own() throws IOException {
    assertThat(run(job(), 60_000)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactlyInAnyOrder(
            "0 WORLD_SIZE=2",
            "0 MASTER_ADDR=127.0.0.1",
            "0 LOCAL_RANK=0",
            "0 NCCL_HOSTID=host-0",
            "1 WORLD_SIZE=2",
            "1 MASTER_ADDR=127.0.0.1",
            "1 LOCAL_RANK=1",
            "1 NCCL_HOSTID=host-1");
  }

  @Test
  void ranks_with_a_gpu_each_stay_on_one_host() {
    RankLauncher.Job alone =
        new RankLauncher.Job(2, false, EchoRank.class.getName(), List.of(), null, "");
    assertThat(RankLauncher.environment(alone, 1, 29500))
        .containsEntry("MASTER_PORT", "29500")
        .doesNotContainKeys("NCCL_HOSTID", "NCCL_SOCKET_IFNAME");
  }

  @Test
  void a_rank_that_fails_is_named_and_ends_the_others() throws IOException {
    assertThat(run(job("1:7", "0:hangs"), 500)).isEqualTo(7);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "samples: rank 1 ended with 7",
            "samples: rank 0 was ended, 500 ms after another had failed");
  }

  @Test
  void an_agent_comes_into_each_command_line_with_a_file_of_its_own() {
    RankLauncher.Job recorded =
        new RankLauncher.Job(
            2, true, "Main", List.of("word"), Path.of("/a/agent.jar"), "/out/x-rank%r.eddy");
    assertThat(RankLauncher.command(recorded, 1))
        .contains("-javaagent:/a/agent.jar=out=/out/x-rank1.eddy")
        .contains("-Dorg.bytedeco.javacpp.maxPhysicalBytes=0")
        .endsWith("Main", "word");
    assertThat(RankLauncher.command(job(), 0)).noneMatch(word -> word.startsWith("-javaagent"));
  }
}
