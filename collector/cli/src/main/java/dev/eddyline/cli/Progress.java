package dev.eddyline.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;

/** Shows how much is read: on a terminal, and only when it takes longer than a second. */
final class Progress implements LongConsumer, AutoCloseable {
  private static final long SILENT_NS = 1_000_000_000L;
  private static final long EVERY_NS = 200_000_000L;
  private final PrintStream target;
  private final boolean shown;
  private final long totalBytes;
  private long next = System.nanoTime() + SILENT_NS;
  private int width;

  Progress(Console console, List<Path> files) {
    this.target = console.err();
    this.shown = console.errIsTerminal();
    long total = 0;
    for (Path file : files) {
      try {
        total += Files.size(file);
      } catch (IOException e) {
        // Whoever opens the file says so.
        total += 0;
      }
    }
    this.totalBytes = total;
  }

  @Override
  public void accept(long bytes) {
    if (!shown || System.nanoTime() < next) {
      return;
    }
    next = System.nanoTime() + EVERY_NS;
    String line =
        String.format(
            Locale.ROOT,
            "reading  %3d %% of %d MB",
            totalBytes == 0 ? 100 : Math.min(100, 100 * bytes / totalBytes),
            (totalBytes + 500_000) / 1_000_000);
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
