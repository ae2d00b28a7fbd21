package dev.eddyline.samples.demo;

import dev.eddyline.cli.Console;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * Shows how many steps are done: on a terminal, and only when it takes longer than a second. Told
 * by rank 0's thread, closed by the one that waits for it.
 */
final class TrainingProgress implements IntConsumer, AutoCloseable {
  private static final long SILENT_NS = 1_000_000_000L;
  private static final long EVERY_NS = 200_000_000L;
  private final PrintStream target;
  private final boolean shown;
  private final int all;
  private volatile int before;
  private volatile int width;
  private long next;

  TrainingProgress(Console console, int all) {
    this(console, all, SILENT_NS);
  }

  TrainingProgress(Console console, int all, long silentNs) {
    this.next = System.nanoTime() + silentNs;
    this.target = console.err();
    this.shown = console.errIsTerminal();
    this.all = all;
  }

  /** Steps of earlier runs, that those told from here on are added to. */
  void startAt(int steps) {
    before = steps;
  }

  @Override
  public void accept(int done) {
    if (!shown || System.nanoTime() < next) {
      return;
    }
    next = System.nanoTime() + EVERY_NS;
    String line = String.format(Locale.ROOT, "training  step %d of %d", before + done, all);
    target.print("\r" + line);
    target.flush();
    width = Math.max(width, line.length());
  }

  @Override
  public void close() {
    if (width > 0) {
      target.print("\r" + " ".repeat(width) + "\r");
      target.flush();
    }
  }
}
