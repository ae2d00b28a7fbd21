package dev.eddyline.viewer.track;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldTest {
  private static final long EPOCH = 1_796_055_245_000_000_000L;

  private static Lane lane(SplittableRandom random, int size, long gap, long length) {
    Lanes lanes = new Lanes(1);
    long time = EPOCH;
    for (int i = 0; i < size; i++) {
      time += random.nextLong(random.nextInt(8) == 0 ? gap * 50 + 1 : gap + 1);
      long end = time + random.nextLong(random.nextInt(8) == 0 ? length * 50 + 1 : length + 1);
      lanes.add(time, end, i);
      time = Math.max(end, time + 1);
    }
    return lanes.build().get(0);
  }

  private static BitSet expected(Lane lane, TimeScale scale) {
    BitSet columns = new BitSet();
    for (int i = 0; i < lane.size(); i++) {
      int from = Math.max(0, scale.column(lane.start(i)));
      int to = Math.min(scale.width() - 1, scale.column(lane.end(i) - 1));
      if (lane.end(i) > scale.startNs() && from <= to) {
        columns.set(from, to + 1);
      }
    }
    return columns;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void a_column_is_given_out_exactly_if_an_interval_lies_in_it(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long gap = 1L << random.nextInt(20);
    long length = 1L << random.nextInt(20);
    Lane lane = lane(random, 3000, gap, length);
    long span = lane.end(lane.size() - 1) - EPOCH;
    for (int view = 0; view < 60; view++) {
      long shown = Math.max(20, span >> random.nextInt(24));
      long start = EPOCH - shown / 4 + random.nextLong(span + 1);
      TimeScale scale = new TimeScale(start, start + shown, 1 + random.nextInt(1600));
      BitSet columns = new BitSet();
      boolean[] counted = new boolean[lane.size()];
      Fold.columns(
          lane,
          scale,
          (from, to, first, count) -> {
            assertThat(count == 1 || to == from + 1).isTrue();
            columns.set(from, to);
            for (int i = first; i < first + count; i++) {
              assertThat(counted[i]).isFalse();
              counted[i] = true;
            }
          });

      assertThat(columns).as("seed %d, view %d", seed, view).isEqualTo(expected(lane, scale));
      for (int i = 0; i < lane.size(); i++) {
        boolean visible =
            lane.end(i) > start && Math.max(0, scale.column(lane.start(i))) < scale.width();
        assertThat(counted[i]).as("seed %d, interval %d", seed, i).isEqualTo(visible);
      }
    }
  }

  @Test
  void a_lane_gives_back_the_times_it_was_given_near_and_far() {
    for (long step : new long[] {1, 1000, 1L << 33}) {
      Lanes lanes = new Lanes(1);
      for (int i = 0; i < 1000; i++) {
        lanes.add(EPOCH + i * step * 3, EPOCH + i * step * 3 + step, i + 7);
      }
      Lane lane = lanes.build().get(0);

      assertThat(lane.size()).isEqualTo(1000);
      for (int i = 0; i < 1000; i++) {
        assertThat(lane.start(i)).isEqualTo(EPOCH + i * step * 3);
        assertThat(lane.end(i)).isEqualTo(EPOCH + i * step * 3 + step);
        assertThat(lane.item(i)).isEqualTo(i + 7);
        assertThat(lane.at(lane.start(i))).isEqualTo(i);
        assertThat(lane.at(lane.end(i))).isEqualTo(step == 0 ? i : -1);
      }
    }
  }

  @Test
  void what_is_nested_goes_into_lanes_below() {
    Lanes lanes = new Lanes(2);
    lanes.add(0, 100, 0);
    lanes.add(10, 40, 1);
    lanes.add(20, 30, 2);
    lanes.add(50, 60, 3);
    lanes.add(100, 100, 4);
    List<Lane> built = lanes.build();

    assertThat(built).hasSize(2);
    assertThat(built.get(0).size()).isEqualTo(2);
    assertThat(built.get(0).end(1)).isEqualTo(101);
    assertThat(built.get(1).item(1)).isEqualTo(3);
    assertThat(lanes.leftOut()).isEqualTo(1);
  }
}
