package dev.eddyline.viewer.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/** What is there before a trace is open: what can be opened, the samples, what was opened last. */
final class StartPane extends VBox {
  private static final String SAMPLES = "samples/";

  record Sample(String title, List<String> files) {}

  static final List<Sample> BUNDLED =
      List.of(
          new Sample(
              "PyTorch: a training loop whose host stands still",
              List.of("diloco_before_rank0.json.gz")),
          new Sample(
              "The same with both ranks: one of them is late",
              List.of("diloco_before_rank0.json.gz", "diloco_before_rank1.json.gz")),
          new Sample("The same after the fix", List.of("diloco_after_rank0.json.gz")),
          new Sample(
              "A callback that got another fragment's stream from the pool",
              List.of("callback-from-pool-pool-sim-rank0.eddy")),
          new Sample(
              "A recovery copy that waits for the all-reduce",
              List.of("recovery-stream-behind-sim-rank0.eddy")));

  StartPane(List<String> recent, Runnable choose, Consumer<List<String>> open) {
    setId("start");
    setAlignment(Pos.CENTER);
    setSpacing(8);
    setPadding(new Insets(40));
    Label title = new Label("Eddyline");
    title.getStyleClass().add("title-1");
    Label what =
        new Label(
            "Opens traces of torch.profiler (Kineto JSON, plain or gzip) and .eddy files.\n"
                + "Several files are the ranks of one job: drop them here together.");
    Button button = new Button("Open a trace (Ctrl+O)");
    button.getStyleClass().add("accent");
    button.setOnAction(e -> choose.run());
    getChildren().addAll(title, what, button, head("Samples"));
    for (Sample sample : BUNDLED) {
      Hyperlink link = new Hyperlink(sample.title());
      link.setOnAction(e -> open.accept(unpack(sample.files())));
      getChildren().add(link);
    }
    if (!recent.isEmpty()) {
      getChildren().add(head("Opened last"));
      for (String file : recent) {
        Hyperlink link = new Hyperlink(file);
        link.setOnAction(e -> open.accept(List.of(file)));
        getChildren().add(link);
      }
    }
  }

  private static Label head(String text) {
    Label label = new Label(text);
    label.getStyleClass().add("title-4");
    label.setPadding(new Insets(12, 0, 0, 0));
    return label;
  }

  /**
   * Writes samples from the jar into a folder of their own; a name that is not there where it
   * fails.
   */
  static List<String> unpack(List<String> names) {
    try {
      Path folder = Files.createTempDirectory("eddyline-sample");
      folder.toFile().deleteOnExit();
      for (String name : names) {
        Path target = folder.resolve(name);
        target.toFile().deleteOnExit();
        try (InputStream source = StartPane.class.getResourceAsStream(SAMPLES + name)) {
          if (source == null) {
            return List.of(SAMPLES + name);
          }
          Files.copy(source, target);
        }
      }
      return names.stream().map(name -> folder.resolve(name).toString()).toList();
    } catch (IOException e) {
      return List.of(SAMPLES + names.get(0));
    }
  }
}
