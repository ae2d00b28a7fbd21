package dev.eddyline.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Report;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportsTest {
  private static final Path SCHEMA = Path.of("../../docs/report.schema.json");
  private final Report report = DilocoBefore.report();

  private interface Format {
    void write(
        dev.eddyline.analysis.timeline.Timeline timeline,
        Report report,
        ReportOptions options,
        Writer target)
        throws IOException;
  }

  private static String written(Format format, Report report, ReportOptions options)
      throws IOException {
    StringWriter target = new StringWriter();
    format.write(DilocoBefore.timeline(), report, options, target);
    return target.toString();
  }

  private String text() throws IOException {
    return written(TextReport::write, report, ReportOptions.all());
  }

  @Test
  void textHoldsTheTableOfBlockedTime() throws IOException {
    assertThat(text())
        .containsSubsequence(
            "step0   step1   step2\n",
            "blocked         1.035   1.705   1.834 ms\n",
            "  device busy   0.923   1.585   1.712",
            "  running       0.104   0.114   0.115",
            "  return        0.008   0.006   0.007\n");
  }

  @Test
  void textFoldsWhatIsExpected() throws IOException {
    assertThat(text())
        .contains("1 finding\n")
        .contains("also   2 device syncs at the end, 74.484 and 0.028 ms: expected, not counted\n")
        .contains("       3 Work.wait() held stream 7, not the host: 0.005 .. 0.007 ms each\n");
  }

  @Test
  void textIsPlainAsciiInLinesThatFit() throws IOException {
    assertThat(text().lines())
        .allSatisfy(
            line -> {
              assertThat(line).hasSizeLessThanOrEqualTo(140).isEqualTo(line.stripTrailing());
              assertThat(line.chars()).allMatch(c -> c >= ' ' && c < 127);
            });
  }

  @Test
  void textNamesNoGainWhereItIsNotKnown() throws IOException {
    assertThat(text()).doesNotContain("Gain").doesNotContain("gain");
  }

  @Test
  void whereNothingWasFoundTheFirstSentenceSaysInWhat() throws IOException {
    Report nothing = withFindings(report.findings().subList(1, 2), report.coverage());

    assertThat(written(TextReport::write, nothing, ReportOptions.all()))
        .contains("\n\nNo findings in what this trace can answer.\n   2 device syncs at the end");
  }

  @Test
  void coverageStandsFirstWhereAQuestionCannotBeAnswered() throws IOException {
    Coverage.Answer no =
        new Coverage.Answer(
            "which stream waits for which", Coverage.Verdict.NO, "NO", "425 waits without source");
    Coverage c = report.coverage();
    Coverage poor =
        new Coverage(425, 0, 0, 425, 0, 0, 425, 0, 0, 0, 0, 0, null, 1, 16, false, List.of(no));

    assertThat(c.standsFirst()).isFalse();
    assertThat(
            written(TextReport::write, withFindings(report.findings(), poor), ReportOptions.all()))
        .containsSubsequence(
            "What this trace can answer\n",
            "which stream waits for which   NO   425 waits without source\n",
            "Cannot be judged: which stream waits for which. No finding below says that they are"
                + " in order.\n",
            "1 finding\n",
            "To get the rest next time\n",
            "enable_cuda_sync_events=True");
  }

  @Test
  void topLeavesTheRestCounted() throws IOException {
    Finding blocked = report.findings().get(0);
    Report three = withFindings(List.of(blocked, blocked, blocked), report.coverage());

    assertThat(written(TextReport::write, three, new ReportOptions(1, List.of())))
        .contains("3 findings\n")
        .contains("and 2 more: --top 3\n")
        .doesNotContain("\n2  warning");
  }

  @Test
  void namesFromTheTraceCannotSteerTheTerminal() throws IOException {
    Finding f = report.findings().get(0);
    Finding evil =
        new Finding(
            f.rule(),
            f.severity(),
            f.confidence(),
            "a sync on \u001b[31mred",
            f.summary(),
            f.explanation(),
            f.remedy(),
            f.sure(),
            f.guessed(),
            f.blockedNs(),
            f.gainNs(),
            f.expected(),
            f.occurrences(),
            f.steps());

    assertThat(
            written(
                TextReport::write,
                withFindings(List.of(evil), report.coverage()),
                ReportOptions.all()))
        .contains("a sync on ?[31mred")
        .doesNotContain("\u001b");
  }

  @Test
  void jsonKeepsItsSchema() throws IOException {
    JsonNode json =
        new ObjectMapper().readTree(written(JsonReport::write, report, ReportOptions.all()));

    assertThat(Schema.faults(SCHEMA, json)).isEmpty();
  }

  @Test
  void schemaRefusesWhatIsNoReport() throws IOException {
    JsonNode json =
        new ObjectMapper()
            .readTree(
                written(JsonReport::write, report, ReportOptions.all())
                    .replace("\"device-busy\"", "\"busy\"")
                    .replace("\"blocked_ns\": 4573243", "\"blocked_ns\": \"4573243\""));

    assertThat(Schema.faults(SCHEMA, json))
        .hasSize(4)
        .contains("$.findings[0].occurrences[0].blame[0].state: enum: \"busy\"");
  }

  @Test
  void jsonHoldsTheContract() throws IOException {
    JsonNode json =
        new ObjectMapper().readTree(written(JsonReport::write, report, ReportOptions.all()));
    JsonNode finding = json.at("/findings/0");
    JsonNode occurrence = finding.at("/occurrences/0");

    assertThat(json.get("format").asText()).isEqualTo("eddyline-report");
    assertThat(finding.get("id").asText()).isEqualTo("1");
    assertThat(finding.get("blocked_ns").asLong()).isEqualTo(4_573_243);
    assertThat(finding.get("gain_ns").isNull()).isTrue();
    assertThat(occurrence.get("start_ns").asLong()).isEqualTo(1_796_055_245_243_395_354L);
    assertThat(occurrence.get("where").toString())
        .isEqualTo(
            "[{\"kind\":\"step\",\"name\":\"step0\"},"
                + "{\"kind\":\"annotation\",\"name\":\"sync_other_fragment\"}]");
    assertThat(occurrence.at("/blame/0/beside").toString())
        .isEqualTo(
            "[{\"op\":\"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n\",\"correlation\":91,"
                + "\"stream\":\"7\"}]");
    assertThat(occurrence.at("/blame/1").has("beside")).isFalse();
    assertThat(json.at("/coverage/dropped_records").isNull()).isTrue();
  }

  @Test
  void markdownKeepsMarkupOutOfNames() throws IOException {
    assertThat(written(MarkdownReport::write, report, ReportOptions.all()))
        .startsWith("### Eddyline: 1 finding\n")
        .contains("diloco\\_before\\_rank0.json.gz")
        .contains("blocked         1.035   1.705   1.834 ms\n");
  }

  private Report withFindings(List<Finding> findings, Coverage coverage) {
    return new Report(
        findings,
        report.latentSyncs(),
        report.workWaits(),
        report.notEvaluated(),
        coverage,
        report.steps(),
        report.idleSyncs());
  }
}
