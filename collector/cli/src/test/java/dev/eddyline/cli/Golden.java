package dev.eddyline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares text with a file. Where they differ a Generated_ file lies beside it; -Dgolden.update
 * writes the file itself.
 */
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private Golden() {}

  static void compare(String name, String actual) throws IOException {
    Path expected = FOLDER.resolve(name);
    Path generated = FOLDER.resolve("Generated_" + name);
    Files.deleteIfExists(generated);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(FOLDER);
      Files.writeString(expected, actual);
      return;
    }
    String text = Files.exists(expected) ? Files.readString(expected) : "";
    if (!text.equals(actual)) {
      Files.writeString(generated, actual);
    }
    assertThat(actual).as("%s; what came out: %s", expected, generated).isEqualTo(text);
  }
}
