package dev.eddyline.viewer.app;

import dev.eddyline.viewer.view.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** What lies above the window for a while: the palette, the keys, a question. Esc closes it. */
final class Overlays {
  private static final double WIDTH = 560;
  private final StackPane root;
  private final Runnable whenClosed;

  Overlays(StackPane root, Runnable whenClosed) {
    this.root = root;
    this.whenClosed = whenClosed;
  }

  boolean isOpen() {
    return root.getChildren().size() > 1;
  }

  void close() {
    if (isOpen()) {
      root.getChildren().remove(1, root.getChildren().size());
      whenClosed.run();
    }
  }

  private void open(VBox content) {
    close();
    content.getStyleClass().addAll("overlay", "bordered");
    content.setPadding(new Insets(12));
    content.setSpacing(8);
    content.setMaxSize(WIDTH, 460);
    content.addEventFilter(
        KeyEvent.KEY_PRESSED,
        e -> {
          if (e.getCode() == KeyCode.ESCAPE) {
            close();
            e.consume();
          }
        });
    StackPane.setAlignment(content, Pos.TOP_CENTER);
    StackPane.setMargin(content, new Insets(60, 0, 0, 0));
    root.getChildren().add(content);
  }

  /** All actions by name; Enter does the chosen one. */
  void palette(Consumer<Action> run) {
    TextField words = new TextField();
    words.setId("palette-words");
    words.setPromptText("what do you want to do?");
    ListView<Action> list = new ListView<>();
    list.setId("palette");
    list.setCellFactory(
        v ->
            new ListCell<>() {
              @Override
              protected void updateItem(Action item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? "" : line(item));
              }
            });
    Runnable choose =
        () -> {
          Action chosen = list.getSelectionModel().getSelectedItem();
          if (chosen != null) {
            close();
            run.accept(chosen);
          }
        };
    words.textProperty().addListener(o -> fill(list, words.getText()));
    words.setOnKeyPressed(
        e -> {
          int at = list.getSelectionModel().getSelectedIndex();
          if (e.getCode() == KeyCode.DOWN) {
            list.getSelectionModel().select(Math.min(at + 1, list.getItems().size() - 1));
          } else if (e.getCode() == KeyCode.UP) {
            list.getSelectionModel().select(Math.max(at - 1, 0));
          } else if (e.getCode() == KeyCode.ENTER) {
            choose.run();
          }
        });
    list.setOnMouseClicked(e -> choose.run());
    fill(list, "");
    open(new VBox(words, list));
    words.requestFocus();
  }

  private static String line(Action action) {
    String keys = action.keys().isEmpty() ? "" : "      " + String.join(", ", action.keys());
    return action.group().title() + ":  " + action.title() + keys;
  }

  private static void fill(ListView<Action> list, String words) {
    List<Action> found = new ArrayList<>();
    String[] parts = words.toLowerCase(Locale.ROOT).strip().split("\\s+");
    for (Action action : Action.values()) {
      String line = line(action).toLowerCase(Locale.ROOT);
      boolean all = true;
      for (String part : parts) {
        all &= line.contains(part);
      }
      if (all) {
        found.add(action);
      }
    }
    list.getItems().setAll(found);
    list.getSelectionModel().select(0);
  }

  /** The keys, by group. */
  void help() {
    GridPane grid = new GridPane();
    grid.setHgap(18);
    grid.setVgap(3);
    int row = 0;
    Action.Group group = null;
    for (Action action : Action.values()) {
      if (action.group() != group) {
        group = action.group();
        Label head = new Label(group.title());
        head.setStyle("-fx-font-weight: bold;");
        grid.add(head, 0, row++, 2, 1);
      }
      grid.add(new Label(String.join(", ", action.keys())), 0, row);
      grid.add(new Label(action.title()), 1, row++);
    }
    Label mouse =
        new Label(
            "Mouse: click selects, drag selects time, Shift or middle drag moves, right drag zooms"
                + " to a region. Wheel scrolls rows, with Ctrl it zooms, with Shift it moves.");
    mouse.setWrapText(true);
    ScrollPane scroll = new ScrollPane(grid);
    scroll.setId("help");
    scroll.setFitToWidth(true);
    open(new VBox(mouse, scroll));
    scroll.requestFocus();
  }

  /** Asks for a line of text. */
  void ask(String question, String proposal, Consumer<String> answer) {
    TextField field = new TextField(proposal);
    field.setId("answer");
    field.setOnAction(
        e -> {
          String text = field.getText();
          close();
          answer.accept(text);
        });
    VBox box = new VBox(new Label(question), field);
    open(box);
    box.setMaxHeight(90);
    field.requestFocus();
    field.selectAll();
  }

  /** Shows something else. */
  void show(String title, Node content) {
    Label head = new Label(title);
    head.getStyleClass().add("title-3");
    open(new VBox(head, content));
  }
}
