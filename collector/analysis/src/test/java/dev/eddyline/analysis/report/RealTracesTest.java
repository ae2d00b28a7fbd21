package dev.eddyline.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RealTracesTest {
  private static final Path SCHEMA = Path.of("../../docs/report.schema.json");

  static List<Path> traces() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/resources/traces/kineto"))) {
      return files.filter(file -> file.toString().endsWith(".json.gz")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void reports_keep_their_contracts(Path trace) throws IOException {
    ReadOptions recovering = new ReadOptions(true, TraceReadLimits.defaults(), bytes -> {});
    Timeline timeline = Traces.open(List.of(trace), recovering);
    Report report = Analyzer.analyze(timeline, AnalysisOptions.defaults()).report();
    StringWriter json = new StringWriter();
    JsonReport.write(timeline, report, ReportOptions.all(), json);
    JsonNode parsed = new ObjectMapper().readTree(json.toString());

    assertThat(Schema.faults(SCHEMA, parsed)).isEmpty();
    assertThat(sum(parsed.get("coverage"))).isEqualTo(parsed.at("/coverage/waits").asInt());
    for (Finding finding : report.findings()) {
      for (Occurrence occurrence : finding.occurrences()) {
        if (!occurrence.blame().isEmpty()) {
          assertThat(occurrence.blame().stream().mapToLong(Segment::ns).sum())
              .isEqualTo(occurrence.durationNs());
        }
      }
    }
    StringWriter text = new StringWriter();
    TextReport.write(timeline, report, ReportOptions.all(), text);
    assertThat(text.toString().chars()).allMatch(c -> c == '\n' || c >= ' ' && c < 127);
    StringWriter markdown = new StringWriter();
    MarkdownReport.write(timeline, report, ReportOptions.all(), markdown);
    assertThat(markdown.toString()).startsWith("### Eddyline: ");
    StringWriter info = new StringWriter();
    InfoReport.write(timeline, report, info);
    assertThat(info.toString()).contains("What this trace can answer");
  }

  private static int sum(JsonNode coverage) {
    return Stream.of("recorded", "inferred", "unknown", "empty")
        .mapToInt(kind -> coverage.get("waits_" + kind).asInt())
        .sum();
  }
}
