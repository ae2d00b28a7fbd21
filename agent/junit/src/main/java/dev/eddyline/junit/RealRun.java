package dev.eddyline.junit;

import dev.eddyline.device.Platform;
import dev.eddyline.device.PlatformProvider;
import dev.eddyline.group.TcpStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A program on real GPUs: each rank a thread of this process with a GPU of its own. */
final class RealRun {
  private static final String HERE = "127.0.0.1";
  private static final long ONE_MINUTE = 60_000_000_000L;

  private final PlatformProvider provider;
  private final int ranks;

  RealRun(int ranks) {
    this.provider = provider().orElseThrow(() -> new IllegalStateException(notOnClassPath()));
    this.ranks = ranks;
  }

  private static Optional<PlatformProvider> provider() {
    return PlatformProvider.named("cuda");
  }

  private static String notOnClassPath() {
    return "no CUDA device: eddyline-cuda is not on the class path of the tests; add it, and the"
        + " linux-x86_64 jars of org.bytedeco:cuda and org.bytedeco:javacpp";
  }

  /** Why a program of so many ranks cannot run here; empty if it can. */
  static Optional<String> unavailable(int ranks) {
    Optional<PlatformProvider> found = provider();
    if (found.isEmpty()) {
      return Optional.of(notOnClassPath());
    }
    Optional<String> why = found.get().unavailable();
    if (why.isEmpty() && found.get().count() < ranks) {
      return Optional.of(
          ranks
              + " ranks of one process need as many GPUs, and "
              + found.get().count()
              + (found.get().count() > 1 ? " are here" : " is here")
              + ": NCCL takes no two of one process on one GPU");
    }
    return why;
  }

  /**
   * Runs the program once, on all ranks.
   *
   * @return what the first rank threw that failed, or null
   */
  @Nullable Throwable run(SimRuns.Program program, Results results) {
    Throwable[] failures = new Throwable[ranks];
    try (TcpStore server = TcpStore.serve(HERE, 0)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < ranks; i++) {
        int rank = i;
        Thread thread =
            new Thread(
                () -> failures[rank] = runRank(rank, server.port(), program, results),
                "rank-" + rank);
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        join(thread, threads);
      }
    }
    for (Throwable failure : failures) {
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  private @Nullable Throwable runRank(
      int rank, int port, SimRuns.Program program, Results results) {
    try (TcpStore store = TcpStore.connect(HERE, port, ONE_MINUTE)) {
      Platform platform = provider.open(rank, ranks, store, List.of(rank));
      program.run(platform, results);
      return null;
    } catch (Exception | Error e) {
      return e;
    }
  }

  /** A test that is interrupted, by its timeout for instance, interrupts its ranks. */
  private static void join(Thread thread, List<Thread> all) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      all.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while '" + thread.getName() + "' runs", e);
    }
  }
}
