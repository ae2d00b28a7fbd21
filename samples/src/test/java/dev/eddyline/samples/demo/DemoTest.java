package dev.eddyline.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.cli.Console;
import dev.eddyline.cli.ExitCode;
import dev.eddyline.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {
  private static final Path DOCS = Path.of("../docs/cli.md");

  @TempDir Path folder;

  private record Ran(int code, String out, String err) {}

  private static Ran run(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(words, new Console(out, err, false));
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private Ran demo(String options) {
    String line = "demo -o " + folder + (options.isEmpty() ? "" : " " + options);
    return run(line.split(" "));
  }

  @Test
  void the_mistake_holds_the_host_in_2_of_64_steps_and_its_mending_never() throws IOException {
    DemoRun mistake = DemoRun.make(true, 4, 64, folder, "mistake", step -> {});
    DemoRun mended = DemoRun.make(false, 4, 64, folder, "mended", step -> {});

    for (int rank = 0; rank < 4; rank++) {
      assertThat(mended.findings(rank)).as("rank %d", rank).isEmpty();
      assertThat(mistake.findings(rank))
          .extracting(Finding::rule)
          .containsExactly("sync-on-collective");
      Finding finding = mistake.findings(rank).get(0);
      assertThat(finding.steps()).isEqualTo(2);
      assertThat(finding.confidence()).isEqualTo(Confidence.CERTAIN);
    }
    assertThat(mistake.mostHeldRank()).isNotEqualTo(3);
    assertThat(mistake.blockedNs(0)).isBetween(1_900_000L, 2_000_000L);
    assertThat(mistake.trainingNs(0) - mended.trainingNs(0))
        .isBetween(mistake.blockedNs(0) - 20_000, mistake.blockedNs(0) + 20_000);
  }

  @ParameterizedTest
  @CsvSource({"2, 40", "3, 33", "5, 12"})
  void both_runs_compute_what_plain_arithmetic_does(int ranks, int steps) throws IOException {
    List<Outcome> plain = Recipe.compute(ranks, steps);
    for (boolean form : new boolean[] {true, false}) {
      DemoRun run = DemoRun.make(form, ranks, steps, folder, "run", step -> {});
      for (int rank = 0; rank < ranks; rank++) {
        assertThat(run.outcomes().get(rank).differenceFrom(plain.get(rank))).isZero();
      }
    }
  }

  @Test
  void the_model_learns_and_averaging_matters() {
    double untrained = TinyModel.loss(TinyModel.initial());
    List<Outcome> four = Recipe.compute(4, 64);
    List<Outcome> alone = Recipe.compute(1, 64);

    assertThat(TinyModel.loss(four.get(0).parameters())).isLessThan(untrained / 4);
    assertThat(four.get(0).differenceFrom(alone.get(0))).isPositive();
  }

  @Test
  void gradients_are_those_of_the_loss() {
    float[][] parameters = TinyModel.initial();
    float[][] gradients = TinyModel.initial();
    float[] batch = TinyModel.batch(1, 1);
    float[][] unused = TinyModel.initial();
    TinyModel.gradients(batch, parameters, gradients);
    for (int layer = 0; layer < TinyModel.LAYERS; layer++) {
      for (int i = 0; i < parameters[layer].length; i += 7) {
        float kept = parameters[layer][i];
        parameters[layer][i] = kept + 1e-2f;
        float above = TinyModel.gradients(batch, parameters, unused);
        parameters[layer][i] = kept - 1e-2f;
        float below = TinyModel.gradients(batch, parameters, unused);
        parameters[layer][i] = kept;
        assertThat((above - below) / 2e-2)
            .as("layer %d, parameter %d", layer, i)
            .isCloseTo(gradients[layer][i], org.assertj.core.data.Offset.offset(2e-3));
      }
    }
  }

  @Test
  void it_tells_what_analyze_finds_and_leaves_traces_that_its_last_lines_work_on()
      throws IOException {
    Ran demo = demo("");
    assertThat(demo.err()).isEmpty();
    assertThat(demo.code()).isZero();
    assertThat(demo.out())
        .contains("in 2 of 64 steps")
        .contains("mistake: warning sync-on-collective (certain)")
        .contains("mended: no findings about the host in what the trace can answer")
        .contains("No number of the model tells: the two runs learned the same.");
    Matcher held = Pattern.compile("host of rank (\\d) stood still +(\\S+) ms").matcher(demo.out());
    int rows = 0;
    while (held.find()) {
      String json =
          run("analyze", "--format", "json", folder + "/mistake-rank" + held.group(1) + ".eddy")
              .out();
      Matcher blocked = Pattern.compile("\"blocked_ns\": ?(\\d+)").matcher(json);
      assertThat(blocked.find()).isTrue();
      assertThat(Millis.of(Long.parseLong(blocked.group(1)))).isEqualTo(held.group(2));
      rows++;
    }
    assertThat(rows).isEqualTo(4);

    List<String> tries =
        demo.out().lines().map(String::strip).filter(l -> l.startsWith("eddyline ")).toList();
    assertThat(tries).hasSize(3);
    for (String line : tries) {
      String[] words = line.split(" ");
      assertThat(run(Arrays.copyOfRange(words, 1, words.length)).code()).as(line).isZero();
    }
    for (String name : List.of("mistake", "mended")) {
      try (GZIPInputStream chrome =
          new GZIPInputStream(Files.newInputStream(folder.resolve(name + ".chrome.json.gz")))) {
        assertThat(new String(chrome.readAllBytes(), StandardCharsets.UTF_8))
            .contains("outer_step")
            .contains("fragment-3");
      }
    }
  }

  @Test
  void it_says_when_the_mistake_did_not_show() {
    assertThat(demo("--ranks 2 --steps 8").out())
        .contains("The mistake did not show in these 8 steps")
        .contains("mistake: no findings");
  }

  @Test
  void with_many_ranks_it_shows_one_and_their_sum() {
    String out = demo("--ranks 9 --steps 33").out();
    assertThat(out).contains("hosts of all ranks together");
    assertThat(Pattern.compile("host of rank \\d stood still").matcher(out).results()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--ranks 1 | --ranks cannot be 1: it is a number from 2 to 64",
        "--steps 0 | --steps cannot be 0: it is a number from 1 to 10000",
      })
  void wrong_options_are_one_line_and_exit_3(String options, String message) {
    Ran ran = demo(options);
    assertThat(ran.err()).isEqualTo("eddyline: " + message + "\n");
    assertThat(ran.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_file_is_no_folder() {
    assertThat(run("demo", "-o", "pom.xml").err())
        .isEqualTo("eddyline: -o pom.xml is a file; name a folder\n");
  }

  @Test
  void progress_is_shown_on_a_terminal_and_wiped_out() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console = new Console(new ByteArrayOutputStream(), err, true);
    try (TrainingProgress progress = new TrainingProgress(console, 20, 0)) {
      progress.startAt(10);
      progress.accept(3);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("\rtraining  step 13 of 20")
        .endsWith(" \r");
  }

  @Test
  void the_reference_shows_its_help() throws IOException {
    String page = Files.readString(DOCS);
    assertThat(page)
        .contains("$ ./eddyline help demo\n```\n```text\n" + run("help", "demo").out() + "```\n")
        .contains(run("help").out().lines().toList());
  }
}
