package dev.eddyline.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.options.AgentOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages say what the commands say; -Dgolden.update=true writes it there. */
class DocsTest {
  private static final Path CLI = Path.of("../../docs/cli.md");
  private static final Path RECORD = Path.of("../../docs/record.md");

  private static void holds(Path page, Pattern place, String text) throws IOException {
    String content = Files.readString(page);
    Matcher found = place.matcher(content);
    assertThat(found.find()).as("%s in %s", place, page).isTrue();
    if (Boolean.getBoolean("golden.update")) {
      String updated =
          content.substring(0, found.start(1)) + text + content.substring(found.end(1));
      Files.writeString(page, updated);
      return;
    }
    assertThat(found.group(1)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"record", "attach", "detach", "snapshot", "doctor"})
  void the_reference_shows_the_help_of_a_command(String command) throws IOException {
    Pattern place =
        Pattern.compile(
            "\\$ \\./eddyline help " + command + "\n```\n```text\n(.*?)```", Pattern.DOTALL);

    holds(CLI, place, Cli.run("help", command).out());
  }

  @Test
  void the_reference_lists_the_commands() throws IOException {
    List<String> lines =
        Cli.run("help")
            .out()
            .lines()
            .filter(line -> line.matches("  (record|attach|detach|snapshot|doctor) .*"))
            .toList();

    assertThat(lines).hasSize(5);
    assertThat(Files.readString(CLI)).contains(String.join("\n", lines));
  }

  @Test
  void every_option_is_explained() throws IOException {
    Pattern place = Pattern.compile("(\\| option \\| default .*?\n)\n", Pattern.DOTALL);

    holds(RECORD, place, AgentOption.markdown());
  }
}
