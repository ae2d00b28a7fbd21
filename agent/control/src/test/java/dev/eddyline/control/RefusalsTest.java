package dev.eddyline.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.options.AgentSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class RefusalsTest {
  @TempDir Path proc;
  private int user;

  @BeforeEach
  void make_a_process() throws IOException {
    Path process = Files.createDirectories(proc.resolve("42/ns"));
    Files.createSymbolicLink(
        process.resolve("mnt"), Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
    write("comm", "java\n");
    write("status", "Name:\tjava\nNSpid:\t42\n");
    write("maps", "7f00-7f01 r-xp 00000000 08:01 1 /opt/jdk/lib/server/libjvm.so\n");
    write("cmdline", "java\0-jar\0train.jar\0");
    write("environ", "PATH=/bin\0");
    user = AgentSocket.user(proc.resolve("42"));
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(proc.resolve("42").resolve(file), text);
  }

  private String refusal(int own) throws Refusal {
    Optional<Refusal> refusal = Refusals.of(TargetProcess.of("42", proc), own);
    return refusal.map(Refusal::getMessage).orElse("");
  }

  private String refusal() throws Refusal {
    return refusal(user);
  }

  @Test
  void there_is_none() throws Refusal {
    assertThat(refusal()).isEmpty();
    assertThat(refusal(0)).isEmpty();
  }

  @Test
  void another_user() throws Refusal, IOException {
    assertThat(refusal(user + 1))
        .startsWith("cannot attach to process 42: it belongs to user ")
        .contains("run this command as " + Files.getOwner(proc.resolve("42")).getName());
  }

  @Test
  void another_mount_namespace() throws Refusal, IOException {
    Files.delete(proc.resolve("42/ns/mnt"));
    Files.createSymbolicLink(proc.resolve("42/ns/mnt"), Path.of("mnt:[1]"));
    write("status", "Name:\tjava\nNSpid:\t42\t7\n");

    assertThat(refusal()).contains("another mount namespace").contains("eddyline attach 7");
  }

  @Test
  void no_jvm() throws Refusal, IOException {
    write("maps", "7f00-7f01 r-xp 00000000 08:01 1 /usr/bin/bash\n");

    assertThat(refusal()).isEqualTo("process 42 (java) is no Java program");
  }

  @Test
  void attach_is_off() throws Refusal, IOException {
    write("cmdline", "java\0-XX:+DisableAttachMechanism\0-jar\0train.jar\0");

    assertThat(refusal()).contains("-XX:+DisableAttachMechanism").contains("eddyline record");
  }

  @Test
  void loading_is_off_by_the_environment() throws Refusal, IOException {
    write("environ", "JAVA_TOOL_OPTIONS=-Xmx1g -XX:-EnableDynamicAgentLoading\0");
    assertThat(refusal()).contains("-XX:-EnableDynamicAgentLoading");

    write("cmdline", "java\0-XX:+EnableDynamicAgentLoading\0-jar\0train.jar\0");
    assertThat(refusal()).isEmpty();
  }

  @Test
  void no_process_and_no_number() {
    assertThat(Cli.run("attach", "999999999").code()).isEqualTo(4);
    assertThat(Cli.run("attach", "999999999").err()).contains("there is no process 999999999");
    assertThat(Cli.run("attach", "train.jar").code()).isEqualTo(3);
    assertThat(Cli.run("attach", "train.jar").err()).contains("PID cannot be 'train.jar'");
    assertThat(Cli.run("info", "999999999").code()).isEqualTo(4);
  }

  @Test
  void what_the_jvm_says() throws Refusal {
    TargetProcess process = TargetProcess.of("42", proc);

    assertThat(Refusals.loading(process, "Dynamic agent loading is not enabled"))
        .hasMessageContaining("-XX:-EnableDynamicAgentLoading");
    assertThat(Refusals.loading(process, "something else")).hasMessageEndingWith("something else");
    assertThat(Refusals.oldJava(process, "11")).hasMessageContaining("Java 11");
  }
}
