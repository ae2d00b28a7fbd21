package dev.eddyline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportOutputsTest {
  private static final String BLOCK = Cli.SAMPLES + "wait-or-block-block-sim-rank0.eddy";
  private static final String SOURCES = "../../samples/src/main/java";
  @TempDir Path folder;

  @Test
  void several_reports_come_from_one_run() throws IOException {
    Path sarif = folder.resolve("a.sarif");
    Path junit = folder.resolve("b=c.xml");
    Cli run = Cli.run("analyze", BLOCK, "--report", "sarif=" + sarif, "--report", "junit=" + junit);

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("2 findings");
    assertThat(Files.readString(sarif)).contains("\"version\" : \"2.1.0\"");
    assertThat(Files.readString(junit)).startsWith("<?xml").contains("<failure type=\"sync-on-");
  }

  @Test
  void lines_lead_to_the_sources_where_they_are_at_hand() {
    assertThat(Cli.run("analyze", BLOCK, "--format", "github").out())
        .startsWith("::warning file=WaitOrBlock.java,line=61,title=eddyline sync-on-collective::");
    assertThat(Cli.run("analyze", BLOCK, "--format", "github", "--sources", SOURCES).out())
        .startsWith(
            "::warning file=../../samples/src/main/java/dev/eddyline/samples/WaitOrBlock.java,"
                + "line=61,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--format xml | --format cannot be 'xml'; There are: text, json, markdown, sarif, junit,"
            + " github",
        "--format sarf | --format cannot be 'sarf', did you mean sarif? There are: text, json,"
            + " markdown, sarif, junit, github",
        "--report sarif | --report cannot be 'sarif': it is FORMAT=OUT, as in sarif=out.sarif",
        "--report junt=a.xml | --report cannot be 'junt', did you mean junit? There are: text,"
            + " json, markdown, sarif, junit, github",
        "--report junit=pom.xml | pom.xml is there already; --force replaces it",
        "--report junit=a --report sarif=a | two reports cannot go to one file, a",
        "--sources absent | --sources absent: there is no such folder"
      })
  void wrong_outputs_are_told_before_the_trace_is_read(String options, String message) {
    Cli run = Cli.run(("analyze no-such-trace " + options).split(" "));

    assertThat(run.err()).isEqualTo("eddyline: " + message + "\n");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
  }
}
