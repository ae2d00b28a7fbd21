package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseInferenceTest {

  @TempDir Path folder;

  private Report withoutSyncRows(String file) throws IOException {
    ObjectMapper mapper =
        new ObjectMapper()
            .enable(
                com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    ObjectNode root;
    try (InputStream in = new GZIPInputStream(Files.newInputStream(RealTraces.path(file)))) {
      root = (ObjectNode) mapper.readTree(in);
    }
    ArrayNode kept = mapper.createArrayNode();
    for (JsonNode event : root.get("traceEvents")) {
      if (!event.path("cat").asText().equals("cuda_sync")) {
        kept.add(event);
      }
    }
    root.set("traceEvents", kept);
    Path cut = folder.resolve("cut.json");
    mapper.writeValue(cut.toFile(), root);
    return Analyzer.analyze(RealTraces.open(List.of(cut)), AnalysisOptions.defaults()).report();
  }

  @Test
  void without_sync_rows_the_same_three_blames_are_found_by_time() throws IOException {
    Report report = withoutSyncRows("h200_pytorch/diloco_before_rank0.json.gz");
    List<Finding> syncs =
        report.findings().stream()
            .filter(f -> f.rule().equals("explicit-sync") && !f.expected())
            .toList();

    assertThat(syncs).hasSize(1);
    Finding finding = syncs.get(0);
    assertThat(finding.confidence()).isEqualTo(Confidence.LIKELY);
    assertThat(finding.guessed()).anyMatch(text -> text.contains("inferred: release"));
    assertThat(finding.occurrences())
        .extracting(o -> o.durationNs() / 1000.0)
        .containsExactly(1034.771, 1704.764, 1833.708);
    List<Double> busy =
        finding.occurrences().stream()
            .flatMap(o -> o.blame().stream())
            .filter(s -> s.state() == Segment.State.DEVICE_BUSY)
            .map(s -> s.ns() / 1000.0)
            .toList();
    assertThat(busy).containsExactly(923.134, 1584.511, 1712.289);
    assertThat(finding.occurrences()).extracting(Occurrence::stream).containsOnly("25");
    assertThat(report.findings()).extracting(Finding::rule).doesNotContain("sync-on-collective");
  }

  @Test
  void without_sync_rows_nothing_is_invented_in_the_mended_run() throws IOException {
    Report report = withoutSyncRows("h200_pytorch/diloco_after_rank0.json.gz");
    assertThat(report.findings()).allMatch(Finding::expected);
    assertThat(report.coverage().hostSyncsWithStream()).isLessThan(report.coverage().hostSyncs());
  }
}
