package dev.eddyline.analysis.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteTest {

  private static Report both(String story) {
    return Analyzer.analyze(
            RealTraces.open(
                List.of(
                    RealTraces.path(story + "_rank0.json.gz"),
                    RealTraces.path(story + "_rank1.json.gz"))),
            AnalysisOptions.defaults())
        .report();
  }

  private static double remoteMs(Report report, int rank) {
    return report.findings().stream()
            .flatMap(finding -> finding.occurrences().stream())
            .filter(occurrence -> occurrence.rank() == rank)
            .flatMap(occurrence -> occurrence.blame().stream())
            .filter(segment -> segment.state() == Segment.State.REMOTE)
            .mapToLong(Segment::ns)
            .sum()
        / 1e6;
  }

  @Test
  void with_both_ranks_the_wait_of_rank_1_for_rank_0_is_remote_and_not_the_collectives_own() {
    Report report = both("h200_pytorch_stories/callback_block");
    assertThat(remoteMs(report, 1)).isCloseTo(278, within(5.0));
    Finding finding =
        report.findings().stream()
            .filter(f -> f.rule().equals("sync-on-collective"))
            .findFirst()
            .orElseThrow();
    assertThat(finding.explanation()).contains("were waiting for the last rank.");
    assertThat(finding.explanation()).doesNotContain("One rank's file cannot tell");
  }

  @Test
  void with_one_rank_nothing_is_remote() {
    Report report =
        RealTraces.analyze("h200_pytorch_stories/callback_block_rank1.json.gz").report();
    assertThat(remoteMs(report, 1)).isZero();
  }

  @Test
  void eight_ranks_of_dlrm_whose_waits_name_no_stream_get_no_path_to_a_collective() {
    List<java.nio.file.Path> files = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      files.add(RealTraces.path("public/dlrm_8ranks/rank" + rank + ".json.gz"));
    }
    Report report = Analyzer.analyze(RealTraces.open(files), AnalysisOptions.defaults()).report();

    assertThat(report.coverage().ranksLoaded()).isEqualTo(8);
    Finding sync =
        report.findings().stream()
            .filter(f -> f.rule().equals("explicit-sync") && !f.expected())
            .findFirst()
            .orElseThrow();
    assertThat(sync.blockedNs()).isEqualTo(19_851_000);
    assertThat(sync.occurrences()).hasSize(5);
    assertThat(sync.occurrences().get(0).blame())
        .extracting(Segment::state)
        .contains(Segment.State.UNATTRIBUTED);
  }
}
