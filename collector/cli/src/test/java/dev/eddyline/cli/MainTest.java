package dev.eddyline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MainTest {
  private static final String TRACE = Cli.SAMPLES + "diloco_before_rank0.json.gz";
  @TempDir Path folder;

  static Stream<Arguments> wrongWords() {
    return Stream.of(
        Arguments.of(
            "analyse x",
            "unknown command 'analyse', did you mean analyze? 'eddyline help' lists what there is"),
        Arguments.of(
            "frobnicate", "unknown command 'frobnicate'; 'eddyline help' lists what there is"),
        Arguments.of(
            "analyze",
            "missing required parameter: 'FILE'; 'eddyline help analyze' lists what there is"),
        Arguments.of(
            "analyze --fromat json x",
            "unknown option '--fromat', did you mean --format?"
                + " 'eddyline help analyze' lists what there is"),
        Arguments.of(
            "analyze --format jsn x",
            "--format cannot be 'jsn', did you mean json? There are: text, json, markdown, sarif,"
                + " junit, github"),
        Arguments.of("analyze --top 0 x", "--top cannot be 0: it counts findings, from 1"),
        Arguments.of(
            "analyze --top many x",
            "invalid value for option '--top': 'many' is not an int;"
                + " 'eddyline help analyze' lists what there is"),
        Arguments.of(
            "analyze --min-ms -1 x", "--min-ms cannot be -1.0: it is a time in milliseconds"),
        Arguments.of(
            "analyze --name 25 x",
            "--name cannot be '25': it is ID=NAME or rankN:ID=NAME, as in 25=fragment-1"),
        Arguments.of(
            "analyze --name 99=x " + TRACE,
            "--name 99=x: no such stream in this trace; streams here: 7, 17, 25"),
        Arguments.of(
            "help analize",
            "COMMAND cannot be 'analize', did you mean analyze?"
                + " There are: analyze, deps, info, export, help, generate-completion"),
        Arguments.of(
            "deps", "missing required parameter: 'A'; 'eddyline help deps' lists what there is"),
        Arguments.of(
            "deps --format dog x",
            "--format cannot be 'dog', did you mean dot? There are: text, json, dot, markdown"),
        Arguments.of(
            "deps --words --format dot x",
            "--words is text: it cannot be combined with --format dot"),
        Arguments.of(
            "deps --name 25 x",
            "--name cannot be '25': it is ID=NAME or rankN:ID=NAME, as in 25=fragment-1"),
        Arguments.of(
            "deps --name 99=x " + TRACE + " " + TRACE,
            "--name 99=x: no such stream in this trace; streams here: 7, 17, 25"),
        Arguments.of(
            "export x -o y",
            "missing required option: '--to=FORMAT'; 'eddyline help export' lists what there is"),
        Arguments.of(
            "export x --to edge -o y",
            "--to cannot be 'edge', did you mean edges? There are: chrome, edges, csv, eddy"),
        Arguments.of(
            "export x --to csv --table op -o y",
            "--table cannot be 'op', did you mean ops? There are: ops, calls, waits, records,"
                + " syncs, collectives, ranges, findings"),
        Arguments.of(
            "export x --to csv --scrub -o y",
            "--scrub goes with --to eddy only: other formats keep all names"),
        Arguments.of(
            "export " + TRACE + " --to csv -o pom.xml",
            "pom.xml is there already; --force replaces it"),
        Arguments.of("export x --to csv -o src", "-o src is a folder; name a file in it"));
  }

  @ParameterizedTest
  @MethodSource("wrongWords")
  void wrong_words_are_one_line_and_exit_3(String line, String message) {
    Cli run = Cli.run(line.split(" "));

    assertThat(run.err()).isEqualTo("eddyline: " + message + "\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
  }

  static Stream<Arguments> badInputs() {
    return Stream.of(
        Arguments.of("absent.json", "", "absent.json: no such file or folder"),
        Arguments.of(
            "empty.json",
            "",
            "empty.json: the file is empty; was its program stopped before it wrote the trace?"),
        Arguments.of(
            "words.json",
            "no trace at all",
            "words.json: not a trace that can be read here; the formats are Eddyline, Kineto"),
        Arguments.of("cut.json", "{\"traceEvents\": [{\"ph\": \"X\", ", "cut.json:1:"));
  }

  @ParameterizedTest
  @MethodSource("badInputs")
  void bad_inputs_are_one_line_and_exit_4(String name, String content, String message)
      throws IOException {
    Path file = folder.resolve(name);
    if (!name.startsWith("absent")) {
      Files.writeString(file, content);
    }
    for (String command : new String[] {"analyze", "info"}) {
      Cli run = Cli.run(command, file.toString());

      assertThat(run.err()).startsWith("eddyline: " + folder + "/" + message).hasLineCount(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.code()).isEqualTo(ExitCode.INPUT);
    }
  }

  @Test
  void a_folder_without_traces_is_bad_input() {
    Cli run = Cli.run("analyze", folder.toString());

    assertThat(run.err())
        .isEqualTo(
            "eddyline: "
                + folder
                + ": no trace in this folder or the folders in it; name the trace files\n");
    assertThat(run.code()).isEqualTo(ExitCode.INPUT);
  }

  @Test
  void a_malformed_file_is_told_with_its_place() {
    Cli run = Cli.run("analyze", Cli.PUBLIC + "puzzlers_same_priority_MALFORMED.json.gz");

    assertThat(run.err())
        .isEqualTo(
            "eddyline: "
                + Cli.PUBLIC
                + "puzzlers_same_priority_MALFORMED.json.gz:2:5: expected a field name in"
                + " quotes; with --recover reading goes on behind it\n");
    assertThat(run.code()).isEqualTo(ExitCode.INPUT);
  }

  @Test
  void version_and_help_go_to_standard_output() {
    assertThat(Cli.run("--version").out()).startsWith("eddyline ");
    assertThat(Cli.run().out()).startsWith("Usage: eddyline").isEqualTo(Cli.run("help").out());
    assertThat(Cli.run("help", "analyze").out())
        .startsWith("Usage: eddyline analyze")
        .isEqualTo(Cli.run("analyze", "--help").out());
  }

  @Test
  void completion_knows_the_commands() {
    assertThat(Cli.run("generate-completion").out()).contains("analyze", "--min-ms", "export");
  }

  @Test
  void output_is_written_as_a_whole_or_not_at_all() throws IOException {
    Path target = folder.resolve("report.json");
    Cli first = Cli.run("analyze", TRACE, "--format", "json", "-o", target.toString());
    Cli second = Cli.run("analyze", TRACE, "--format", "json", "-o", target.toString());
    Cli third = Cli.run("analyze", TRACE, "-o", target.toString(), "--force");

    assertThat(first.code()).isZero();
    assertThat(first.out()).isEmpty();
    assertThat(second.code()).isEqualTo(ExitCode.USAGE);
    assertThat(third.code()).isZero();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(target);
    }
    assertThat(target).content().startsWith(TRACE);
  }

  @Test
  void an_export_does_not_overwrite_its_own_trace() throws IOException {
    Path copy = folder.resolve("trace.json.gz");
    Files.copy(Path.of(TRACE), copy);

    Cli run =
        Cli.run("export", copy.toString(), "--to", "chrome", "-o", copy.toString(), "--force");

    assertThat(run.err())
        .isEqualTo("eddyline: -o " + copy + " is the trace itself; name another file\n");
    assertThat(Files.mismatch(copy, Path.of(TRACE))).isEqualTo(-1);
  }

  @Test
  void a_reader_that_has_seen_enough_is_no_fault() {
    assertThat(failing("Broken pipe")).isEqualTo(new Cli(ExitCode.OK, "", ""));
  }

  @Test
  void a_full_disk_is_one_line() {
    assertThat(failing("No space left on device"))
        .isEqualTo(
            new Cli(
                ExitCode.FAULT,
                "",
                "eddyline: cannot write to standard output: No space left on device\n"));
  }

  private static Cli failing(String reason) {
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(reason);
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(new String[] {"analyze", TRACE}, new Console(out, err, false));
    return new Cli(code, "", err.toString());
  }

  @Test
  void min_ms_leaves_small_findings_out() {
    assertThat(Cli.run("analyze", TRACE, "--min-ms", "4.5").out()).contains("blocked 4.573 ms");
    assertThat(Cli.run("analyze", TRACE, "--min-ms", "5").out()).doesNotContain("blocked 4.573 ms");
  }
}
