package dev.eddyline.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MillisTest {
  @Test
  void roundsHalfUpToThreeDecimals() {
    assertThat(Millis.of(1_034_771)).isEqualTo("1.035");
    assertThat(Millis.of(499)).isEqualTo("0.000");
    assertThat(Millis.of(500)).isEqualTo("0.001");
    assertThat(Millis.of(0)).isEqualTo("0.000");
    assertThat(Millis.of(-1_500)).isEqualTo("-0.001");
    assertThat(Millis.of(86_215_893)).isEqualTo("86.216");
  }

  @Test
  void partsAddUpToTheRoundedWhole() {
    assertThat(Millis.roundParts(1_034_771, new long[] {923_134, 104_031, 7_606}))
        .containsExactly(923, 104, 8);
    assertThat(Millis.roundParts(1_833_708, new long[] {1_712_289, 115_104, 6_315}))
        .containsExactly(1712, 115, 7);
  }

  @Test
  void partsAddUpWhateverTheyAre() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long[] parts = random.longs(random.nextInt(1, 9), 0, 5_000).toArray();
      long whole = Arrays.stream(parts).sum();

      assertThat(Arrays.stream(Millis.roundParts(whole, parts)).sum())
          .isEqualTo(Millis.roundUs(whole));
    }
  }

  @Test
  void partsThatDoNotAddUpAreRoundedOneByOne() {
    assertThat(Millis.roundParts(9_000, new long[] {1_500, 1_400})).containsExactly(2, 1);
  }
}
