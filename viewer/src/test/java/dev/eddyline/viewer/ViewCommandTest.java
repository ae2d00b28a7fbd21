package dev.eddyline.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.ExitCode;
import dev.eddyline.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewCommandTest {
  private static final String TRACE = Samples.FOLDER + Samples.BEFORE;
  @TempDir Path folder;

  private record Run(int code, String err) {}

  private static Run run(List<String> words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(words.toArray(String[]::new), new Console(out, err, false));
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    return new Run(code, err.toString(StandardCharsets.UTF_8));
  }

  private Run export(String file, String... options) {
    List<String> words =
        new ArrayList<>(List.of("view", TRACE, "--export", folder.resolve(file).toString()));
    words.addAll(List.of(options));
    return run(words);
  }

  @Test
  void writes_a_png_without_a_window() throws IOException {
    Run run =
        export(
            "view.png",
            "--at",
            "12.3ms",
            "--range",
            "4ms",
            "--select",
            "finding:1",
            "--size",
            "640x300",
            "--scale",
            "2");

    assertThat(run).isEqualTo(new Run(ExitCode.OK, ""));
    var image = ImageIO.read(folder.resolve("view.png").toFile());
    assertThat(image.getWidth()).isEqualTo(1280);
    assertThat(image.getHeight()).isEqualTo(600);
    assertThat(System.getProperty("java.awt.headless")).isEqualTo("true");
  }

  @Test
  void writes_an_svg_with_the_words_of_the_view() throws IOException {
    Run run = export("view.svg", "--light", "--select", "call:330");

    assertThat(run).isEqualTo(new Run(ExitCode.OK, ""));
    assertThat(Files.readString(folder.resolve("view.svg")))
        .startsWith("<svg ")
        .contains("cudaStreamSynchronize  held the host  1.035 ms")
        .contains("device busy: stream 7");
  }

  @Test
  void does_not_replace_a_file_by_itself() {
    assertThat(export("twice.svg").code()).isEqualTo(ExitCode.OK);
    assertThat(export("twice.svg").code()).isEqualTo(ExitCode.USAGE);
    assertThat(export("twice.svg", "--force").code()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.jpg | --light | must end in .png or .svg",
        "a.png | --size 5x5 | --size cannot be '5x5'",
        "a.png | --scale 9 | a scale of 0.5 to 8",
        "a.png | --at noon | --at cannot be 'noon'",
        "a.png | --range 3ns | too short",
        "a.png | --select finding:7 | there is no finding 7",
        "a.png | --select sync | finding:N"
      })
  void says_what_is_wrong(String file, String options, String message) {
    Run run = export(file, options.split(" "));

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(folder.resolve(file)).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "12.3ms,12300000",
    "400us,400000",
    "7,7000000",
    "-1.5ms,-1500000",
    "20ns,20",
    "1s,1000000000"
  })
  void times_have_units(String text, long ns) {
    assertThat(ViewCommand.time("--at", text)).isEqualTo(ns);
  }

  @Test
  void a_file_that_is_no_trace_is_an_input_error() throws IOException {
    Path file = Files.writeString(folder.resolve("notes.txt"), "hello");
    Run run = run(List.of("view", file.toString(), "--export", folder.resolve("x.png").toString()));

    assertThat(run.code()).isEqualTo(ExitCode.INPUT);
    assertThat(run.err()).contains("not a trace");
  }
}
