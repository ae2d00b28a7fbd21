package dev.eddyline.viewer.app;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;

/** Small tables of text, sorted by clicking on a head; Enter or a click on a line opens it. */
final class Tables {
  private Tables() {}

  /** An empty table. */
  static <T> TableView<T> table(String id, String ifEmpty, Consumer<T> open) {
    TableView<T> table = new TableView<>();
    table.setId(id);
    table.setPlaceholder(new Label(ifEmpty));
    table.setColumnResizePolicy(TableView.CONSTRAINED_RESIZE_POLICY_FLEX_LAST_COLUMN);
    table.getStyleClass().addAll("dense", "striped");
    table.setOnMouseClicked(e -> openSelected(table, open));
    table.setOnKeyPressed(
        e -> {
          if (e.getCode() == KeyCode.ENTER) {
            openSelected(table, open);
            e.consume();
          }
        });
    return table;
  }

  private static <T> void openSelected(TableView<T> table, Consumer<T> open) {
    T selected = table.getSelectionModel().getSelectedItem();
    if (selected != null) {
      open.accept(selected);
    }
  }

  /** Adds a column of words. */
  static <T> void words(TableView<T> table, String head, double width, Function<T, String> text) {
    TableColumn<T, String> column = new TableColumn<>(head);
    column.setCellValueFactory(cell -> new ReadOnlyObjectWrapper<>(text.apply(cell.getValue())));
    column.setPrefWidth(width);
    table.getColumns().add(column);
  }

  /** Adds a column of numbers, written in their own way and sorted as numbers. */
  static <T> void numbers(
      TableView<T> table,
      String head,
      double width,
      ToLongFunction<T> value,
      Function<Long, String> text) {
    TableColumn<T, Long> column = new TableColumn<>(head);
    column.setCellValueFactory(
        cell -> new ReadOnlyObjectWrapper<>(value.applyAsLong(cell.getValue())));
    column.setCellFactory(
        c ->
            new javafx.scene.control.TableCell<>() {
              @Override
              protected void updateItem(Long item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? "" : text.apply(item));
                setStyle("-fx-alignment: CENTER-RIGHT;");
              }
            });
    column.setComparator(Comparator.naturalOrder());
    column.setPrefWidth(width);
    table.getColumns().add(column);
  }

  /** Replaces the lines. */
  static <T> void fill(TableView<T> table, List<T> lines) {
    table.setItems(FXCollections.observableArrayList(lines));
  }
}
