package dev.eddyline.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderTest {
  private static int[] expected(long[] keys) {
    return IntStream.range(0, keys.length)
        .boxed()
        .sorted(Comparator.comparingLong(row -> keys[row]))
        .mapToInt(row -> row)
        .toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2, 10",
    "7, 3, 4",
    "1000, 1000, 50",
    "50000, 3, 1000000000000",
    "50000, 64, 99",
    "50000, 256, 9999",
    "50000, 50000, 7",
    "50000, 50000, 9223372036854775807",
    "50000, 900, 1796055245242803887"
  })
  void sortsStably(int rows, int runs, long range) {
    Random random = new Random(rows * 31L + runs);
    long[] keys = new long[rows];
    for (int i = 0; i < rows; i++) {
      keys[i] = random.nextLong() % range;
    }
    for (int run = 0; run < runs; run++) {
      int from = (int) ((long) rows * run / runs);
      int to = (int) ((long) rows * (run + 1) / runs);
      java.util.Arrays.sort(keys, from, to);
    }
    keys[rows - 1] = keys[0] - 1;

    assertThat(Order.by(rows, i -> keys[i])).isEqualTo(expected(keys));
  }

  @ParameterizedTest
  @CsvSource({"5000, 1", "50000, 4", "50000, 3000"})
  void laterKeysCountWhereEarlierOnesAreEqual(int rows, int spread) {
    Random random = new Random(rows + spread);
    long[] first = random.longs(rows, 0, 3).toArray();
    long[] second = random.longs(rows, -spread, spread).toArray();
    long[] third = random.longs(rows).toArray();
    int[] expected =
        IntStream.range(0, rows)
            .boxed()
            .sorted(
                Comparator.comparingLong((Integer row) -> first[row])
                    .thenComparingLong(row -> second[row])
                    .thenComparingLong(row -> third[row]))
            .mapToInt(row -> row)
            .toArray();

    assertThat(Order.by(rows, i -> first[i], i -> second[i], i -> third[i])).isEqualTo(expected);
  }

  @Test
  void sortedRowsStayWhereTheyAre() {
    assertThat(Order.by(0, i -> i)).isNull();
    assertThat(Order.by(1, i -> i)).isNull();
    assertThat(Order.by(9, i -> i / 3)).isNull();
  }
}
