package dev.eddyline.viewer.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.viewer.Golden;
import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.model.Chain;
import dev.eddyline.viewer.model.Chains;
import dev.eddyline.viewer.model.FirstGlance;
import dev.eddyline.viewer.model.RowState;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.ImagePainter;
import dev.eddyline.viewer.paint.TextPainter;
import dev.eddyline.viewer.paint.Theme;
import dev.eddyline.viewer.track.TimeScale;
import dev.eddyline.viewer.track.Track;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChartTest {
  private static ChartInput input(
      TraceModel model, Viewport view, Chain chain, int width, int height, ChartOptions options) {
    Rows rows = Rows.of(model.tracks(), new RowState());
    return new ChartInput(
        model, view, rows, 0, chain, List.of(), null, null, width, height, options);
  }

  private static ChartInput firstGlance(TraceModel model, int width, int height, Theme theme) {
    Chain chain = new Chains(model).of(FirstGlance.selection(model));
    Viewport view = FirstGlance.viewport(model, chain);
    return input(model, view, chain, width, height, ChartOptions.still(theme, 1));
  }

  private static List<String> drawn(ChartInput input) {
    TextPainter painter = new TextPainter();
    Chart.paint(input, painter);
    return painter.lines();
  }

  @Test
  void first_glance_at_the_story() throws IOException {
    Golden.text("first-glance.txt", drawn(firstGlance(Samples.before(), 760, 260, Theme.DARK)));
  }

  @Test
  void first_glance_at_the_mended_story() throws IOException {
    TraceModel model = Samples.open(Samples.AFTER);
    Golden.text("first-glance-after.txt", drawn(firstGlance(model, 420, 240, Theme.LIGHT)));
  }

  @Test
  void pictures() throws IOException {
    for (Theme theme : List.of(Theme.DARK, Theme.LIGHT)) {
      ChartInput input = firstGlance(Samples.open(Samples.POOL), 700, 320, theme);
      ImagePainter painter = new ImagePainter(700, 320, 1);
      Chart.paint(input, painter);
      Golden.picture(theme.dark() ? "pool-dark.png" : "pool-light.png", 700, 320, painter.pixels());
    }
  }

  @Test
  void a_late_rank_is_named_on_the_collective_that_waited() {
    TraceModel model = Samples.bothRanks();
    long start = model.zeroNs() + 10_000_000;
    Viewport view = Viewport.of(model.whole(), start, start + 30_000_000);

    assertThat(drawn(input(model, view, Chain.NONE, 1400, 500, ChartOptions.still(Theme.DARK, 1))))
        .anyMatch(
            line ->
                line.matches(
                    "text .* all-reduce #0  21.812 ms, 21.5\\d\\d ms of it waiting for rank 1"));
  }

  @Test
  void the_sync_at_the_end_is_pale_and_called_expected() {
    TraceModel model = Samples.before();
    List<String> lines =
        drawn(
            input(
                model,
                Viewport.all(model.whole()),
                Chain.NONE,
                1400,
                400,
                ChartOptions.still(Theme.DARK, 1)));

    assertThat(lines)
        .anyMatch(line -> line.endsWith("device sync at the end  74.484 ms, expected"));
    assertThat(lines).noneMatch(line -> line.startsWith("hatch") && line.contains("1000."));
  }

  @Test
  void the_same_input_gives_the_same_drawing() {
    ChartInput input = firstGlance(Samples.before(), 900, 300, Theme.DARK);

    assertThat(drawn(input)).isEqualTo(drawn(input));
  }

  @Test
  void every_column_with_an_op_shows_it_and_no_other_does() {
    TraceModel model = Samples.open(Samples.POOL);
    SplittableRandom random = new SplittableRandom(61);
    for (int round = 0; round < 25; round++) {
      long shown = Math.max(20, model.whole().lengthNs() >> random.nextInt(20));
      long start = model.whole().startNs() + random.nextLong(model.whole().lengthNs());
      Viewport view = Viewport.of(model.whole(), start, start + shown);
      double scale = 1 + random.nextInt(2);
      ChartOptions options = new ChartOptions(Theme.DARK, ColourBy.NAME, true, false, scale, 100);
      ChartInput input = input(model, view, Chain.NONE, 500, 1400, options);
      ImagePainter painter = new ImagePainter(500, 1400, scale);
      Chart.paint(input, painter);
      check(input, painter.pixels(), (int) scale, round);
    }
  }

  private static void check(ChartInput input, int[] pixels, int scale, int round) {
    TimeScale columns = input.columns();
    OpView op = input.model().timeline().ops();
    for (int place = 0; place < input.rows().size(); place++) {
      Track track = input.rows().track(place);
      if (!track.isStream()) {
        continue;
      }
      boolean[] expected = new boolean[columns.width()];
      for (int i = 0; i < op.size(); i++) {
        op.at(i);
        if (op.stream() == track.ref() && op.end() > input.view().startNs()) {
          int from = Math.max(0, columns.column(op.start()));
          int to = columns.column(Math.max(op.end(), op.start() + 1) - 1);
          for (int x = from; x <= to && x < expected.length; x++) {
            expected[x] = true;
          }
        }
      }
      int y = (int) ((input.rowTop(place) + 1) * scale);
      for (int x = 0; x < expected.length; x++) {
        int pixel = pixels[y * 500 * scale + 100 * scale + x] & 0xFFFFFF;
        boolean empty =
            pixel == (Theme.DARK.background() & 0xFFFFFF)
                || pixel == (Theme.DARK.grid() & 0xFFFFFF);
        assertThat(!empty)
            .as("round %d, %s, column %d", round, track.label(), x)
            .isEqualTo(expected[x]);
      }
    }
  }
}
