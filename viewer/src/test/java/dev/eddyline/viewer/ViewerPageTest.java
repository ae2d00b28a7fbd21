package dev.eddyline.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.Main;
import dev.eddyline.viewer.view.Action;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewerPageTest {
  private static final Path PAGE = Path.of("../docs/viewer.md");
  private static final String BEGIN = "<!-- keys: made from Action -->\n";
  private static final String END = "<!-- end of keys -->\n";
  @TempDir Path folder;

  private static String keys() {
    StringBuilder table = new StringBuilder("| | keys | what it does |\n|---|---|---|\n");
    Action.Group group = null;
    for (Action action : Action.values()) {
      String first = action.group() == group ? "" : action.group().title();
      group = action.group();
      List<String> keys = action.keys().stream().map(key -> "`" + key + "`").toList();
      table
          .append("| ")
          .append(first)
          .append(" | ")
          .append(keys.isEmpty() ? "menu" : String.join(" ", keys))
          .append(" | ")
          .append(action.title())
          .append(" |\n");
    }
    return table.toString();
  }

  @Test
  void the_page_has_the_keys_of_the_actions() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    int to = page.indexOf(END);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(PAGE, page.substring(0, from) + keys() + page.substring(to));
      page = Files.readString(PAGE);
      to = page.indexOf(END);
    }
    assertThat(page.substring(from, to)).isEqualTo(keys());
  }

  @Test
  void pictures_that_the_page_tells_to_draw_are_drawn() throws IOException {
    int drawn = 0;
    for (Path page : List.of(PAGE, Path.of("../README.md"))) {
      for (String line : Files.readAllLines(page)) {
        if (line.startsWith("    ./eddyline view ") && line.contains("--export")) {
          assertThat(run(line.strip())).as(line).isEmpty();
          drawn++;
        }
      }
    }
    assertThat(drawn).isGreaterThanOrEqualTo(3);
  }

  @Test
  void the_reference_shows_the_help_of_the_command() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(new String[] {"help", "view"}, new Console(out, new ByteArrayOutputStream(), false));

    assertThat(Files.readString(Path.of("../docs/cli.md")))
        .contains("```text\n" + out.toString(StandardCharsets.UTF_8) + "```");
  }

  private String run(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.remove(0);
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith("samples/")) {
        words.set(i, "../" + word);
      } else if (words.get(Math.max(0, i - 1)).equals("--export")) {
        words.set(i, folder.resolve(System.nanoTime() + word).toString());
      }
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Main.run(words.toArray(String[]::new), new Console(new ByteArrayOutputStream(), err, false));
    return err.toString(StandardCharsets.UTF_8);
  }
}
