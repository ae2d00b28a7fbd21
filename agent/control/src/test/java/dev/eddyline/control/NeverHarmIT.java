package dev.eddyline.control;

import static dev.eddyline.control.host.Training.EXIT_CODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.control.Child.Result;
import dev.eddyline.control.Child.Running;
import dev.eddyline.control.host.Endless;
import dev.eddyline.control.host.ExitStorm;
import dev.eddyline.control.host.NoCuda;
import dev.eddyline.control.host.Parent;
import dev.eddyline.control.host.Training;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens, a recorded program does what it would do without a recorder. */
@Timeout(1800)
class NeverHarmIT {
  private static final String RESULT = "done ";

  @TempDir Path folder;

  private void isUnharmed(Result result) {
    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).startsWith(RESULT);
  }

  private Path libraries(String... files) throws IOException {
    Path copies = Files.createDirectory(folder.resolve("libraries"));
    for (String file : files) {
      Files.copy(Child.STANDIN.resolve(file), copies.resolve(file));
    }
    return copies;
  }

  @Test
  void it_is_recorded() throws IOException {
    Result alone = Child.in(folder).run(Training.class, "500");
    Result recorded = Child.in(folder).agent("out=run.eddy").run(Training.class, "500");

    isUnharmed(recorded);
    assertThat(recorded.out()).isEqualTo(alone.out());
    assertThat(recorded.said()).hasSize(2);
    assertThat(recorded.said().get(0)).contains("recording to").contains("run.eddy");
    assertThat(recorded.said().get(1)).contains("records").contains("losses: none");
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isEqualTo(1000);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("run.eddy"))))
        .isEqualTo("rw-------");
  }

  @Test
  void a_file_that_is_there_is_not_overwritten() throws IOException {
    Files.writeString(folder.resolve("run.eddy"), "mine");

    isUnharmed(Child.in(folder).agent("out=run.eddy").run(Training.class, "50"));

    assertThat(folder.resolve("run.eddy")).hasContent("mine");
    assertThat(Trace.read(folder.resolve("run-2.eddy")).kernels()).isEqualTo(100);
  }

  @Test
  void without_cuda_there_is_no_file_and_no_word() {
    Result result = Child.in(folder).agent("out=run.eddy").run(NoCuda.class);

    assertThat(result.code()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).isEqualToIgnoringNewLines("CUDA in the process: []");
    assertThat(result.err()).isEmpty();
    assertThat(Child.traces(folder)).isEmpty();
  }

  @Test
  void cupti_is_missing() throws IOException {
    Path places = libraries("libcuda.so.1", "libstandin-play.so");
    Result result =
        Child.in(folder).standin(places).agent("out=run.eddy").run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.said()).hasSize(1);
    assertThat(result.said().get(0))
        .startsWith("eddyline: not recording: ")
        .contains(places + "/libcupti.so.13: not there");
    assertThat(Child.traces(folder)).isEmpty();
  }

  @Test
  void cupti_is_of_another_major_version() {
    Result result =
        Child.in(folder)
            .env("STANDIN_CUPTI_VERSION", "130001")
            .env("STANDIN_DRIVER_VERSION", "12040")
            .agent("out=run.eddy")
            .run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.said()).hasSize(1);
    assertThat(result.said().get(0)).contains("is for CUDA 13").contains("the driver for 12");
    assertThat(Child.traces(folder)).isEmpty();
  }

  @Test
  void cupti_is_busy() {
    Result result =
        Child.in(folder)
            .env("STANDIN_SUBSCRIBE", "39")
            .agent("out=run.eddy")
            .run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.said()).hasSize(1);
    assertThat(result.said().get(0)).contains("in use by another profiler in this process");
    assertThat(Child.traces(folder)).isEmpty();
  }

  @Test
  void the_disk_is_full() {
    List<String> limited =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f 128; exec \"$@\"", "-"));
    limited.addAll(
        Child.in(folder)
            .jvm("-XX:-UsePerfData")
            .agent("out=run.eddy,flush=10ms")
            .command(Training.class, "200000"));
    Result result = Child.in(folder).run(limited);

    isUnharmed(result);
    assertThat(folder.resolve("run.eddy").toFile().length()).isBetween(1L, 128L << 10);
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isPositive();
    assertThat(result.said().get(result.said().size() - 1)).contains("could not be written");
  }

  @Test
  void the_folder_cannot_be_written() {
    Result result = Child.in(folder).agent("out=/proc/nowhere/run.eddy").run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.said()).hasSize(1);
    assertThat(result.said().get(0)).contains("cannot be written").contains("/proc/nowhere");
  }

  @Test
  void it_is_killed() throws InterruptedException {
    Running running = Child.in(folder).agent("out=run.eddy,flush=20ms").start(Endless.class);
    Path file = folder.resolve("run.eddy");
    running.awaits("ready").awaits(running.err(), "recording to");
    while (file.toFile().length() < 20_000) {
      Thread.sleep(10);
    }
    Thread.sleep(800);
    running.process().destroyForcibly();
    Result result = running.end();

    assertThat(result.code()).isEqualTo(128 + 9);
    assertThat(Trace.read(file).kernels()).isPositive();
    assertThat(Cli.run("info", file.toString()).code()).isZero();
  }

  @Test
  void it_is_ended_by_a_signal() {
    Running running = Child.in(folder).agent("out=run.eddy").start(Endless.class);
    running.awaits("ready").awaits(running.err(), "recording to");
    running.process().destroy();
    Result result = running.end();

    assertThat(result.code()).isEqualTo(128 + 15);
    assertThat(result.said()).hasSize(2);
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isPositive();
  }

  @Test
  void it_ends_by_an_exception() {
    Result result =
        Child.in(folder).agent("out=run.eddy").run(Training.class, "50", "thrown on purpose");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("thrown on purpose");
    assertThat(result.said()).hasSize(2);
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isEqualTo(100);
  }

  @Test
  void it_exits_while_64_threads_launch() {
    for (int i = 0; i < (Child.LONG ? 200 : 4); i++) {
      long before = System.nanoTime();
      Result result = Child.in(folder).agent("out=run-%p.eddy").run(ExitStorm.class);

      assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
      assertThat(result.out()).startsWith("exits");
      assertThat(System.nanoTime() - before).isLessThan(30_000_000_000L);
    }
    assertThat(Child.traces(folder)).hasSize(Child.LONG ? 200 : 4);
    Child.traces(folder).forEach(file -> assertThat(Trace.read(file).timeline()).isNotNull());
  }

  @Test
  void the_agent_is_there_twice() {
    Result result =
        Child.in(folder)
            .agent("out=run.eddy")
            .agent("out=other.eddy,deep")
            .run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.said()).hasSize(3);
    assertThat(result.said().get(0)).contains("already recording");
    assertThat(Child.traces(folder)).containsExactly(folder.resolve("run.eddy"));
  }

  @Test
  void a_child_process_is_not_recorded_unless_it_is_asked_for() {
    Result result = Child.in(folder).agent("out=run-%p.eddy").run(Parent.class);

    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).contains("injection null").contains("child " + EXIT_CODE);
    assertThat(result.said()).hasSize(2);
    assertThat(Child.traces(folder)).hasSize(1);
    assertThat(Trace.read(Child.traces(folder).get(0)).kernels()).isEqualTo(100);
  }

  @Test
  void a_child_process_gets_a_file_of_its_own() {
    Result result =
        Child.in(folder)
            .env(
                "JAVA_TOOL_OPTIONS",
                "-javaagent:" + Child.AGENT + "=out=run.eddy,cupti=" + Child.STANDIN)
            .run(Parent.class);

    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).contains("child " + EXIT_CODE);
    assertThat(Child.traces(folder))
        .containsExactly(folder.resolve("run-2.eddy"), folder.resolve("run.eddy"));
    Child.traces(folder).forEach(file -> assertThat(Trace.read(file).kernels()).isEqualTo(100));
  }
}
