package dev.eddyline.analysis.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Place.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private static Finding finding(String rule, String op, int times, Occurrence like) {
    List<Occurrence> occurrences = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      occurrences.add(like);
    }
    return new Finding(
        rule,
        Severity.WARNING,
        Confidence.CERTAIN,
        "until " + op,
        op,
        op,
        op,
        List.of(),
        List.of(),
        5L,
        null,
        false,
        occurrences,
        times);
  }

  private static Occurrence occurrence(
      long start, String call, long correlation, String stream, Place... where) {
    return new Occurrence(
        start,
        start + 7,
        3,
        0,
        "main",
        call,
        correlation,
        stream,
        List.of(where),
        List.of(),
        List.of());
  }

  private static Place java(String frame) {
    return new Place(Kind.JAVA, frame, "", 0);
  }

  @Test
  void renamed_kernels_shifted_ids_and_other_lines_keep_it() {
    Finding before =
        finding(
            "explicit-sync",
            "gemm_128",
            3,
            occurrence(
                10,
                "cudaStreamSynchronize_v3020",
                4,
                "25",
                new Place(Kind.STEP, "step0", "", 0),
                java("Trainer.lambda$step$3(Trainer.java:88)")));
    Finding after =
        finding(
            "explicit-sync",
            "gemm_256",
            5,
            occurrence(
                999,
                "cudaStreamSynchronize_ptsz",
                77,
                "31",
                new Place(Kind.STEP, "step7", "", 0),
                java("Trainer.lambda$step$5(Trainer.java:93)")));

    assertThat(Fingerprint.of(after)).isEqualTo(Fingerprint.of(before)).hasSize(16);
    assertThat(Fingerprint.words(after))
        .isEqualTo("explicit-sync cudaStreamSynchronize in Trainer.step");
  }

  @Test
  void another_rule_call_stream_or_place_changes_it() {
    Occurrence like = occurrence(1, "cudaStreamSynchronize", 4, "copy", java("A.b(A.java:1)"));
    String known = Fingerprint.of(finding("explicit-sync", "k", 1, like));

    assertThat(
            List.of(
                finding("shared-stream", "k", 1, like),
                finding(
                    "explicit-sync",
                    "k",
                    1,
                    occurrence(1, "cudaEventSynchronize", 4, "copy", java("A.b(A.java:1)"))),
                finding(
                    "explicit-sync",
                    "k",
                    1,
                    occurrence(1, "cudaStreamSynchronize", 4, "nccl", java("A.b(A.java:1)"))),
                finding(
                    "explicit-sync",
                    "k",
                    1,
                    occurrence(1, "cudaStreamSynchronize", 4, "copy", java("A.c(A.java:1)")))))
        .extracting(Fingerprint::of)
        .doesNotContain(known);
  }
}
