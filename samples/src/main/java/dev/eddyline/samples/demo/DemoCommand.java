package dev.eddyline.samples.demo;

import dev.eddyline.cli.Command;
import dev.eddyline.cli.Console;
import dev.eddyline.cli.ExitCode;
import dev.eddyline.cli.OutputException;
import dev.eddyline.cli.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Trains a small model twice on the embedded device, records it, and explains the difference. */
@picocli.CommandLine.Command(
    name = "demo",
    description = "Train a small model twice on simulated GPUs and explain the traces.",
    footer = {
      "",
      "With a mistake and without. Each rank has a trace; those of an earlier demo are replaced."
    })
public final class DemoCommand implements Command {
  private static final int MOST_RANKS = 64;
  private static final int MOST_STEPS = 10_000;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "Where to write the traces: eddyline-demo by default.")
  private Path folder = Path.of("eddyline-demo");

  @Option(names = "--ranks", paramLabel = "N", description = "How many ranks: 4 by default.")
  private int ranks = 4;

  @Option(names = "--steps", paramLabel = "N", description = "How many steps: 64 by default.")
  private int steps = 64;

  @Override
  public int run(Console console) throws IOException {
    between("--ranks", ranks, 2, MOST_RANKS);
    between("--steps", steps, 1, MOST_STEPS);
    makeFolder();
    DemoRun mistake;
    DemoRun mended;
    try (TrainingProgress progress = new TrainingProgress(console, 2 * steps)) {
      mistake = DemoRun.make(true, ranks, steps, folder, "mistake", progress);
      progress.startAt(steps);
      mended = DemoRun.make(false, ranks, steps, folder, "mended", progress);
    }
    for (String line : DemoText.tell(mistake, mended, Recipe.compute(ranks, steps), steps)) {
      console.out().write(line + "\n");
    }
    console.out().write(written(mistake, mended));
    console.out().write(tries(mistake));
    return ExitCode.OK;
  }

  private static void between(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new UsageException(
          option + " cannot be " + value + ": it is a number from " + least + " to " + most);
    }
  }

  private void makeFolder() throws OutputException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("-o " + folder + " is a file; name a folder");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new OutputException("cannot make the folder " + folder + ": " + e.getMessage(), e);
    }
  }

  private String written(DemoRun mistake, DemoRun mended) {
    int last = ranks - 1;
    return "Written to "
        + folder
        + ":\n"
        + ("      " + name(mistake.files().get(0)) + " .. " + name(mistake.files().get(last)))
        + (", " + name(mended.files().get(0)) + " .. " + name(mended.files().get(last)) + "\n")
        + ("      " + name(mistake.chrome()) + ", " + name(mended.chrome()))
        + " (open in https://ui.perfetto.dev)\n";
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Lines that work as they are printed, in a checkout as with the archive. */
  private String tries(DemoRun mistake) {
    String program = Files.isExecutable(Path.of("eddyline")) ? "./eddyline" : "eddyline";
    Path file = mistake.files().get(mistake.mostHeldRank());
    return "Try:\n"
        + ("      " + program + " analyze " + file + "\n")
        + ("      " + program + " info " + file + "\n")
        + ("      " + program + " export " + file + " --to edges -o ")
        + folder.resolve("edges.jsonl")
        + "\n";
  }
}
