package dev.eddyline.control;

import static dev.eddyline.control.host.Training.EXIT_CODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.control.Child.Result;
import dev.eddyline.control.Child.Running;
import dev.eddyline.control.host.Endless;
import dev.eddyline.control.host.NoCuda;
import dev.eddyline.control.host.Training;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands, on programs that run. */
@Timeout(600)
class ControlIT {
  @TempDir Path folder;

  static List<Path> jdks() {
    return Child.jdks();
  }

  /** The command line in a process of its own: some commands pass its streams on. */
  private List<String> eddyline(String... words) {
    List<String> command = new ArrayList<>(List.of(Child.ownJdk().resolve("bin/java").toString()));
    command.add("-Deddyline.agent.jar=" + Child.AGENT);
    command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path"))));
    command.add("dev.eddyline.cli.Main");
    command.addAll(List.of(words));
    return command;
  }

  private static String absolute(String classPath) {
    return String.join(
        File.pathSeparator,
        List.of(classPath.split(File.pathSeparator)).stream()
            .map(place -> Path.of(place).toAbsolutePath().toString())
            .toList());
  }

  private List<String> record(List<String> options, List<String> program) {
    List<String> command = eddyline("record", "--cupti", Child.STANDIN.toString());
    command.addAll(options);
    command.add("--");
    command.addAll(program);
    return command;
  }

  @Test
  void record_puts_the_agent_into_the_command_line_of_java() {
    Child child = Child.in(folder);
    Result result =
        child.run(record(List.of("-o", "run-%p.eddy"), child.command(Training.class, "50")));

    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).startsWith("done ");
    assertThat(result.said().get(0)).contains("in the command line of java");
    assertThat(result.err()).doesNotContain("Picked up");
    assertThat(Trace.read(Child.traces(folder).get(0)).kernels()).isEqualTo(100);
  }

  @Test
  void record_reaches_java_through_a_script() {
    Child child = Child.in(folder);
    List<String> script =
        new ArrayList<>(List.of("sh", "-c", "cd /; \"$@\"; exit $(($? + 1))", "sh"));
    script.addAll(child.command(Training.class, "50"));
    Result result = child.run(record(List.of("-o", "run, it's 'one'.eddy"), script));

    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE + 1);
    assertThat(result.said().get(0)).contains("JAVA_TOOL_OPTIONS");
    assertThat(Trace.read(folder.resolve("run, it's 'one'.eddy")).kernels()).isEqualTo(100);
  }

  @Test
  void record_passes_signals_on() {
    Child child = Child.in(folder);
    Running running = child.start(record(List.of("-o", "run.eddy"), child.command(Endless.class)));
    running.awaits("ready").awaits(running.err(), "recording to");
    running.process().destroy();
    Result result = running.end();

    assertThat(result.code()).isEqualTo(128 + 15);
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isPositive();
  }

  @Test
  void record_says_when_there_is_no_file() {
    Child child = Child.in(folder);
    Result result = child.run(record(List.of(), child.command(NoCuda.class)));

    assertThat(result.code()).isEqualTo(EXIT_CODE);
    assertThat(result.said()).hasSize(2);
    assertThat(result.said().get(1)).contains("no Java program in it used CUDA");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void a_running_program_is_attached_to_twice_and_detached_from(Path jdk) {
    Running running = Child.in(folder, jdk).start(Endless.class).awaits("ready");
    String pid = running.pid();

    Cli none = Cli.run("info", pid);
    long before = System.nanoTime();
    Cli first = attach(pid, "-o", folder.resolve("a.eddy").toString());
    long attached = System.nanoTime() - before;
    Cli again = attach(pid, "-o", folder.resolve("b.eddy").toString());
    running.awaits(running.err(), "recording to");
    Cli info = Cli.run("info", pid);
    before = System.nanoTime();
    Cli detached = Cli.run("detach", pid);
    long detaching = System.nanoTime() - before;
    Cli gone = Cli.run("detach", pid);

    assertThat(none.code()).isEqualTo(4);
    assertThat(none.err()).contains("has no agent").contains("eddyline attach " + pid);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(attached).isLessThan(15_000_000_000L);
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("already recording");
    assertThat(info.code()).isZero();
    assertThat(info.out()).contains("a.eddy").contains("losses: none");
    assertThat(detached.code()).as(detached.err()).isZero();
    assertThat(detaching).isLessThan(10_000_000_000L);

    untilEnded(pid);
    assertThat(Cli.run("detach", pid).err()).contains("nothing is being recorded");
    assertThat(attach(pid, "-o", folder.resolve("c.eddy").toString()).code()).isZero();
    running.awaits(running.err(), "c.eddy");
    Result result = running.finish();
    assertThat(result.code()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).contains("ended by itself");
    assertThat(Child.traces(folder)).hasSize(2);
    Child.traces(folder).forEach(file -> assertThat(Trace.read(file).kernels()).isPositive());
    assertThat(gone.code()).isIn(0, 1);
  }

  private static void untilEnded(String pid) {
    for (int i = 0; i < 1000; i++) {
      if (Cli.run("detach", pid).err().contains("nothing is being recorded")) {
        return;
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static Cli attach(String pid, String... options) {
    List<String> words =
        new ArrayList<>(List.of("attach", pid, "--cupti", Child.STANDIN.toString()));
    words.addAll(List.of(options));
    return Cli.run(words.toArray(new String[0]));
  }

  @Test
  void a_ring_is_written_when_it_is_asked_for() {
    Running running =
        Child.in(folder).agent("out=run.eddy,ring=10s,flush=20ms").start(Endless.class);
    running.awaits("ready").awaits(running.err(), "recording to");
    String snapshot = folder.resolve("asked.eddy").toString();
    for (int i = 0; i < 100 && !Cli.run("info", running.pid()).out().contains(" records"); i++) {
      Thread.onSpinWait();
    }
    Cli written = Cli.run("snapshot", running.pid(), "-o", snapshot);
    Cli refused = Cli.run("snapshot", running.pid(), "-o", snapshot);
    running.finish();

    assertThat(written.code()).as(written.err()).isZero();
    assertThat(written.out()).contains("asked.eddy");
    assertThat(refused.code()).isEqualTo(3);
    assertThat(Trace.read(Path.of(snapshot)).timeline().isEmpty()).isFalse();
  }

  @Test
  void attach_is_refused_with_the_reason_by_a_jvm_that_takes_none() {
    Running off =
        Child.in(folder).jvm("-XX:+DisableAttachMechanism").start(Endless.class).awaits("ready");
    Running noLoading =
        Child.in(folder).jvm("-XX:-EnableDynamicAgentLoading").start(Endless.class).awaits("ready");

    Cli first = attach(off.pid());
    Cli second = attach(noLoading.pid());

    assertThat(first.code()).isEqualTo(1);
    assertThat(first.err()).contains("-XX:+DisableAttachMechanism").contains("eddyline record");
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.err()).contains("-XX:-EnableDynamicAgentLoading").contains("eddyline record");
    assertThat(off.finish().code()).isEqualTo(EXIT_CODE);
    assertThat(noLoading.finish().code()).isEqualTo(EXIT_CODE);
  }

  @Test
  void attach_needs_a_module_of_the_jdk() {
    Running running = Child.in(folder).start(Endless.class).awaits("ready");
    List<String> command = eddyline("attach", running.pid());
    command.addAll(1, List.of("--limit-modules", "java.base,java.logging,java.sql"));
    Result result = Child.in(folder).run(command);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("has no module jdk.attach").contains("JAVA_HOME");
    assertThat(running.finish().code()).isEqualTo(EXIT_CODE);
  }
}
