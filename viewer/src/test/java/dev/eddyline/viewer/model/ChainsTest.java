package dev.eddyline.viewer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.report.Millis;
import dev.eddyline.viewer.Samples;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChainsTest {
  private static String ms(TraceModel model, long timeNs) {
    return Millis.of(timeNs - model.zeroNs());
  }

  private static Set<String> rows(TraceModel model, Chain chain) {
    return FirstGlance.tracks(model, chain).stream()
        .map(track -> model.tracks().get(track).label())
        .collect(Collectors.toSet());
  }

  private static Chain select(TraceModel model, String words) {
    return new Chains(model).of(Selections.parse(words, model));
  }

  @Test
  void the_sync_of_the_story_leads_to_stream_25_and_to_nothing_on_17() {
    TraceModel model = Samples.before();
    Chain chain = select(model, "call:330");

    assertThat(rows(model, chain)).containsExactlyInAnyOrder("thread 733 (python3)", "25");
    assertThat(chain.segments())
        .extracting(s -> s.state().word() + " " + Millis.of(s.ns()))
        .containsExactly("device-busy 0.923", "running 0.104", "return 0.008");
    assertThat(chain.tails())
        .singleElement()
        .satisfies(
            tail -> {
              assertThat(tail.label()).isEqualTo("device busy: stream 7");
              assertThat(ms(model, tail.fromNs())).isEqualTo("1.005");
              assertThat(ms(model, tail.toNs())).isEqualTo("2.218");
            });
    assertThat(chain.beside()).hasSize(1);
    assertThat(chain.links())
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.style()).isEqualTo(Link.Style.RECORDED);
              assertThat(ms(model, link.fromNs())).isEqualTo("2.322");
            });
  }

  @Test
  void the_chain_runs_through_every_stream_that_held_the_call() {
    TraceModel model = Samples.open(Samples.POOL);
    Chain chain = new Chains(model).of(FirstGlance.selection(model));

    assertThat(rows(model, chain))
        .containsExactlyInAnyOrder(
            "main", "compute  id 13", "fragment-1  id 15", "nccl  id 47, NCCL, world");
    assertThat(chain.links()).hasSize(3).allMatch(l -> l.style() == Link.Style.RECORDED);
  }

  @Test
  void an_op_shows_its_launch_and_the_arrows_into_it() {
    TraceModel model = Samples.before();
    Chain chain = select(model, "op:232");

    assertThat(chain.links())
        .extracting(Link::style)
        .contains(Link.Style.LAUNCH, Link.Style.INFERRED);
    assertThat(chain.ops()).isNotEmpty();
  }

  @Test
  void a_collective_lights_up_on_all_ranks() {
    TraceModel model = Samples.bothRanks();
    Chain chain = select(model, "op:rank0:232");
    int own = ((Selection.OfOp) Selections.parse("op:rank0:232", model)).row();

    assertThat(model.peers().of(own)).hasSize(1);
    assertThat(chain.ops()).containsAll(model.peers().of(own));
    assertThat(model.peers().lastRank(own)).isEqualTo(1);
    assertThat(model.peers().isLate(own)).isTrue();
    assertThat(model.peers().isLate(model.peers().of(own).get(0))).isFalse();
  }

  @Test
  void a_missing_order_is_an_arrow_back_in_time() {
    TraceModel model = Samples.before();
    Chain chain = new Chains(model).of(FirstGlance.selection(model));
    Viewport view = FirstGlance.viewport(model, chain);

    assertThat(chain.links())
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.style()).isEqualTo(Link.Style.MISSING);
              assertThat(ms(model, link.fromNs())).isEqualTo("34.825");
              assertThat(ms(model, link.toNs())).isEqualTo("2.218");
            });
    assertThat(rows(model, chain)).containsExactlyInAnyOrder("17  NCCL, default_pg", "25");
    assertThat(ms(model, view.endNs())).startsWith("36.");
  }

  @Test
  void shows_the_evidence_of_a_finding_with_a_margin() {
    TraceModel model = Samples.before();
    Selection first = new Selection.OfFinding(2, 0);
    Chain chain = new Chains(model).of(first);
    Viewport view = FirstGlance.viewport(model, chain);
    Span evidence = chain.evidence();

    assertThat(FirstGlance.selection(model)).isEqualTo(new Selection.OfFinding(0, 0));
    assertThat(evidence.startNs() - view.startNs())
        .isEqualTo(Math.round(evidence.lengthNs() * 0.05));
    assertThat(view.holds(evidence)).isTrue();
    assertThat(ms(model, view.endNs())).isLessThan("3");
  }

  @Test
  void opens_on_the_whole_trace_where_nothing_was_found() {
    TraceModel model = Samples.open(Samples.AFTER);

    assertThat(FirstGlance.selection(model)).isEqualTo(Selection.NONE);
    assertThat(FirstGlance.viewport(model, Chain.NONE)).isEqualTo(Viewport.all(model.whole()));
  }

  @Test
  void pins_the_rows_of_the_chain_only_where_they_do_not_fit() {
    TraceModel model = Samples.open(Samples.POOL);
    Chain chain = new Chains(model).of(FirstGlance.selection(model));
    Rows rows = Rows.of(model.tracks(), new RowState());

    assertThat(FirstGlance.pins(model, chain, rows, 5000)).isEmpty();
    assertThat(FirstGlance.pins(model, chain, rows, 300))
        .isEqualTo(FirstGlance.tracks(model, chain));
  }

  @Test
  void words_name_selections_and_say_what_is_wrong_with_them() {
    TraceModel model = Samples.before();

    for (String words : new String[] {"finding:1", "finding:1.3", "call:330", "op:263"}) {
      assertThat(Selections.words(Selections.parse(words, model), model)).isEqualTo(words);
    }
    TraceModel two = Samples.bothRanks();
    assertThat(Selections.words(Selections.parse("op:rank1:232", two), two))
        .isEqualTo("op:rank1:232");
    assertThatThrownBy(() -> Selections.parse("finding:9", model))
        .hasMessageContaining("from 1 to");
    assertThatThrownBy(() -> Selections.parse("finding:1.9", model))
        .hasMessageContaining("happened 3 times");
    assertThatThrownBy(() -> Selections.parse("sync", model)).hasMessageContaining("finding:N");
    assertThatThrownBy(() -> Selections.parse("call:99999999", model))
        .hasMessageContaining("no call");
    assertThatThrownBy(() -> Selections.parse("op:330", model))
        .hasMessageContaining("enqueued no op");
    assertThatThrownBy(() -> Selections.parse("op:rank5:3", two)).hasMessageContaining("rank 5");
  }
}
