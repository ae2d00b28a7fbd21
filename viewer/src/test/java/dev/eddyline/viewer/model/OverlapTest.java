package dev.eddyline.viewer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.track.TimeScale;
import dev.eddyline.viewer.track.Track;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OverlapTest {
  private static boolean[] active(TraceModel model, long timeNs) {
    boolean[] active = new boolean[2];
    OpView op = model.timeline().ops();
    for (int i = 0; i < op.size(); i++) {
      if (op.at(i).start() <= timeNs && timeNs < op.end()) {
        active[model.graph().collectives().isCollective(op) ? 1 : 0] = true;
      }
    }
    return active;
  }

  private static Overlap overlap(TraceModel model) {
    Track track =
        model.tracks().stream().filter(t -> t.kind() == Track.Kind.OVERLAP).findFirst().get();
    return model.overlap(track.index());
  }

  @Test
  void columns_hold_what_the_device_did() {
    TraceModel model = Samples.before();
    SplittableRandom random = new SplittableRandom(51);
    for (int view = 0; view < 10; view++) {
      long shown = model.whole().lengthNs() >> random.nextInt(10);
      long start = model.whole().startNs() + random.nextLong(model.whole().lengthNs());
      TimeScale scale = new TimeScale(start, start + shown + 64, 64);
      float[] columns = new float[64 * Overlap.KINDS];
      overlap(model).columns(scale, columns);
      for (int x = 0; x < 64; x += 7) {
        double[] expected = new double[Overlap.KINDS];
        int probes = 200;
        for (int p = 0; p < probes; p++) {
          boolean[] active = active(model, scale.time(x + (p + 0.5) / probes));
          if (active[0] || active[1]) {
            int kind =
                active[0] ? active[1] ? Overlap.BOTH : Overlap.COMPUTE : Overlap.COMMUNICATION;
            expected[kind] += scale.nsPerPixel() / probes;
          }
        }
        for (int kind = 0; kind < Overlap.KINDS; kind++) {
          assertThat((double) columns[x * Overlap.KINDS + kind])
              .as("view %d column %d kind %d", view, x, kind)
              .isCloseTo(expected[kind], within(scale.nsPerPixel() * 0.02 + 200));
        }
      }
    }
  }

  @Test
  void the_story_exposes_its_all_reduces() {
    TraceModel model = Samples.before();
    Span whole = model.whole();

    assertThat(overlap(model).sum(Overlap.COMMUNICATION, whole.startNs(), whole.endNs()) / 1e6)
        .isCloseTo(11.480, within(0.002));
  }
}
