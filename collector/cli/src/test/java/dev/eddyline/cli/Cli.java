package dev.eddyline.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Runs a command line in this process. */
record Cli(int code, String out, String err) {
  static final String SAMPLES = "../../samples/traces/";
  static final String STORIES =
      "../analysis/src/test/resources/traces/kineto/h200_pytorch_stories/";
  static final String H200 = "../analysis/src/test/resources/traces/kineto/h200_pytorch/";
  static final String PUBLIC = "../analysis/src/test/resources/traces/kineto/public/";

  static Cli run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(args, new Console(out, err, false));
    return new Cli(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
