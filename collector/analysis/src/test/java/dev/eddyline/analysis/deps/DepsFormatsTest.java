package dev.eddyline.analysis.deps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.report.Schema;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DepsFormatsTest {
  private static final Path SCHEMA = Path.of("../../docs/deps.schema.json");

  private static StreamDependencies deps(Timeline timeline) {
    return DependencyFinder.find(Analyzer.analyze(timeline, AnalysisOptions.defaults()));
  }

  private static StreamDependencies real(String name) {
    return deps(RealTraces.open("h200_pytorch/" + name + ".json.gz"));
  }

  private static JsonNode json(StreamDependencies... traces) throws IOException {
    StringWriter target = new StringWriter();
    DepsJson.write(List.of(traces), target);
    return new ObjectMapper().readTree(target.toString());
  }

  private static StreamDependencies hostile() {
    Scenario scenario = new Scenario();
    String name = "a\"b|<c>\u001b[31m";
    scenario.kernel("A", name, 0, 5, 10);
    scenario.record("e", name, 11);
    scenario.await("s", "e", 12);
    scenario.kernel("B", "s", 13, 20, 25);
    return deps(scenario.timeline());
  }

  @Test
  void json_follows_its_schema_and_adds_up() throws IOException {
    JsonNode one = json(real("diloco_before_rank0"));
    JsonNode two = json(real("diloco_before_rank0"), real("diloco_after_rank0"));
    JsonNode odd = json(hostile(), deps(new Scenario().timeline()));

    for (JsonNode document : List.of(one, two, odd)) {
      assertThat(Schema.faults(SCHEMA, document)).isEmpty();
    }
    int sum = 0;
    for (JsonNode row : one.at("/traces/0/dependencies")) {
      assertThat(row.get("waits")).hasSize(row.get("count").asInt());
      sum += row.get("count").asInt();
    }
    assertThat(sum).isEqualTo(21).isEqualTo(one.at("/traces/0/waits").asInt());
    assertThat(one.get("changes")).isEmpty();
    assertThat(two.get("changes")).isNotEmpty();
  }

  @Test
  void a_schema_fault_is_seen() throws IOException {
    JsonNode wrong = json(real("diloco_before_rank0"));
    ((com.fasterxml.jackson.databind.node.ObjectNode) wrong.at("/traces/0")).put("waits", -1);

    assertThat(Schema.faults(SCHEMA, wrong)).hasSize(1);
  }

  @Test
  void changes_say_that_an_open_wait_may_be_the_missing_one() throws IOException {
    JsonNode changes = json(real("diloco_before_rank0"), real("diloco_after_rank0")).get("changes");

    assertThat(changes)
        .filteredOn(c -> c.get("waiter").asText().equals("7"))
        .filteredOn(c -> c.get("waits_for").asText().equals("17"))
        .singleElement()
        .satisfies(c -> assertThat(c.get("change").asText()).isEqualTo("gone, or not known"));
  }

  @Test
  void dot_draws_a_recorded_edge_solid_and_a_likely_one_dashed() throws IOException {
    StringWriter likely = new StringWriter();
    DepsGraph.writeDot(List.of(real("diloco_after_rank0")), likely);
    assertThat(likely.toString())
        .contains("label=\"21\"")
        .containsPattern("t0n\\d -> t0n\\d \\[label=\"1 per step\", style=dashed\\];");

    StringWriter sure = new StringWriter();
    DepsGraph.writeDot(List.of(hostile()), sure);
    assertThat(sure.toString())
        .contains("label=\"a\\\"b|<c>?[31m\"")
        .containsPattern("t0n0 -> t0n1 \\[label=\"once\"\\];");
  }

  @Test
  void markdown_has_a_drawing_a_table_and_what_changed() throws IOException {
    StringWriter target = new StringWriter();
    DepsGraph.writeMarkdown(List.of(hostile(), real("diloco_after_rank0")), target);
    String text = target.toString();

    assertThat(text)
        .contains("```mermaid\nflowchart LR\n  n0[\"a#quot;b|#lt;c#gt;?[31m\"]\n")
        .contains("n0 -->|\"once\"| n1\n")
        .contains("| 1 | s | a\"b\\|&lt;c>?[31m | recorded |")
        .contains("#### What changed");
  }

  @Test
  void all_gives_each_wait_a_line_with_its_calls() throws IOException {
    StringWriter target = new StringWriter();
    DepsText.write(List.of(real("diloco_before_rank0")), true, target);

    assertThat(target.toString())
        .containsPattern("step0 +Work.wait #392 for record #240")
        .containsPattern("step1 +cudaStreamWaitEvent #716, record not known");
  }
}
