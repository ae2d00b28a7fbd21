package dev.eddyline.viewer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.eddyline.viewer.track.TimeScale;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewportTest {
  private static final Span WHOLE =
      new Span(1_796_055_245_000_000_000L, 1_796_055_331_000_000_000L);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void never_leaves_the_trace_and_keeps_what_is_under_the_mouse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Viewport view = Viewport.all(WHOLE);
    long low = view.startNs();
    long high = view.endNs();
    for (int i = 0; i < 2000; i++) {
      long anchor = view.startNs() + random.nextLong(view.lengthNs());
      double factor = random.nextDouble(0.3, 3);
      Viewport next =
          switch (random.nextInt(4)) {
            case 0 -> view.zoomed(factor, anchor);
            case 1 -> view.panned(random.nextDouble(-2, 2));
            case 2 -> view.centred(anchor);
            default -> view.fitted(new Span(anchor, anchor + random.nextLong(1L << 30)));
          };
      assertThat(next.startNs()).isGreaterThanOrEqualTo(low);
      assertThat(next.endNs()).isLessThanOrEqualTo(high);
      assertThat(next.lengthNs()).isGreaterThanOrEqualTo(Viewport.LEAST_NS);
      view = next;
    }
    Viewport small =
        Viewport.of(WHOLE, WHOLE.startNs() + 40_000_000_000L, WHOLE.startNs() + 40_001_000_000L);
    long anchor = small.startNs() + 300_000;
    TimeScale before = small.scale(1000);
    TimeScale after = small.zoomed(0.5, anchor).scale(1000);
    assertThat(after.x(anchor)).isCloseTo(before.x(anchor), within(0.01));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22})
  void columns_never_go_back_in_time(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      long start = WHOLE.startNs() + random.nextLong(WHOLE.lengthNs());
      TimeScale scale =
          new TimeScale(start, start + 20 + random.nextLong(1L << 40), 1 + random.nextInt(4000));
      int last = -1;
      for (long t = start; t < scale.endNs(); t += 1 + (scale.endNs() - start) / 97) {
        assertThat(scale.column(t)).isGreaterThanOrEqualTo(last).isLessThan(scale.width() + 1);
        last = scale.column(t);
      }
      assertThat(scale.column(start)).isZero();
      assertThat(scale.column(start - 1)).isEqualTo(-1);
    }
  }
}
