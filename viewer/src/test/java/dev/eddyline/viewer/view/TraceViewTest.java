package dev.eddyline.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.eddyline.analysis.report.Millis;
import dev.eddyline.viewer.Samples;
import dev.eddyline.viewer.chart.ColourBy;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Selections;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.Theme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceViewTest {
  @TempDir Path folder;

  private static Selection select(TraceModel model, String words) {
    return Selections.parse(words, model);
  }

  @Test
  void sums_count_what_lies_in_the_span() {
    TraceModel model = Samples.before();
    List<Sums.Line> lines = Sums.of(model, model.whole());

    assertThat(lines)
        .filteredOn(line -> line.name().equals("all-reduce"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.count()).isEqualTo(3);
              assertThat(Millis.of(line.totalNs())).isEqualTo("41.228");
              assertThat(Millis.of(line.maxNs())).isEqualTo("21.812");
              assertThat(Millis.of(line.p50Ns())).isEqualTo("11.244");
              assertThat(line.meanNs()).isEqualTo(line.totalNs() / 3);
              assertThat(line.share())
                  .isCloseTo(line.totalNs() / (double) model.whole().lengthNs(), within(1e-9));
            });
    assertThat(lines)
        .filteredOn(line -> line.name().equals("cudaStreamSynchronize"))
        .singleElement()
        .satisfies(line -> assertThat(Millis.of(line.totalNs())).isEqualTo("4.573"));
    long middle = model.zeroNs() + 20_000_000;
    assertThat(Sums.of(model, new Span(middle, middle + 1_000_000)))
        .filteredOn(line -> line.name().equals("all-reduce"))
        .singleElement()
        .satisfies(line -> assertThat(line.totalNs()).isEqualTo(1_000_000));
  }

  @Test
  void dependencies_count_who_waits_for_whom() {
    List<Dependencies.Pair> pairs = Dependencies.of(Samples.before());

    assertThat(pairs)
        .extracting(p -> p.waiter() + " < " + p.source() + " " + p.count() + " " + p.inferred())
        .contains(
            "7  default < 17  NCCL, default_pg 3 3",
            "7  default < ? 3 0",
            "17  NCCL, default_pg < ? 3 0",
            "thread 733 (python3) < 25 3 0");
    assertThat(pairs)
        .filteredOn(p -> p.waiter().startsWith("thread"))
        .singleElement()
        .satisfies(
            p -> {
              assertThat(Millis.of(p.heldNs())).isEqualTo("4.573");
              assertThat(p.example()).isEqualTo(select(Samples.before(), "call:988"));
            });
  }

  @Test
  void search_finds_ops_calls_and_ranges_in_order_of_time() {
    TraceModel model = Samples.before();
    Search search = Search.of(model, "all-reduce");
    assertThat(search.size()).isEqualTo(3);
    assertThat(search.hit(0)).isEqualTo(select(model, "op:232"));
    assertThat(Search.of(model, "CUDASTREAMSYNCHRONIZE").size()).isEqualTo(3);
    assertThat(Search.of(model, "sync_other").hit(0)).isInstanceOf(Selection.OfRange.class);
    assertThat(Search.of(model, "no such name").size()).isZero();
    int row = ((Selection.OfOp) search.hit(1)).row();
    assertThat(search.ops().test(row)).isTrue();
    assertThat(search.ops().test(0)).isFalse();

    TraceView view = new TraceView(model);
    view.search(search);
    view.nextHit(1);
    assertThat(view.hit()).isZero();
    view.nextHit(-1);
    assertThat(view.hit()).isEqualTo(2);
    assertThat(view.viewport().holds(view.chain().evidence())).isTrue();
  }

  @Test
  void follows_dependencies_back_and_forward() {
    TraceModel model = Samples.open(Samples.POOL);
    Navigation navigation = new Navigation(model);
    TraceView view = new TraceView(model);
    Selection divide = navigation.before(view.selection());
    Selection reduce = navigation.before(divide);

    assertThat(model.names().of(model.timeline().ops().at(((Selection.OfOp) reduce).row())))
        .isEqualTo("all-reduce #31");
    assertThat(navigation.after(reduce)).isEqualTo(divide);
    assertThat(navigation.after(divide)).isInstanceOf(Selection.OfCall.class);
    assertThat(navigation.before(navigation.after(divide))).isEqualTo(divide);
  }

  @Test
  void steps_along_a_row_and_along_findings() {
    TraceModel model = Samples.before();
    Navigation navigation = new Navigation(model);
    Selection first = select(model, "op:263");
    Selection next = navigation.beside(first, 1, -1, 0);

    assertThat(next).isEqualTo(select(model, "op:585"));
    assertThat(navigation.beside(next, -1, -1, 0)).isEqualTo(first);
    assertThat(navigation.beside(first, -1, -1, 0)).isEqualTo(first);
    assertThat(navigation.finding(Selection.NONE, 1)).isEqualTo(new Selection.OfFinding(0, 0));
    assertThat(navigation.occurrence(new Selection.OfFinding(0, 2), 1))
        .isEqualTo(new Selection.OfFinding(0, 0));
  }

  @Test
  void the_history_goes_back_and_forward() {
    TraceView view = new TraceView(Samples.before());
    Viewport first = view.viewport();
    view.show(Viewport.all(view.model().whole()));
    view.history(true);
    assertThat(view.viewport()).isEqualTo(first);
    view.history(false);
    assertThat(view.viewport()).isEqualTo(Viewport.all(view.model().whole()));
    view.history(false);
    assertThat(view.viewport()).isEqualTo(Viewport.all(view.model().whole()));
  }

  @Test
  void details_say_where_the_time_went() {
    TraceModel model = Samples.before();
    TraceView view = new TraceView(model);
    view.select(new Selection.OfFinding(2, 0));

    assertThat(Details.of(model, view.selection(), view.chain()))
        .contains("Where the time went:", "Fix:")
        .anyMatch(line -> line.startsWith("0.923 ms  device busy  vectorized"))
        .anyMatch(line -> line.contains("(beside: sm80_xmma_gemm"))
        .anyMatch(line -> line.contains("Not the all-reduce: it began 10.683"));
  }

  @Test
  void a_session_brings_back_the_view() throws IOException {
    TraceModel model = Samples.before();
    TraceView view = new TraceView(model);
    view.show(Viewport.of(model.whole(), model.zeroNs(), model.zeroNs() + 5_000_000));
    view.select(select(model, "op:263"));
    view.rowState().pinned().add(5);
    view.rowState().hidden().add(0);
    view.rowState().filter("2");
    view.mark(model.zeroNs() + 7, "a \"note\"");
    view.theme(Theme.LIGHT);
    view.colourBy(ColourBy.STREAM);
    Path file = SessionFile.of(folder.resolve("trace.json.gz"));
    SessionFile.write(view, file);

    TraceView again = new TraceView(model);
    SessionFile.read(again, file);
    assertThat(file).hasFileName("trace.json.gz.session.json");
    assertThat(again.viewport()).isEqualTo(view.viewport());
    assertThat(again.selection()).isEqualTo(view.selection());
    assertThat(again.rowState().pinned()).containsExactly(5);
    assertThat(again.rowState().hidden()).containsExactly(0);
    assertThat(again.rowState().filter()).isEqualTo("2");
    assertThat(again.marks()).isEqualTo(view.marks());
    assertThat(again.theme()).isEqualTo(Theme.LIGHT);
    assertThat(again.colourBy()).isEqualTo(ColourBy.STREAM);

    TraceView other = new TraceView(Samples.open(Samples.POOL));
    SessionFile.read(other, file);
    assertThat(other.rowState().pinned()).isEmpty();
    assertThat(other.selection()).isEqualTo(Selection.NONE);
  }

  @Test
  void a_bad_session_file_is_refused_with_a_reason() throws IOException {
    TraceView view = new TraceView(Samples.before());
    for (String[] bad :
        new String[][] {
          {"[]", "does not begin with {"},
          {"{\"version\": 2}", "reads up to 1"},
          {"{\"marks\": [", "no session file"},
          {"{\"pinned\": " + "[".repeat(200), "no session file"}
        }) {
      Path file = Files.writeString(folder.resolve("bad.session.json"), bad[0]);
      assertThatThrownBy(() -> SessionFile.read(view, file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(bad[1]);
    }
  }

  @Test
  void a_comparison_names_what_is_gone_and_puts_times_side_by_side() {
    TraceModel before = Samples.before();
    TraceModel after = Samples.open(Samples.AFTER);

    assertThat(Comparison.findings(before, after))
        .filteredOn(line -> line.rule().equals("explicit-sync"))
        .extracting(Comparison.FindingLine::change)
        .contains("gone");
    assertThat(Comparison.steps(before, after))
        .hasSize(3)
        .allMatch(line -> line.beforeNs() > 0 && line.afterNs() > 0);
    assertThat(Comparison.streams(before, after))
        .filteredOn(line -> line.what().startsWith("25"))
        .singleElement()
        .satisfies(line -> assertThat(line.afterNs()).isEqualTo(-1));
  }

  @Test
  void events_are_the_slices_in_view() {
    TraceModel model = Samples.before();
    TraceView view = new TraceView(model);
    long start = model.zeroNs() + 2_000_000;
    List<Events.Event> events = Events.in(model, view.rows(), new Span(start, start + 500_000));

    assertThat(events).isSortedAccordingTo((a, b) -> Long.compare(a.startNs(), b.startNs()));
    assertThat(events).anyMatch(e -> e.row().equals("25") && e.durationNs() == 104_031);
    assertThat(events).noneMatch(e -> e.name().startsWith("cudaEventQuery"));
  }
}
