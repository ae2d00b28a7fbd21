package dev.eddyline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocsTest {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  /** Commands that other modules bring; their tests run what is shown of them. */
  private static final List<String> ELSEWHERE =
      List.of("demo", "view", "record", "attach", "detach", "snapshot", "doctor");

  @TempDir Path folder;

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("samples/traces/README.md"));
    return pages;
  }

  private record Shown(String command, List<String> output) {}

  private static List<Shown> commands(Path page) throws IOException {
    List<Shown> all = new ArrayList<>();
    boolean inBlock = false;
    boolean isOutput = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        inBlock = !inBlock;
        isOutput = inBlock && line.equals("```text") && !all.isEmpty();
      } else if (inBlock && line.startsWith("$ ")) {
        all.add(new Shown(line.substring(2).replaceFirst("^\\./", ""), new ArrayList<>()));
      } else if (isOutput) {
        all.get(all.size() - 1).output().add(line);
      }
    }
    return all;
  }

  private Cli run(String command) {
    List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
    assertThat(words.remove(0)).isEqualTo("eddyline");
    for (int i = 0; i < words.size(); i++) {
      boolean output = i > 0 && words.get(i - 1).equals("-o");
      words.set(i, output ? folder.resolve(words.get(i)).toString() : inTree(words.get(i)));
    }
    return Cli.run(words.toArray(new String[0]));
  }

  private static String inTree(String word) {
    return word.startsWith("samples/") ? ROOT + "/" + word : word;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void commands_work_and_give_what_is_shown(Path page) throws IOException {
    for (Shown shown : commands(page)) {
      if (ELSEWHERE.stream().anyMatch(name -> shown.command().matches(".*\\b" + name + "\\b.*"))) {
        continue;
      }
      shown.output().removeIf(line -> ELSEWHERE.contains(line.strip().split(" ")[0]));
      Cli run = run(shown.command());

      assertThat(run.err()).as(shown.command()).isEmpty();
      assertThat(run.code()).as(shown.command()).isZero();
      compare(shown, run.out().replace(ROOT + "/", "").lines().toList());
    }
  }

  private static void compare(Shown shown, List<String> actual) {
    int at = 0;
    for (String line : shown.output()) {
      if (line.equals("...")) {
        return;
      }
      assertThat(at).as(shown.command()).isLessThan(actual.size());
      assertThat(actual.get(at++)).as(shown.command()).isEqualTo(line);
    }
    if (!shown.output().isEmpty()) {
      assertThat(actual).as(shown.command()).hasSize(shown.output().size());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void links_lead_somewhere(Path page) throws IOException {
    Matcher link = LINK.matcher(Files.readString(page));
    while (link.find()) {
      assertThat(page.resolveSibling(link.group(1))).as("%s in %s", link.group(), page).exists();
    }
  }

  @Test
  void every_rule_has_a_page_and_every_page_a_rule() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/findings.md"));
    List<String> rules = Analyzer.rules().stream().map(Rule::id).sorted().toList();
    List<String> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/findings"))) {
      files.map(file -> file.getFileName().toString().replace(".md", "")).forEach(pages::add);
    }

    assertThat(pages).containsExactlyInAnyOrderElementsOf(rules);
    for (String rule : rules) {
      assertThat(index).contains("(findings/" + rule + ".md)");
      assertThat(Files.readString(ROOT.resolve("docs/findings/" + rule + ".md")))
          .as(rule)
          .startsWith("# " + rule + "\n")
          .contains("```text\n", "## Example", "## How to fix it", "## How to silence it");
    }
  }

  @Test
  void every_rule_of_later_versions_is_named() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/findings.md"));
    Path trace = Path.of(Cli.SAMPLES, "diloco_before_rank0.json.gz");

    Analyzer.analyze(
            Traces.open(List.of(trace), ReadOptions.defaults()), AnalysisOptions.defaults())
        .report()
        .notEvaluated()
        .stream()
        .map(NotEvaluated::rule)
        .forEach(rule -> assertThat(page).containsPattern("/" + rule + "\\.md|`" + rule + "`"));
  }

  @Test
  void the_reference_shows_the_help_of_every_command() throws IOException {
    List<String> shown =
        commands(ROOT.resolve("docs/cli.md")).stream().map(Shown::command).toList();
    Matcher command = Pattern.compile("(?m)^  ([a-z-]+)  ").matcher(Cli.run("help").out());
    while (command.find()) {
      if (!command.group(1).equals("help")) {
        assertThat(shown).contains("eddyline help " + command.group(1));
      }
    }
  }
}
