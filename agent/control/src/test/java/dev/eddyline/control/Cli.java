package dev.eddyline.control;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.Main;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Runs a command line in this process. */
record Cli(int code, String out, String err) {
  static Cli run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(args, new Console(out, err, false));
    return new Cli(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
