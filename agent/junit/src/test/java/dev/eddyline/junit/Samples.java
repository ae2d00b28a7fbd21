package dev.eddyline.junit;

import java.nio.file.Path;

final class Samples {
  private static final Path FOLDER = Path.of("../../samples/traces");

  private Samples() {}

  static StreamTrace open(String name) {
    return StreamTrace.open(FOLDER.resolve(name));
  }
}
