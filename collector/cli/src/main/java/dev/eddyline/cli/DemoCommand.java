package dev.eddyline.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Explains two recorded runs of one training loop; every number comes from the traces. */
@picocli.CommandLine.Command(
    name = "demo",
    description = "Explain two recorded runs of a training loop, before and after a fix.")
public final class DemoCommand implements Command {
  private static final List<String> TRACES =
      List.of(
          "diloco_before_rank0.json.gz",
          "diloco_before_rank1.json.gz",
          "diloco_after_rank0.json.gz",
          "diloco_after_rank1.json.gz");
  private static final Path IN_CHECKOUT = Path.of("samples", "traces");

  @Option(
      names = "--keep",
      paramLabel = "FOLDER",
      description = "Leave the recorded traces in a folder, to try the other commands on them.")
  private @Nullable Path keep;

  @Override
  public int run(Console console) throws IOException {
    Path folder = keep;
    if (folder == null) {
      folder = Files.createTempDirectory("eddyline-demo");
    } else if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("--keep " + folder + " is a file; name a folder");
    }
    try {
      unpack(folder);
      DemoRun before = DemoRun.read(trace(folder, 0), trace(folder, 1));
      DemoRun after = DemoRun.read(trace(folder, 2), trace(folder, 3));
      for (String line : DemoStory.tell(before, after)) {
        console.out().write(line + "\n");
      }
      console.out().write(tries());
      return ExitCode.OK;
    } finally {
      if (keep == null) {
        for (String name : TRACES) {
          Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
      }
    }
  }

  private static Path trace(Path folder, int index) {
    return folder.resolve(TRACES.get(index));
  }

  private static void unpack(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
      for (String name : TRACES) {
        try (InputStream packed = DemoCommand.class.getResourceAsStream("demo/" + name)) {
          if (packed == null) {
            throw new IllegalStateException("the demo's trace " + name + " is not packed");
          }
          if (!Files.exists(folder.resolve(name))) {
            Files.copy(packed, folder.resolve(name));
          }
        }
      }
    } catch (IOException e) {
      throw new OutputException("cannot unpack the traces to " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Lines that work as they are printed, in a checkout as with the archive. */
  private String tries() {
    String program = Files.isExecutable(Path.of("eddyline")) ? "./eddyline" : "eddyline";
    Path folder = keep;
    String first = "";
    if (folder == null && Files.exists(IN_CHECKOUT.resolve(TRACES.get(0)))) {
      folder = IN_CHECKOUT;
    } else if (folder == null) {
      folder = Path.of("eddyline-demo");
      first = "      " + program + " demo --keep " + folder + "\n";
    }
    String before = folder.resolve(TRACES.get(0)).toString();
    return ("Try:\n" + first)
        + ("      " + program + " analyze " + before + "\n")
        + ("      " + program + " info " + before + "\n")
        + ("      " + program + " export " + before + " --to chrome -o before.json.gz\n");
  }
}
