package dev.eddyline.viewer.app;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.view.TraceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The findings, by severity and time lost as in reports; a click jumps to the first occurrence. */
final class FindingsPane extends VBox {
  /** One line; a finding of -1 is a heading or a remark. */
  private record Line(int finding, String text) {}

  private final ListView<Line> list = new ListView<>();
  private final TextField filter = new TextField();
  private @Nullable TraceModel model;
  private boolean filling;

  FindingsPane(Consumer<Selection> jump) {
    Label head = new Label("Findings");
    head.getStyleClass().add("title-4");
    filter.setId("findings-filter");
    filter.setPromptText("filter by rule or words");
    filter.textProperty().addListener(o -> fill());
    list.setId("findings");
    list.setCellFactory(view -> new Cell(view));
    list.getSelectionModel()
        .selectedItemProperty()
        .addListener(
            (o, before, line) -> {
              if (line != null && line.finding() >= 0 && !filling) {
                jump.accept(new Selection.OfFinding(line.finding(), 0));
              }
            });
    VBox.setVgrow(list, javafx.scene.layout.Priority.ALWAYS);
    setSpacing(4);
    getChildren().addAll(head, filter, list);
  }

  void show(TraceModel next) {
    model = next;
    fill();
  }

  /** Marks the finding that is selected elsewhere. */
  void follow(TraceView view) {
    if (view.selection() instanceof Selection.OfFinding selected) {
      for (Line line : list.getItems()) {
        if (line.finding() == selected.finding()
            && !line.equals(list.getSelectionModel().getSelectedItem())) {
          filling = true;
          list.getSelectionModel().select(line);
          filling = false;
        }
      }
    }
  }

  private void fill() {
    TraceModel now = model;
    if (now == null) {
      return;
    }
    String words = filter.getText().strip().toLowerCase(Locale.ROOT);
    List<Line> lines = new ArrayList<>();
    List<Finding> findings = now.report().findings();
    for (int i = 0; i < findings.size(); i++) {
      Finding finding = findings.get(i);
      String text = text(i, finding);
      if (text.toLowerCase(Locale.ROOT).contains(words)) {
        lines.add(new Line(i, text));
      }
    }
    if (findings.isEmpty()) {
      lines.add(new Line(-1, "No findings in what this trace can answer."));
    }
    List<NotEvaluated> skipped = now.report().notEvaluated();
    if (!skipped.isEmpty() && words.isEmpty()) {
      lines.add(new Line(-1, "Not evaluated:"));
      skipped.forEach(rule -> lines.add(new Line(-1, rule.rule() + ": " + rule.because())));
    }
    filling = true;
    list.getItems().setAll(lines);
    filling = false;
  }

  private static String text(int index, Finding finding) {
    StringBuilder text = new StringBuilder();
    text.append(index + 1).append("  ").append(finding.title()).append('\n');
    text.append(
        finding.expected() ? "expected" : finding.severity().name().toLowerCase(Locale.ROOT));
    text.append("  ").append(finding.rule()).append("  ×").append(finding.occurrences().size());
    Long blocked = finding.blockedNs();
    if (blocked != null) {
      text.append("  blocked ").append(Millis.of(blocked)).append(" ms");
    }
    return text.toString();
  }

  /** Wraps its words to the width of the list. */
  private static final class Cell extends ListCell<Line> {
    private static final double PADDING = 40;
    private final Label words = new Label();

    Cell(ListView<Line> list) {
      words.setWrapText(true);
      words.maxWidthProperty().bind(list.widthProperty().subtract(PADDING));
    }

    @Override
    protected void updateItem(Line item, boolean empty) {
      super.updateItem(item, empty);
      boolean there = !empty && item != null;
      words.setText(there ? item.text() : "");
      setGraphic(there ? words : null);
      setDisable(there && item.finding() < 0);
    }
  }
}
