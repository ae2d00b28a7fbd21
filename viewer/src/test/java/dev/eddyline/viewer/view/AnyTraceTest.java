package dev.eddyline.viewer.view;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.viewer.chart.Chart;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.paint.TextPainter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnyTraceTest {
  private static final String TRACES = "../collector/analysis/src/test/resources/traces/kineto/";
  @TempDir Path folder;

  private static void tryEverything(String file) throws IOException {
    ReadOptions options = new ReadOptions(true, TraceReadLimits.defaults(), bytes -> {});
    TraceModel model = TraceModel.of("any", Traces.open(Traces.resolve(List.of(file)), options));
    TraceView view = new TraceView(model);
    view.resize(700, true);
    Handlers handlers = new Handlers(view);
    for (int finding = -1; finding < model.report().findings().size(); finding++) {
      view.jump(finding < 0 ? Selection.NONE : new Selection.OfFinding(finding, 0));
      Details.of(model, view.selection(), view.chain());
      for (Action action : Action.values()) {
        handlers.run(action, view.viewport().startNs() + 1, 700);
        Chart.paint(view.input(900, 500, 1, 200), new TextPainter());
      }
    }
    Dependencies.of(model);
    Sums.of(model, model.whole());
    Events.in(model, view.rows(), model.whole());
    Search.of(model, "a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public/dlrm_8ranks",
        "public/hta_event_sync_multi_stream.json.gz",
        "public/hta_mi250_rocm62.json.gz",
        "public/puzzlers_same_priority_MALFORMED.json.gz"
      })
  void every_action_works_on_any_trace(String file) {
    assertThatCode(() -> tryEverything(TRACES + file)).doesNotThrowAnyException();
  }

  @Test
  void a_trace_without_anything_is_an_empty_picture() throws IOException {
    Path file = Files.writeString(folder.resolve("empty.json"), "{\"traceEvents\": []}");

    assertThatCode(() -> tryEverything(file.toString())).doesNotThrowAnyException();
  }
}
