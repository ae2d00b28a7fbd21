package dev.eddyline.viewer.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.track.Track;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RowsTest {
  private static List<String> labels(Rows rows) {
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      labels.add(rows.track(i).kind() + " " + rows.track(i).label());
    }
    return labels;
  }

  @Test
  void at_first_there_are_no_queries_and_no_watchdogs() {
    Rows rows = Rows.of(Samples.before().tracks(), new RowState());

    assertThat(labels(rows))
        .containsExactly(
            "RANGES thread 733 (python3)",
            "CALLS thread 733 (python3)",
            "OVERLAP device",
            "STREAM 7  default",
            "STREAM 17  NCCL, default_pg",
            "STREAM 25");
    assertThat(rows.track(5).note()).isEqualTo("waits: none");
    RowState all = new RowState();
    all.showAll(true);
    assertThat(Rows.of(Samples.before().tracks(), all).size()).isGreaterThan(rows.size());
  }

  @Test
  void ranks_come_one_below_the_other() {
    Rows rows = Rows.of(Samples.bothRanks().tracks(), new RowState());

    assertThat(labels(rows))
        .filteredOn(l -> l.startsWith("PROCESS"))
        .containsExactly("PROCESS rank 0", "PROCESS rank 1");
    RowState state = new RowState();
    state.collapsed().add(rows.track(0).index());
    assertThat(Rows.of(Samples.bothRanks().tracks(), state).size()).isEqualTo(rows.size() - 6);
  }

  @Test
  void filter_hide_solo_and_pin() {
    List<Track> tracks = Samples.before().tracks();
    RowState state = new RowState();
    state.filter("nccl");
    assertThat(labels(Rows.of(tracks, state))).containsExactly("STREAM 17  NCCL, default_pg");
    state.clearFilters();
    int nccl = Samples.before().index().ofStream(1);
    state.solo().add(nccl);
    assertThat(Rows.of(tracks, state).size()).isEqualTo(1);
    assertThat(state.isFiltered()).isTrue();
    state.clearFilters();
    state.hidden().add(nccl);
    assertThat(Rows.of(tracks, state).placeOf(nccl)).isEqualTo(-1);
    state.clearFilters();
    state.pinned().add(nccl);
    Rows pinned = Rows.of(tracks, state);
    assertThat(pinned.placeOf(nccl)).isZero();
    assertThat(pinned.pinned()).isEqualTo(1);
    assertThat(pinned.screenTop(0, 500)).isZero();
  }

  @Test
  void the_row_under_a_point_is_the_one_drawn_there() {
    SplittableRandom random = new SplittableRandom(31);
    RowState state = new RowState();
    state.pinned().add(4);
    Rows rows = Rows.of(Samples.bothRanks().tracks(), state);
    for (int i = 0; i < 500; i++) {
      double scroll = random.nextDouble(rows.mostScroll(100) + 1);
      double y = random.nextDouble(100);
      int place = rows.placeAt(y, scroll);
      assertThat(place).isNotNegative();
      assertThat(rows.screenTop(place, scroll)).isLessThanOrEqualTo(y);
      double bottom = rows.screenTop(place, scroll) + rows.top(place + 1) - rows.top(place);
      assertThat(bottom).isGreaterThan(y);
      assertThat(place < rows.pinned()).isEqualTo(y < rows.pinnedHeight());
    }
  }
}
