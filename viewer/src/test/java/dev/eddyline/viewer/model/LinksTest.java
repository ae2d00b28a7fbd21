package dev.eddyline.viewer.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.viewer.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinksTest {
  private static List<Link> all(TraceModel model) {
    List<Link> all = new ArrayList<>();
    for (int i = 0; i < model.links().size(); i++) {
      all.add(model.links().link(i));
    }
    return all;
  }

  @Test
  void no_sync_of_the_story_comes_from_the_collectives_stream() {
    TraceModel model = Samples.before();
    int nccl = model.index().ofStream(1);

    assertThat(model.tracks().get(nccl).label()).startsWith("17");
    assertThat(all(model))
        .filteredOn(link -> link.fromTrack() == nccl)
        .allMatch(link -> model.tracks().get(link.toTrack()).isStream())
        .allMatch(link -> link.style() == Link.Style.INFERRED);
  }

  @Test
  void nothing_is_drawn_for_what_nccl_does_by_itself() {
    TraceModel model = Samples.before();

    assertThat(all(model)).hasSize(9 + 3);
    assertThat(all(model)).filteredOn(Link::isStub).hasSize(6);
  }

  @Test
  void finds_what_begins_or_ends_in_a_span() {
    TraceModel model = Samples.open(Samples.POOL);
    SplittableRandom random = new SplittableRandom(41);
    for (int i = 0; i < 200; i++) {
      long start = model.whole().startNs() + random.nextLong(model.whole().lengthNs());
      long end = start + random.nextLong(1L << random.nextInt(10, 26));
      List<Integer> expected = new ArrayList<>();
      List<Link> all = all(model);
      for (int k = 0; k < all.size(); k++) {
        Link link = all.get(k);
        if (link.fromNs() >= start && link.fromNs() < end
            || link.toNs() >= start && link.toNs() < end) {
          expected.add(k);
        }
      }
      int[] found = model.links().in(start, end, Integer.MAX_VALUE);

      assertThat(found).containsExactly(expected.stream().mapToInt(k -> k).toArray());
      assertThat(model.links().in(start, end, expected.size() - 1) == null)
          .isEqualTo(!expected.isEmpty() || expected.size() - 1 < 0);
    }
  }
}
