package dev.eddyline.analysis.ci;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.ci.CiResult.Level;
import dev.eddyline.analysis.ci.CiResult.Outcome;
import dev.eddyline.analysis.report.Schema;
import dev.eddyline.analysis.rule.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class CiFormatsTest {
  private static final UnaryOperator<SourceLine> AS_IT_IS = line -> line;
  private static final String BEFORE = "h200_pytorch/diloco_before_rank0.json.gz";

  private static CiReport report(String trace) {
    Analysis analysis = RealTraces.analyze(trace);
    return FindingResults.of(analysis.graph().timeline(), analysis.report(), "1.2.3");
  }

  private static CiReport hostile() {
    List<SourceLine> stack = List.of(new SourceLine("Ä.step", "a b/Ü%<.java", 7));
    return new CiReport(
        "check",
        "",
        "FAILED: <&\">\u0000 ]]>",
        List.of("traces/ü 100%.json", "traces/ü 100%.json"),
        List.of(),
        List.of(
            result(Outcome.FAIL, stack, null, true),
            result(Outcome.FAIL, List.of(), "accepted <until> 2030", false),
            result(Outcome.CANNOT_ANSWER, List.of(), null, null),
            result(Outcome.PASS, List.of(), null, null),
            result(Outcome.INFO, List.of(), null, null)));
  }

  private static CiResult result(
      Outcome outcome, List<SourceLine> stack, String suppressed, Boolean isNew) {
    return new CiResult(
        "some-rule",
        outcome,
        Level.ERROR,
        "title, with: <signs>\u0007",
        "100% of\nit, \"quoted\" & \ud83d\ude00",
        List.of("Sure: a < b", "Fix: do\tit"),
        stack,
        "0123456789abcdef",
        suppressed,
        isNew);
  }

  private static JsonNode sarif(CiReport report) throws IOException {
    StringWriter text = new StringWriter();
    SarifReport.write(report, AS_IT_IS, text);
    return new ObjectMapper().readTree(text.toString());
  }

  private static JsonNode sarifSchema() throws IOException {
    try (InputStream schema =
        CiFormatsTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
      return new ObjectMapper().readTree(Objects.requireNonNull(schema));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BEFORE,
        "h200_pytorch/diloco_after_rank0.json.gz",
        "public/hta_rank0of16_graphlaunch.json.gz"
      })
  void sarif_of_real_traces_follows_its_schema(String trace) throws IOException {
    assertThat(Schema.faults(sarifSchema(), sarif(report(trace)))).isEmpty();
  }

  @Test
  void sarif_of_odd_texts_follows_its_schema() throws IOException {
    assertThat(Schema.faults(sarifSchema(), sarif(hostile()))).isEmpty();
  }

  @Test
  void the_schema_finds_faults() throws IOException {
    JsonNode broken = sarif(hostile());
    ((com.fasterxml.jackson.databind.node.ObjectNode) broken.at("/runs/0/results/0"))
        .put("kind", "failed")
        .put("levels", "error");

    assertThat(Schema.faults(sarifSchema(), broken)).hasSize(2);
  }

  @Test
  void sarif_tells_the_line_the_fix_and_the_fingerprint() throws IOException {
    JsonNode result = sarif(hostile()).at("/runs/0/results/0");

    assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri").asText())
        .isEqualTo("a%20b/%C3%9C%25%3C.java");
    assertThat(result.at("/locations/0/physicalLocation/region/startLine").asInt()).isEqualTo(7);
    assertThat(result.at("/message/text").asText()).endsWith("\nFix: do\tit");
    assertThat(result.at("/partialFingerprints/eddyline~1v1").asText()).hasSize(16);
    assertThat(result.at("/baselineState").asText()).isEqualTo("new");
  }

  @Test
  void only_what_failed_has_a_level() throws IOException {
    JsonNode results = sarif(report(BEFORE)).at("/runs/0/results");

    assertThat(results).isNotEmpty();
    for (JsonNode result : results) {
      boolean failed = result.get("kind").asText().equals("fail");
      assertThat(result.get("level").asText().equals("none")).isNotEqualTo(failed);
    }
    assertThat(results.get(0).get("ruleId").asText()).isEqualTo("unordered-access");
    assertThat(results.get(0).get("level").asText()).isEqualTo("warning");
  }

  private static Document junit(CiReport report) throws Exception {
    StringWriter text = new StringWriter();
    JUnitReport.write(report, AS_IT_IS, text);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void junit_counts_what_it_holds() throws Exception {
    for (CiReport report : List.of(report(BEFORE), hostile())) {
      Document xml = junit(report);
      Element suite = (Element) xml.getElementsByTagName("testsuite").item(0);

      assertThat(suite.getAttribute("tests"))
          .isEqualTo("" + xml.getElementsByTagName("testcase").getLength());
      assertThat(suite.getAttribute("failures"))
          .isEqualTo("" + xml.getElementsByTagName("failure").getLength())
          .isNotEqualTo("0");
      assertThat(suite.getAttribute("skipped"))
          .isEqualTo("" + xml.getElementsByTagName("skipped").getLength());
    }
  }

  @Test
  void junit_keeps_texts_and_skips_what_was_not_answered() throws Exception {
    Document xml = junit(hostile());
    Element failure = (Element) xml.getElementsByTagName("failure").item(0);

    assertThat(failure.getAttribute("message")).isEqualTo("100% of\nit, \"quoted\" & \ud83d\ude00");
    assertThat(failure.getTextContent()).isEqualTo("Sure: a < b\nFix: do\tit");
    assertThat(((Element) xml.getElementsByTagName("skipped").item(0)).getAttribute("message"))
        .isEqualTo("accepted: accepted <until> 2030");
    assertThat(((Element) failure.getParentNode()).getAttribute("name"))
        .isEqualTo("some-rule: title, with: <signs>?");
  }

  @Test
  void github_lines_are_escaped_and_told_once_each() throws IOException {
    StringWriter text = new StringWriter();
    GithubReport.write(hostile(), AS_IT_IS, text);

    assertThat(text.toString().lines())
        .containsExactly(
            "::error file=a b/Ü%25<.java,line=7,title=eddyline some-rule::100%25 of%0Ait,"
                + " \"quoted\" & \ud83d\ude00%0AFix: do\tit",
            "::warning title=eddyline some-rule::100%25 of%0Ait, \"quoted\" & \ud83d\ude00%0AFix:"
                + " do\tit",
            "::notice title=eddyline check::FAILED: <&\">\u0000 ]]>");
  }

  @Test
  void frames_of_java_become_lines_and_those_of_libraries_do_not() {
    assertThat(SourceLine.ofJava("com.acme.train.Trainer.lambda$step$3(Trainer.java:88)"))
        .isEqualTo(new SourceLine("Trainer.lambda$step$3", "com/acme/train/Trainer.java", 88));
    assertThat(SourceLine.ofJava("Trainer.step(Trainer.java:88)"))
        .isEqualTo(new SourceLine("Trainer.step", "Trainer.java", 88));
    assertThat(SourceLine.ofJava("dev.eddyline.group.Work.waitBlocking(Work.java:145)")).isNull();
    assertThat(SourceLine.ofJava("java.lang.Thread.run(Thread.java:840)")).isNull();
    assertThat(SourceLine.ofJava("com.acme.Trainer.step(Unknown Source)")).isNull();
  }
}
