package dev.eddyline.viewer;

import dev.eddyline.cli.Main;
import java.util.Arrays;
import java.util.stream.Stream;

/** Where the packaged application begins: its arguments are those of {@code eddyline view}. */
public final class ViewerMain {
  private ViewerMain() {}

  /** Runs {@code eddyline view}. */
  public static void main(String[] args) {
    Main.main(Stream.concat(Stream.of("view"), Arrays.stream(args)).toArray(String[]::new));
  }
}
