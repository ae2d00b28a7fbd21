package dev.eddyline.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.cli.UsageException;
import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordTest {
  private static final Path JAR = Path.of("/opt/eddyline/agent.jar");
  @TempDir Path folder;

  @Test
  void a_java_gets_the_agent_in_its_command_line() throws Exception {
    AgentOptions options = AgentOptions.parse("out=a\\,b.eddy,deep");

    assertThat(RecordCommand.builder(List.of("/opt/jdk/bin/java", "-jar", "x.jar"), options, JAR))
        .satisfies(
            builder ->
                assertThat(builder.command())
                    .containsExactly(
                        "/opt/jdk/bin/java",
                        "-javaagent:/opt/eddyline/agent.jar=out=a\\,b.eddy,deep",
                        "-jar",
                        "x.jar"));
  }

  @Test
  void another_program_gets_it_in_its_environment() throws Exception {
    AgentOptions options = AgentOptions.parse("out=my run.eddy");
    ProcessBuilder builder =
        RecordCommand.builder(List.of("mpirun", "-n", "2", "java"), options, JAR);

    assertThat(builder.command()).containsExactly("mpirun", "-n", "2", "java");
    assertThat(builder.environment().get("JAVA_TOOL_OPTIONS"))
        .endsWith("\"-javaagent:/opt/eddyline/agent.jar=out=my run.eddy\"");
  }

  @Test
  void a_wrong_option_is_told_before_anything_starts() {
    Cli wrong = Cli.run("record", "--depp", "--", "no-such-program");
    Cli value = Cli.run("record", "--ring", "3", "--", "no-such-program");
    Cli word = Cli.run("attach", "--stacks", "sync,wiat", "1");

    assertThat(wrong.code()).isEqualTo(3);
    assertThat(wrong.err()).contains("unknown option '--depp', did you mean --deep?");
    assertThat(value.code()).isEqualTo(3);
    assertThat(value.err()).contains("--ring cannot be '3': it is a time with its unit");
    assertThat(word.code()).isEqualTo(3);
    assertThat(word.err()).contains("--stacks cannot be 'wiat', did you mean wait?");
    assertThat(Cli.run("record").code()).isEqualTo(3);
  }

  @Test
  void a_file_that_is_there_and_a_folder_that_is_not_are_refused() throws Exception {
    Path there = Files.createFile(folder.resolve("there.eddy"));

    assertThat(Cli.run("record", "-o", there.toString(), "--", "java").code()).isEqualTo(3);
    assertThatThrownBy(() -> OutputPlace.absolute(AgentOptions.parse("out=" + there)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("never overwritten");
    assertThatThrownBy(() -> OutputPlace.absolute(AgentOptions.parse("out=" + folder)))
        .hasMessageContaining("is a folder");
    assertThatThrownBy(
            () -> OutputPlace.absolute(AgentOptions.parse("out=" + folder + "/no/x.eddy")))
        .hasMessageContaining("there is no folder");
    assertThat(OutputPlace.absolute(AgentOptions.parse("out=x.eddy")).text(AgentOption.OUT))
        .isEqualTo(Path.of("x.eddy").toAbsolutePath().toString());
  }

  @Test
  void a_written_file_is_found_by_its_pattern() throws Exception {
    AgentOptions options = AgentOptions.parse("out=" + folder + "/run-%h-%p.eddy");
    FileTime before = FileTime.fromMillis(1);
    assertThat(OutputPlace.writtenSince(options, before)).isFalse();

    Files.createFile(folder.resolve("other.eddy"));
    assertThat(OutputPlace.writtenSince(options, before)).isFalse();

    Path run = Files.createFile(folder.resolve("run-host-42-2.eddy"));
    assertThat(OutputPlace.writtenSince(options, before)).isTrue();

    Files.setLastModifiedTime(run, FileTime.fromMillis(0));
    assertThat(OutputPlace.writtenSince(options, before)).isFalse();
  }
}
